"""Running out of time, with the consequences as agreed: docs/clocks.md, sentence by sentence."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pbem.games.api import Family, Seat
from pbem.matches.history import Kind
from pbem.service.members.own_addresses import address_fails
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.test_directing import legal, plain, plays, record
from tests.support.more_games import more_games
from tests.toys.pocket_games import NIM


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara")


def kinds(person: Person) -> list[str]:
    """Return the kinds of the new emails."""
    return [mail.kind for mail in person.receives()]


def told(house: House) -> list[Kind]:
    """Return the record's entries other than actions, after checking the record."""
    return [entry.kind for entry in record(house).entries if entry.kind is not Kind.ACTION]


@pytest.mark.parametrize("game", ("lanko-68", "lanrick-1881", "lanrick-1893", "lancelot"))
def test_running_out_of_time_loses_between_two(
    house: House, anna: Person, bert: Person, game: str
) -> None:
    house.match(game, anna, bert, days=2, chosen="flag=loss")
    house.sweeps()
    house.passes(days=2.1)
    assert "you lost match 1 to Bert: time ran out." in plain(anna)
    assert "you won match 1 against Anna: time ran out." in plain(bert)
    assert told(house) == [Kind.FLAG_FELL, Kind.LOST_ON_TIME]
    assert not house.director.receives(), "nobody needs to decide"


class Hopeless(type(NIM)):  # type: ignore[misc]
    """Nim in which the second player can never win."""

    def can_win(self, position: Any, seat: Seat) -> bool:
        return seat == "first"


@pytest.mark.parametrize("flag", ("loss", "claim"))
def test_time_over_is_a_draw_if_the_opponent_cannot_win(
    house: House, anna: Person, bert: Person, flag: str
) -> None:
    with more_games(nim=Family(api=1, games=(Hopeless(),))):
        house.match("nim", anna, bert, days=2, chosen=f"flag={flag}")
        house.sweeps()
        anna.receives(), bert.receives()
        house.passes(days=2.1)
        if flag == "claim":
            (asked,) = bert.receives()
            assert "As you can no longer win, the match is then a draw" in asked.text
            bert.says("claim")
            house.works()
        why = "a player ran out of time, and nobody else could still win"
        assert f"you drew match 1 with Bert: {why}" in plain(anna)
        assert f"you drew match 1 with Anna: {why}" in plain(bert)
        told = record(house)
        assert told.result is not None
        assert (told.result.winners, told.result.termination) == ((), "flag-draw")
        assert Kind.LOST_ON_TIME not in [entry.kind for entry in told.entries]


@pytest.mark.parametrize("flag", ("loss", "claim"))
def test_late_player_loses_if_the_opponent_can_still_win(
    house: House, anna: Person, bert: Person, flag: str
) -> None:
    with more_games(nim=Family(api=1, games=(Hopeless(),))):
        house.match("nim", anna, bert, days=2, chosen=f"flag={flag}")
        plays(house, anna, "take 1")
        house.passes(days=2.1)
        if flag == "claim":
            anna.receives()
            anna.says("claim")
            house.works()
        told = record(house)
        assert told.result is not None
        assert (told.result.winners, told.result.termination) == (("first",), "flag")


def test_player_can_still_move_until_the_director_decides(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    for person in (anna, bert):
        person.receives()
    house.passes(days=2.1)
    reminder, late = anna.receives()
    assert reminder.kind == "a reminder"
    assert "you have run out of time" in late.text
    assert "You can still move until the director decides." in late.text
    assert not bert.receives()
    anna.says(legal(house))
    house.works()
    assert house.state().turn == 2


def test_turn_within_the_grace_saves_the_match(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, time="days=2 grace=1d", chosen="flag=loss")
    house.sweeps()
    anna.receives()
    house.passes(days=2.1)
    late = plain(anna)
    assert "you have run out of time for turn 1 of match 1" in late
    assert "You can still move until" in late
    assert "you lose the match" in late
    anna.says(legal(house))
    house.works()
    assert house.state().to_act == "black"
    house.passes(days=1)
    assert house.state().result is None
    assert told(house) == [Kind.FLAG_FELL]


def test_match_is_lost_after_the_grace(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, time="days=2 grace=1d", chosen="flag=loss")
    house.sweeps()
    house.passes(days=2.9)
    assert house.state().result is None
    house.passes(days=0.2)
    assert "you lost match 1 to Bert: time ran out." in plain(anna)
    record(house)


def test_play_on_asks_nobody(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=play-on")
    house.sweeps()
    anna.receives(), bert.receives()
    house.passes(days=5)
    assert kinds(anna) == ["a reminder"]
    assert not bert.receives()
    assert not house.director.receives()
    plays(house, anna, legal(house))
    assert house.state().to_act == "black"
    assert told(house) == [Kind.FLAG_FELL]


def test_opponent_is_asked_once_and_claims(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=claim")
    house.sweeps()
    anna.receives(), bert.receives()
    house.passes(days=2.1)
    assert kinds(anna) == ["a reminder", "out of time"]
    [asked] = bert.receives()
    assert asked.kind == "claim or wait?"
    assert "Anna has run out of time in match 1" in asked.text
    house.passes(days=9)
    assert not bert.receives(), "they are asked once"
    bert.says("claim")
    house.works()
    assert "you won match 1 against Anna: time ran out." in plain(bert)
    assert "Bert claims the match." in plain(anna)
    assert told(house) == [Kind.FLAG_FELL, Kind.CLAIMED, Kind.LOST_ON_TIME]


def test_late_turn_before_a_claim_counts(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=claim")
    house.sweeps()
    house.passes(days=9)
    plays(house, anna, legal(house))
    bert.receives()
    bert.says("claim")
    house.works()
    assert "you can't claim the match or wait now" in plain(bert)
    assert house.state().result is None
    record(house)


def test_waiting_gives_time_and_opponent_is_asked_again(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=claim")
    house.sweeps()
    house.passes(days=2.1)
    bert.receives(), anna.receives()
    bert.says("Get well soon!\nwait 3 days")
    house.works()
    more = plain(anna)
    assert "Bert gives Anna more time for this turn: 3d." in more
    assert "Please answer by" in more
    assert "Get well soon!" in more
    plain(bert)
    bert.says("claim")
    house.works()
    assert "the player to move in match 1 still has time" in plain(bert)
    house.passes(days=2.9)
    assert not bert.receives()
    house.passes(days=0.2)
    assert kinds(bert) == ["claim or wait?"]
    bert.says("claim")
    house.works()
    assert house.state().result is not None
    assert told(house) == [
        *(Kind.FLAG_FELL, Kind.WAITED, Kind.FLAG_FELL, Kind.CLAIMED, Kind.LOST_ON_TIME)
    ]


@pytest.mark.parametrize(
    ("who", "line", "why"),
    (
        ("anna", "claim", "it is your own turn"),
        ("bert", "wait 15 days", "at most 14 days"),
    ),
)
def test_impossible_claim_is_refused(
    house: House, anna: Person, bert: Person, who: str, line: str, why: str
) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=claim")
    house.sweeps()
    house.passes(days=2.1)
    person = {"anna": anna, "bert": bert}[who]
    plays(house, person, line)
    assert why in plain(person)
    assert house.state().result is None


def test_claim_is_refused_unless_agreed(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, days=2)
    house.sweeps()
    house.passes(days=2.1)
    plays(house, bert, "claim")
    assert "the terms of match 1 don't allow claims" in plain(bert)


def test_director_is_asked_about_a_match_against_a_computer(house: House, anna: Person) -> None:
    [bot] = house.bots("random")
    house.match("lanrick-1893", anna, bot, days=2, chosen="flag=claim")
    house.sweeps()
    house.passes(days=2.1)
    [report] = house.director.receives()
    assert "Anna has run out of time in match 1" in report.text


# Three to five players


@pytest.mark.parametrize("excalibur", (0, 1))
def test_others_play_on_in_lancelot(
    house: House, anna: Person, bert: Person, clara: Person, excalibur: int
) -> None:
    house.match("lancelot", anna, bert, clara, days=2, chosen="flag=loss", excalibur=excalibur)
    house.sweeps()
    late = house.state().player_to_act
    assert anna.player is not None
    house.passes(days=2.1)
    lost = {1: anna, 2: bert, 3: clara}[late or 0]
    said = plain(clara)
    assert f"{lost.name} ran out of time and has lost. The others continue." in said
    assert f"{lost.name} 2 d" not in said, "they have no turn to come"
    assert house.state().result is None
    assert house.state().player_to_act != late
    record(house)
    house.passes(days=2.1)
    assert house.state().result is not None, "the last one left wins"
    record(house)


def test_one_opponent_claims_in_lancelot_and_the_others_play_on(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara, days=2, chosen="flag=claim")
    house.sweeps()
    bert.receives()
    house.passes(days=2.1)
    assert "the rest of you continue" in plain(clara)
    assert kinds(bert) == ["claim or wait?"]
    bert.says("claim")
    house.works()
    assert "Anna ran out of time and has lost. The others continue." in plain(clara)
    assert house.state().player_to_act == 2
    assert told(house) == [Kind.FLAG_FELL, Kind.CLAIMED, Kind.LOST_ON_TIME]


def test_player_who_has_lost_cannot_claim(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara, days=2, chosen="flag=claim")
    house.sweeps()
    house.resigns(anna)
    house.passes(days=2.1)
    anna.receives()
    anna.says("claim")
    house.works()
    assert "only an opponent of the player to move" in plain(anna)


def test_partner_has_two_days_to_take_over(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.set("lanko-68", anna, bert, clara, chosen="flag=loss")
    house.sweeps()
    anna.receives(), bert.receives(), clara.receives()
    house.passes(days=5.1)
    late = plain(bert)
    assert "You can still move until" in late
    assert "After that, you lose the match." in late
    assert "asked their partner to play both seats" in plain(anna)
    [asked] = clara.receives()
    text = " ".join(asked.text.split())
    over_at = house.state().clock.over_at
    assert over_at is not None
    assert f"unless one of you moves by {over_at:%A} {over_at.day} {over_at:%B}" in text
    assert "I've asked your partner to play both seats. If you write first" in late
    house.passes(days=1.7)
    clara.says("takeover 1 S")
    house.works()
    assert house.names() == {"S": "Clara", "W": "Anna", "N": "Clara", "E": "Anna"}
    house.passes(days=1)
    assert house.state().result is None
    assert Kind.LOST_ON_TIME not in told(house)


def test_side_without_takeover_loses_and_the_set_continues(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.set("lanko-68", anna, bert, clara, chosen="flag=loss")
    house.sweeps()
    house.passes(days=7.1)
    first, second = house.matches()
    assert first.result is not None
    assert first.result.winners == ("W", "E")
    assert first.result.termination == "flag"
    record(house)
    assert second.result is None
    assert second.options.chosen == {"flag": "loss"}
    assert "Anna +96" in plain(anna), "the table of the set"


def test_either_opponent_claims_in_two_against_two(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    house.match("lanko-68", anna, bert, clara, dora, days=2, chosen="flag=claim")
    house.sweeps()
    clara.receives(), dora.receives()
    house.passes(days=2.1)
    assert "The other side can claim the match from " in plain(clara)
    plays(house, dora, "claim")
    assert "still has a grace period" in plain(dora), "the partner has two days"
    house.passes(days=2)
    assert "Then Anna and Clara lose the match." in plain(bert)
    plays(house, clara, "claim")
    assert "only an opponent of the player to move" in plain(clara)
    plays(house, dora, "claim")
    assert "you and Clara lost match 1 to Bert and Dora: time ran out." in plain(anna)
    record(house)


def test_bot_plays_until_the_player_writes(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=bot")
    house.sweeps()
    house.passes(days=2.1)
    assert house.moves(), "the bot has played"
    assert "bot-greedy" in plain(bert)
    plays(house, bert, legal(house))
    assert house.state().to_act == "black", "and continues"
    record(house)


def test_every_later_email_says_that_one_can_claim(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=claim")
    house.sweeps()
    house.passes(days=2.1)
    plays(house, bert, "show")
    assert "Claim the match" in bert.receives()[-1].html
    plays(house, bert, "help")
    now = plain(bert).partition("What you can send now in this match")[2]
    assert "claim" in now
    assert "wait TIME" in now


def test_seat_is_offered_to_substitutes_or_director_is_asked(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=substitute")
    house.sweeps()
    house.passes(days=2.1)
    assert "Anna has run out of time in match 1" in plain(house.director), "nobody is a substitute"
    house.match("lanrick-1893", bert, anna, days=2, chosen="flag=substitute")
    clara.says("set substitute on", recipient=house.address)
    house.works()
    clara.receives()
    clara.says("confirm")
    house.passes(days=2.1)
    assert "takeover 2 yellow" in plain(clara)
    clara.says("takeover 2 yellow")
    house.works()
    assert house.names(2) == {"yellow": "Clara", "black": "Anna"}
    record(house, 2)


def test_flag_rule_is_agreed_by_email_and_shown_with_the_first_turn(
    house: House, anna: Person, bert: Person
) -> None:
    anna.says("challenge Bert lanrick-1893 days=2 grace=12h flag=claim as=yellow")
    house.works()
    anna.receives()
    anna.says("confirm")
    house.works()
    assert "flag=claim" in plain(bert) or "the opponents may claim the match" in bert.latest.text
    bert.says("accept")
    house.works()
    terms = plain(anna)
    assert "2 days per turn; then 12 hours of grace" in terms
    assert "when a player runs out of time, the opponents may claim the match" in terms
    house.sweeps()
    house.passes(days=2.1)
    assert "You can still move until" in plain(anna)
    assert not [kind for kind in kinds(bert) if kind == "claim or wait?"]
    house.passes(days=0.5)
    assert "claim or wait?" in kinds(bert)


def test_claim_in_the_grace_says_when_the_grace_ends(house: House, anna: Person) -> None:
    bert = house.player("Bert", time_zone="Europe/Warsaw")
    house.until_noon()
    house.match("lanrick-1893", anna, bert, time="days=2 grace=30h", chosen="flag=claim")
    house.sweeps()
    house.passes(days=2.1)
    over_at = house.state().clock.over_at
    assert over_at is not None
    ends = over_at.astimezone(ZoneInfo("Europe/Warsaw"))
    moment = f"{ends:%A} {ends.day} {ends:%B, %H:%M} (Warsaw)"
    for line in ("claim", "wait 3 days"):
        plays(house, bert, line)
        told = plain(bert)
        assert "the player to move in match 1 is out of time, but still has a grace" in told
        assert f"The grace period ends on {moment}." in told
        assert "still has time" not in told
    plays(house, bert, "show")
    assert f"Anna has run out of time. The grace period ends on {moment}." in plain(bert)
    house.passes(days=1.3)
    plays(house, bert, "claim")
    assert house.state().result is not None


def test_each_late_turn_has_the_whole_grace(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, time="total=4 grace=1d", chosen="flag=loss")
    house.sweeps()
    house.passes(days=4.9)
    plays(house, anna, legal(house))
    anna.receives(), bert.receives()
    plays(house, bert, legal(house))
    house.sweeps()
    late = [" ".join(each.text.split()) for each in anna.receives()][-1]
    assert re.search(r"You can still move until [^:]+:\d\d \(UTC\): (1 day|23 hours)", late)
    house.passes(days=0.9)
    assert house.state().result is None, "a whole day"
    house.passes(days=0.2)
    assert house.state().result is not None


def test_turn_waiting_on_server_is_read_before_the_match_is_lost(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, time="days=2 grace=1d", chosen="flag=loss")
    house.sweeps()
    house.passes(days=2.9)
    anna.receives()
    anna.says(legal(house))
    house.passes(days=0.5, mailbox_away=True)
    assert house.state().result is None
    house.passes(days=0.1)
    assert house.state().to_act == "black"


def test_unreachable_opponent_who_waits_gives_the_full_time(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert, days=2, chosen="flag=claim")
    house.sweeps()
    house.passes(days=2.1)
    bert.receives()
    assert bert.player is not None
    with writing(house.club) as work:
        address_fails(work, bert.player, bert.address, "no such user")
    bert.says("wait 3 days")
    house.works()
    flag_at = house.flag_at()
    assert flag_at is not None
    assert round((flag_at - house.clock.now()) / timedelta(seconds=1)) == 3 * 24 * 3600


def until_just_after_the_flag(house: House, days: float) -> None:
    """Move just past the flag fall, before any sweep."""
    house.passes(days=days - 0.00625)
    house.clock.advance(minutes=9.5)


@pytest.mark.parametrize(
    ("grace", "reason"),
    (
        ("", "has only just run out of time. I'll ask you"),
        (" grace=1d", "The grace period ends on"),
    ),
)
def test_claim_before_the_sweep_does_not_say_that_time_is_left(
    house: House, anna: Person, bert: Person, grace: str, reason: str
) -> None:
    house.match("lanko-68", anna, bert, time=f"days=3{grace}", chosen="flag=claim")
    until_just_after_the_flag(house, 3)
    bert.receives(), anna.receives()
    plays(house, bert, "claim")
    answer = plain(bert)
    assert reason in answer
    assert "still has time" not in answer
    assert "Anna has until" not in answer, "that moment is past"


@pytest.mark.parametrize(
    ("grace", "chosen", "said"),
    (
        ("", "flag=claim", "you can still move until one of the others claims the match."),
        (" grace=1d", "flag=loss", "After that, you lose the match."),
        ("", "flag=director", "You have run out of time, but you can still move."),
    ),
)
def test_turn_that_begins_out_of_time_says_so_in_one_email(
    house: House, anna: Person, bert: Person, grace: str, chosen: str, said: str
) -> None:
    house.match("lanko-68", anna, bert, time=f"total=3{grace}", chosen=chosen)
    house.sweeps()
    house.passes(days=3.05)
    plays(house, anna, legal(house))
    anna.receives()
    plays(house, bert, legal(house))
    house.passes(days=0.05)
    [turn] = anna.receives()
    text = " ".join(turn.text.split())
    assert turn.kind == "your turn"
    assert said in text
    assert "Please answer by" not in text
    house.passes(days=1.1)
    assert Kind.FLAG_FELL in told(house)
