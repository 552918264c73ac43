"""Reliability: figures from turns played, conditions of offers, and bans after losses on time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.matches.ratings import RatedMatch, RatedPlace, Rating, RatingList
from pbem.matches.reliability import Reliability
from pbem.service.direct import orders
from pbem.service.offers.matchmaking import pair_all
from pbem.service.reliability import reliability
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks, told
from tests.conversations.test_directing import decides, legal
from tests.conversations.test_directors_mail import director, plain, says

BAN = "Because you lost on time, you can't start or join anything new until"
REFUSED = "you lost on time, so you can't start or join anything new until"


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def figures(house: House, person: Person) -> Reliability:
    assert person.player is not None
    with reading(house.club) as work:
        return reliability(work, work.players.get(person.player.id), work.now)


def plays(house: House, *people: Person, days: float, match: int = 1) -> None:
    """Let people move one after another, each after some days."""
    for person in people:
        house.skips(days=days)
        person.receives()
        about = [each for each in person.read if f"[pbem {match}]" in each.message["Subject"]]
        person.says(legal(house, 1, match), to=about[-1])
        house.works()


def loses_on_time(house: House, loser: Person, winner: Person) -> int:
    """Let somebody lose a new match on time, and return its number."""
    match = house.match("lanrick-1893", loser, winner, days=2, chosen="flag=loss")
    house.sweeps()
    house.passes(days=2.1)
    return match.id


def test_only_charged_time_of_turns_against_people_counts(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, days=3)
    house.match("lanrick-1893", anna, *house.bots("random"), days=3)
    house.match("lanrick-1893", anna, bert, time="none")
    plays(house, anna, bert, days=0.5)
    plays(house, anna, days=0.5, match=2)
    plays(house, anna, days=0.5, match=3)
    asks(house, anna, "leave for 10 days")
    plays(house, anna, days=9.5)
    has = figures(house, anna)
    assert (has.turns, has.in_time, has.hours, has.leave) == (2, 2, 12, 10)
    assert has.is_new


def test_late_turn_and_turn_taken_back(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, days=2)
    house.sweeps()
    plays(house, anna, days=2.5)
    plays(house, bert, days=1)
    assert (figures(house, anna).in_time, figures(house, bert).in_time) == (0, 1)
    decides(house, lambda work: orders.undoing(1, 1, "A slip"))
    assert figures(house, anna).turns == figures(house, bert).turns == 0


def test_conditions_hold_for_tables_and_challenges(
    house: House, anna: Person, bert: Person
) -> None:
    clara = house.player("Clara")
    house.match("lanrick-1893", anna, bert, days=2)
    for _ in range(10):
        plays(house, anna, days=0.25)
        plays(house, bert, days=1.5)
    made = asks(house, clara, "offer lanko-68 pace=1d ontime=95 new=no always")
    assert "Conditions: 95% of turns in time, half of the turns within 1d, not for new" in made
    table = "Table 1: Lanko-68"
    assert table in asks(house, anna, "offers")
    assert table not in asks(house, bert, "offers")
    refused = asks(house, bert, "take 1")
    assert "table 1 is for members who need 1d or less for half of their turns" in refused
    assert "Half of your turns in the last year took 36 hours or more" in refused
    dora = house.player("Dora")
    assert "You have made 0 turns" in asks(house, dora, "take 1")
    asks(house, anna, "take 1")
    assert len(house.matches()) == 2
    asks(house, clara, "challenge bert dora lancelot pace=1d")
    bert.receives()
    challenge = told(bert)
    assert "Conditions of Clara: half of the turns within 1d." in challenge
    assert "Reliability of Clara: no turns with a clock in the last year, so new." in challenge
    asks(house, anna, "challenge clara lancelot")
    shown = "100% of 10 turns in time in the last year, half of them within 6 hours; left no match"
    assert f"Reliability of Anna: {shown}." in told(clara)
    assert f"Reliability: {shown}." in asks(house, clara, "standing anna")
    assert "challenge 2 is for members who need 1d or less" in asks(house, bert, "accept 2")
    assert "You have accepted challenge 2" in asks(house, dora, "accept 2"), "she is new"


def rates(house: House, game: str, **ratings: float) -> None:
    """Rate the players of match 1, in units of the model."""
    with writing(house.club) as work:
        match = RatedMatch(RatedPlace(work.now, 1), game, computers=False, sides=())
        theirs = {
            player.id: Rating(value, 1.0, 11)
            for name, value in ratings.items()
            if (player := work.players.named(name))
        }
        work.ratings.put([(match, {RatingList(game): theirs})], "by hand")


def test_rating_is_a_condition_and_brings_members_together(
    house: House, anna: Person, bert: Person
) -> None:
    clara = house.player("Clara")
    house.match("lanko-68", anna, bert)
    rates(house, "lanko-68", anna=25.0, bert=35.0)
    made = asks(house, clara, "offer lanko-68 rating=1400-1700")
    assert "Conditions: rated 1400 to 1700." in made
    assert "Table 1: Lanko-68" in asks(house, anna, "offers")
    refused = asks(house, bert, "take 1")
    assert "table 1 is for members with a rating of 1400 to 1700. Yours is 1800" in refused
    asks(house, clara, "offer lanko-88 rating=1400-1700")
    assert "Table 2: Lanko-88" in asks(house, bert, "offers"), "he is unrated in this game"
    for each in (bert, anna):
        asks(house, each, "play anybody lanko-68")
    assert pair_all(house.club) == 0, "they are 300 points apart"
    asks(house, clara, "play anybody lanko-68")
    assert pair_all(house.club) == 1


@pytest.mark.parametrize("term", ("ontime=93", "rating=1500-1510", "pace=5h", "new=maybe"))
def test_condition_for_a_single_member_is_refused(house: House, anna: Person, term: str) -> None:
    assert term.partition("=")[0] in asks(house, anna, f"offer lanko-68 {term}")
    assert "Nobody is looking" in asks(house, anna, "offers")


def test_loss_on_time_bars_from_anything_new_for_a_month(
    house: House, anna: Person, bert: Person
) -> None:
    other = house.match("lanrick-1893", bert, anna, days=9)
    asks(house, bert, "offer lanko-68")
    asks(house, anna, "offer lancelot always")
    loses_on_time(house, anna, bert)
    [lost] = [each for each in anna.receives() if BAN in " ".join(each.text.split())]
    assert "rematch" not in lost.text + lost.html, "it would be refused"
    assert BAN not in " ".join(each.text for each in bert.receives())
    for line in ("take 1", "offer lanko-68", "challenge bert lanko-68", "play bot-random lanko-68"):
        assert REFUSED in asks(house, anna, line)
    asks(house, bert, "challenge anna lanko-88")
    assert REFUSED in asks(house, anna, "accept 3")
    house.sweeps()
    assert "table 2 is closed for now" in asks(house, bert, "take 2")
    assert house.state(other.id).result is None
    anna.says("appeal I was in hospital.", to=lost)
    house.works()
    assert "I'm sending the director the current position and your text" in told(anna)
    house.skips(days=31)
    assert REFUSED not in asks(house, anna, "offer lanko-68")


def test_ban_concerns_nobody_else(house: House, anna: Person, bert: Person) -> None:
    clara, dora = house.player("Clara"), house.player("Dora")
    asks(house, clara, "offer lancelot players=3 names=hidden")
    asks(house, anna, "take 1")
    asks(house, anna, "offer lanko-68")
    asks(house, anna, "challenge clara lanko-88")
    loses_on_time(house, anna, bert)
    offers = " ".join(asks(house, dora, "offers").split())
    assert "2 seats free" in offers, "others can have Anna's seat"
    assert "Table 2" not in offers
    refused = asks(house, dora, "take 2")
    assert "table 2 is closed for now" in refused
    assert "on time" not in refused
    asks(house, bert, "challenge anna lanko-103")
    assert "there is no offer 4" in asks(house, dora, "take 4"), "it is not Dora's business"
    asks(house, dora, "take 1")
    asks(house, bert, "take 1")
    assert set(house.names(2).values()) == {"Clara", "Dora", "Bert"}
    asks(house, clara, "accept 3")
    assert set(house.names(3).values()) == {"Anna", "Clara"}, "agreed before her loss"


def test_banned_guest_keeps_a_seat_that_nobody_needs(
    house: House, anna: Person, bert: Person
) -> None:
    clara, emil = house.player("Clara"), house.player("Emil")
    asks(house, clara, "offer lancelot players=4")
    asks(house, anna, "take 1")
    loses_on_time(house, anna, bert)
    asks(house, emil, "take 1")
    dora = director(house, "Dora")
    for line in ("member unban anna", "confirm"):
        says(house, dora, line)
    asks(house, bert, "take 1")
    assert set(house.names(2).values()) == {"Clara", "Anna", "Emil", "Bert"}


def test_second_loss_within_a_year_bars_for_three_months(
    house: House, anna: Person, bert: Person
) -> None:
    loses_on_time(house, anna, bert)
    house.skips(days=60)
    loses_on_time(house, anna, bert)
    house.skips(days=60)
    assert REFUSED in asks(house, anna, "offer lanko-68")
    house.skips(days=31)
    assert REFUSED not in asks(house, anna, "offer lanko-68")


def test_director_lifts_a_ban(house: House, anna: Person, bert: Person) -> None:
    loses_on_time(house, anna, bert)
    dora = director(house, "Dora")
    dora.says("pause club", recipient=house.address)
    house.works()
    says(house, dora, "confirm")
    about = plain(says(house, dora, "member anna"))
    assert "lost on time, so can start or join nothing new until" in about
    assert "left 1 match" in about
    assert "Anna can start and join matches again" in plain(says(house, dora, "member unban anna"))
    assert "the director lets you start and join matches again" in told(anna)
    assert anna.latest.message["Subject"] == "[pbem] You can start and join matches again"
    assert REFUSED not in asks(house, anna, "offer lanko-68")
    again = plain(says(house, dora, "member unban anna"))
    assert "Anna can start and join matches already" in again
    assert "Dora member unban Anna" in plain(says(house, dora, "log"))


def test_club_can_do_without_bans(house: House, anna: Person, bert: Person) -> None:
    policy = replace(house.club.policy, ban_days=0, second_ban_days=0)
    house.club = replace(house.club, policy=policy)
    loses_on_time(house, anna, bert)
    assert BAN not in " ".join(each.text for each in anna.receives())
    assert REFUSED not in asks(house, anna, "offer lanko-68")


def test_reopened_match_bars_from_nothing(house: House, anna: Person, bert: Person) -> None:
    match = loses_on_time(house, anna, bert)
    decides(house, lambda work: orders.reopening(match, "The server was down"))
    assert house.state(match).result is None
    assert REFUSED not in asks(house, anna, "offer lanko-68")
