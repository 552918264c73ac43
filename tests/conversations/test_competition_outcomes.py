"""What emails about competitions say to their reader: outcomes, byes, withdrawals, places."""

from __future__ import annotations

import random

import pytest

from pbem.matches.announcement import Phase
from pbem.service.club import Joining
from pbem.service.competitions.running import run_competitions
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import adjudication
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks
from tests.conversations.test_competitions import (
    announced,
    closes,
    decides,
    directing,
    enter,
    people,
    phase,
    withdraws,
)
from tests.conversations.test_joining import lets_in, says as joins


@pytest.fixture
def dora(house: House) -> Person:
    return directing(house)


def told(person: Person) -> str:
    """Return all new emails to a person on one line."""
    return " ".join(" ".join(mail.text.split()) for mail in person.receives())


def decided(house: House, players: set[str], result: str) -> None:
    """Let a director decide the running match of two players."""
    with writing(house.club) as work:
        running = [match for match in house.matches() if match.result is None]
        [match] = [m for m in running if set(house.names(m.id).values()) == players]
        decide(work, adjudication(match.id, result, "a test"), SHELL)
    run_competitions(house.club)
    house.works()


def test_players_of_a_knock_out_learn_what_a_tie_means_for_them(house: House, dora: Person) -> None:
    anna, bert, clara, emil = everybody = people(house)
    announced(house, dora, "knock-out lanrick-1893 extra=0 third-place=yes")
    enter(house, 1, everybody)
    closes(house)
    for person in everybody:
        person.receives()
    decided(house, {"Anna", "Emil"}, "draw")
    assert (
        "The tie is level, 0.5 : 0.5. You go through as the better seed. "
        "You are through to round 2. You play the winner of Bert against Clara."
    ) in told(anna)
    assert (
        "The tie is level, 0.5 : 0.5. Anna goes through as the better seed. "
        "You play for third place. You play the loser of Bert against Clara."
    ) in told(emil)
    decided(house, {"Bert", "Clara"}, "Clara")
    assert "You are through to round 2. You play Anna." in told(clara)
    assert "You play for third place. You play Emil." in told(bert)
    decided(house, {"Bert", "Emil"}, "Emil")
    assert "You are fourth." in told(bert)
    assert "You are third." in told(emil)
    decided(house, {"Anna", "Clara"}, "draw")
    assert "You have won knock-out 1." in told(anna)
    said = told(clara)
    assert "The tie is level, 0.5 : 0.5. Anna wins as the better seed." in said
    assert "You are second." in said


def test_players_of_longer_ties_learn_whether_they_are_decided(house: House, dora: Person) -> None:
    everybody = people(house, "Anna", "Bert", "Clara")
    announced(house, dora, "knock-out lanrick-1893 best-of=2 extra=0 level=lots")
    enter(house, 1, everybody)
    closes(house)
    _, bert, clara = everybody
    decided(house, {"Bert", "Clara"}, "Bert")
    assert "Your tie is not decided: 0 : 1. You play another match." in told(clara)
    decided(house, {"Bert", "Clara"}, "Clara")
    said = [told(bert), told(clara)]
    assert all("The tie is level, 1 : 1." in each and "through by lot." in each for each in said)
    assert sum("You are out." in each for each in said) == 1
    assert sum("You are through to round 2. You play Anna." in each for each in said) == 1


def test_players_of_a_challenge_learn_what_is_at_stake(house: House, dora: Person) -> None:
    _, _, clara, emil = everybody = people(house)
    announced(house, dora, "ladder lanrick-1893")
    enter(house, 1, everybody)
    closes(house)
    emil.says("ladder 1 clara", recipient=house.address)
    house.works()
    assert (
        "Emil (rung 4) has challenged you (rung 3) on ladder 1. If they win, they take your rung."
    ) in told(clara)
    assert (
        "You (rung 4) have challenged Clara (rung 3) on ladder 1. If you win, you take their rung."
    ) in told(emil)
    decided(house, {"Emil", "Clara"}, "Emil")
    assert "You are now on rung 3 of 4." in told(emil)
    assert "You are now on rung 4 of 4." in told(clara)


@pytest.mark.parametrize(
    ("terms", "said"),
    (
        ("swiss lanrick-1893 rounds=2", "You have a bye: it gives you a point."),
        ("knock-out lanrick-1893", "You have a bye and go straight to round 2."),
        ("tournament lanrick-1893", "You sit out the first round."),
        ("league lanrick-1893 division=3", "You sit out the first round."),
    ),
)
def test_player_without_a_match_learns_what_it_means(
    house: House, dora: Person, terms: str, said: str
) -> None:
    everybody = people(house, "Anna", "Bert", "Clara")
    announced(house, dora, terms)
    enter(house, 1, everybody)
    closes(house)
    assert [said in told(each) for each in everybody].count(True) == 1


@pytest.mark.parametrize(
    ("terms", "said"),
    (
        ("league lanrick-1893 division=3 moves=1", "the next round of your division in"),
        ("tournament lanrick-1893", "round 2 of"),
    ),
)
def test_player_gets_an_email_about_a_bye_in_a_later_round(
    house: House, dora: Person, terms: str, said: str
) -> None:
    everybody = people(house, "Anna", "Bert", "Clara")
    announced(house, dora, terms)
    enter(house, 1, everybody)
    closes(house)
    for person in everybody:
        person.receives()
    decided(house, set(house.names(1).values()), "draw")
    texts = [told(person) for person in everybody]
    assert [f"{said} competition 1" in each and "sit it out." in each for each in texts].count(
        True
    ) == 1


def test_opponents_of_a_withdrawn_player_learn_what_they_gain(house: House, dora: Person) -> None:
    anna, bert, clara, emil = everybody = people(house)
    announced(house, dora, "tournament lanrick-1893")
    enter(house, 1, everybody)
    closes(house)
    rivals = next(s for m in house.matches() if "Bert" in (s := set(house.names(m.id).values())))
    for person in everybody:
        person.receives()
    withdraws(house, bert)
    left = "Bert has withdrawn from competition 1 (tournament, Lanrick (1893))."
    for person in (anna, clara, emil):
        said = told(person)
        assert (left in said) == (person.name not in rivals), "they play their match to the end"
        assert ("You get a point for your match with them." in said) == (left in said)


def test_opponent_of_a_withdrawn_winner_goes_through(house: House, dora: Person) -> None:
    anna, bert, clara, _ = everybody = people(house)
    announced(house, dora, "knock-out lanrick-1893 third-place=yes")
    enter(house, 1, everybody)
    closes(house)
    decided(house, {"Anna", "Emil"}, "Anna")
    withdraws(house, bert)
    assert "has withdrawn" not in told(clara) + told(anna), "Bert plays his match to the end"
    decided(house, {"Bert", "Clara"}, "Bert")
    said = told(anna)
    assert "Bert has withdrawn from competition 1 (knock-out, Lanrick (1893))." in said
    assert "You win without a match." in said
    assert "You play for third place. You play Emil." in told(clara)


def test_member_who_loses_on_time_learns_that_they_are_still_in(house: House, dora: Person) -> None:
    everybody = people(house, "Anna", "Bert", "Clara")
    announced(house, dora, "tournament lanrick-1893 days=1 repeat=1w")
    for person in everybody:
        asks(house, person, "enter 1 always")
    closes(house)
    for person in everybody:
        person.receives()
    house.passes(days=3)
    texts = [told(person) for person in everybody]
    lost = next(at for at, said in enumerate(texts) if "can't start or join anything" in said)
    assert (
        "You are still in competition 1, and your next match starts as usual. "
        'If you can\'t play, send "withdraw 1".'
    ) in texts[lost]
    rng = random.Random(1)
    while phase(house) is Phase.RUNNING:
        decides(house, rng)
    house.works()
    said = told(everybody[lost])
    dropped = "you are not in competition 2 (tournament, Lanrick (1893)), although you always enter"
    assert dropped in said
    assert "The reason: you lost on time, so you can't start or join anything new" in said
    said = asks(house, everybody[lost], "competitions")
    assert "Competitions that you can't enter now 2: tournament" in said
    assert "enter 2" not in said
    said = asks(house, everybody[lost], "competition 2")
    assert "You can't enter it now: you lost on time" in said
    assert "enter 2" not in said


def test_everybody_learns_their_own_place(house: House, dora: Person) -> None:
    anna, bert, clara, emil = everybody = people(house)
    announced(house, dora, "knock-out lanrick-1893")
    announced(house, dora, "team-match lanrick-1893 teams=Reds,Blues")
    announced(house, dora, "tournament lanrick-1893 min=4")
    enter(house, 1, everybody[:3])
    enter(house, 2, everybody[2:])
    said = enter(house, 3, [anna])[0]
    assert "It needs at least 4 players. With fewer, it is called off." in said
    closes(house)
    said = asks(house, anna, "competition 3")
    assert "Called off." in said
    assert "You took part." not in said
    for person in everybody:
        person.receives()
    decided(house, {"Clara", "Emil"}, "Emil")
    assert "Your team has won." in told(emil)
    assert "Your team has lost." in told(clara)
    decided(house, {"Bert", "Clara"}, "Clara")
    decided(house, {"Anna", "Clara"}, "Clara")
    assert "You finished in place 1 of 3." in told(clara)
    assert "You finished in place 2 of 3." in told(anna)
    assert "You finished in place 3 of 3." in told(bert)
    assert "You finished in place 3 of 3." in asks(house, bert, "competition 1")


def test_late_entry_is_offered_and_own_byes_are_shown(house: House, dora: Person) -> None:
    everybody = people(house)
    announced(house, dora, "swiss lanrick-1893 rounds=3")
    enter(house, 1, everybody)
    closes(house)
    asks(house, everybody[0], "bye 1 3")
    assert "You take part. You have a bye in round 3." in asks(house, everybody[0], "competition 1")
    said = asks(house, house.player("Hanna"), "competitions")
    assert "Competitions that you can enter 1: Swiss tournament" in said
    assert "enter 1" in said
    said = asks(house, everybody[1], "competitions")
    assert "Competitions being played 1: Swiss tournament" in said
    assert "enter 1" not in said


def test_withdrawal_mentions_matches_only_if_there_are_any(house: House, dora: Person) -> None:
    anna, bert, _ = people(house, "Anna", "Bert", "Clara")
    announced(house, dora, "ladder lanrick-1893")
    enter(house, 1, (anna, bert))
    closes(house)
    assert "to the end" not in withdraws(house, anna)


def test_rules_of_competitions_are_sent(house: House, dora: Person) -> None:
    [anna] = people(house, "Anna")
    announced(house, dora, "swiss lanrick-1893 rounds=3")
    assert 'For the exact rules, send "rules swiss".' in told(anna)
    said = asks(house, anna, "rules swiss")
    assert "Each round starts when all matches of the previous one have ended." in said
    assert "`buchholz`: the sum of your opponents' scores, one for each round" in said
    assert anna.read[-1].message["Subject"].endswith("Rules of Swiss tournament")
    said = asks(house, anna, "rules knock-out")
    assert "in the first match of a tie" in said
    assert "Buchholz" not in said, "it has no tie-breaks in its terms"
    said = asks(house, anna, "rules competition")
    assert "members send `enter 7` until the last day of entry has ended in UTC" in said
    assert "meet the conditions cannot enter" in said, "without links"
    assert "rules swiss" in asks(house, anna, "rules nothing")


def test_welcome_mentions_competitions_if_there_are_any(house: House, dora: Person) -> None:
    lets_in(house, Joining.OPEN)
    for name, some in (("Iris", False), ("Judy", True)):
        guest = house.stranger(f"{name.lower()}@mail.example")
        joins(house, guest, f"join {name}")
        [said] = joins(house, guest, "confirm")
        assert ("Members also play competitions. To see which ones" in said) == some
        announced(house, dora, "swiss lanrick-1893 rounds=3")
