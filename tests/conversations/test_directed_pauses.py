"""Pauses by a director: of a match, a competition or the club. On fakes only, as days pass."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.matches.history import Kind
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.test_directing import legal, plain, plays, record
from tests.conversations.test_directors_mail import director, log, plain as in_line, says
from tests.conversations.test_pauses import agree, left
from tests.fakes.clock import FakeClock

DAY = timedelta(days=1)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 23, 12, tzinfo=UTC))


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara")


@pytest.fixture
def dora(house: House, anna: Person) -> Person:
    """A director. Match 1 is between others."""
    house.match("lanrick-1881", anna, house.player("Erich"))
    return director(house, "Dora")


def decides(house: House, dora: Person, line: str) -> str:
    """Return the answer to a director's line, confirming it if it needs proof."""
    answer = says(house, dora, line)
    if "did you send this?" in answer.text:
        answer = says(house, dora, "confirm")
    return in_line(answer)


def test_match_is_paused_for_a_time(house: House, dora: Person, bert: Person) -> None:
    clara = house.player("Clara")
    house.match("lanko-68", bert, clara)
    assert "Done: pause 2 14d" in decides(house, dora, "pause 2 2 weeks They travel")
    told = plain(bert)
    assert "The director has paused the match for 2 weeks." in told
    assert "Reason: They travel" in told
    assert (
        "The clocks are paused until Monday 7 December, 12:00 (UTC): the director has paused"
        in told
    )
    assert house.flag_at(2) == pytest.approx(house.clock.now() + 19 * DAY, abs=DAY / 24)
    house.passes(days=14)
    assert not bert.receives()
    house.passes(days=3)
    assert [mail.kind for mail in bert.receives()] == ["a reminder"]
    assert record(house, 2).entries[0].kind is Kind.BREAK_ORDERED


def test_pause_is_ended_early(house: House, dora: Person, bert: Person) -> None:
    clara = house.player("Clara")
    house.match("lanko-68", bert, clara)
    agree(house, bert, clara)
    house.passes(days=2)
    assert "Done: resume 2" in decides(house, dora, "resume 2 You are back, I hear")
    told = plain(clara)
    assert "has resumed the match" in told
    assert "No time counts" not in told
    assert house.flag_at(2) == pytest.approx(house.clock.now() + 5 * DAY, abs=DAY / 24)
    assert "match 2 itself is not paused" in decides(house, dora, "resume 2")
    assert [each.kind for each in record(house, 2).entries] == [Kind.BREAK_AGREED, Kind.RESUMED]


def test_second_pause_of_a_match_cannot_shorten_the_first(
    house: House, dora: Person, bert: Person
) -> None:
    house.match("lanko-68", bert, house.player("Clara"))
    decides(house, dora, "pause 2 2w")
    assert "paused for longer" in decides(house, dora, "pause 2 1w")
    decides(house, dora, "pause 2")
    assert house.flag_at(2) is None
    assert "match 2 is already paused" in decides(house, dora, "pause 2 3w")
    decides(house, dora, "resume 2")
    assert house.flag_at(2) == pytest.approx(house.clock.now() + 5 * DAY, abs=DAY / 24)


def test_paused_club_pauses_matches_that_start_meanwhile(
    house: House, dora: Person, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", bert, anna)
    house.passes(days=1)
    anna.receives()
    bert.receives()
    assert "Done: pause club" in decides(house, dora, "pause club The server moves")
    for each in (anna, bert):
        [told] = each.receives()
        assert "the director has paused all matches of the club" in in_line(told)
        assert "The reason: The server moves" in in_line(told)
    house.match("lanrick-1881", bert, anna)
    assert "The clocks are paused: the director has paused the club." in plain(bert)
    anna.receives()
    assert "club is already paused" in decides(house, dora, "pause club 2w")
    assert "the director has paused the club since 20" in decides(house, dora, "status")
    house.skips(days=30)
    assert [house.flag_at(each) for each in (1, 2, 3)] == [None, None, None]
    assert not anna.receives()
    plays(house, bert, legal(house, number=3))  # whoever's turn it is
    assert house.flag_at(3) is None
    assert "Done: resume club" in decides(house, dora, "resume club")
    assert "The clocks are running." in in_line(bert.receives()[-1])
    now = house.clock.now()
    assert house.flag_at(2) == pytest.approx(now + 4 * DAY, abs=DAY / 24)
    assert house.flag_at(3) == pytest.approx(now + 5 * DAY, abs=DAY / 24)
    assert "club is not paused" in decides(house, dora, "resume club")
    assert log(house)[0][1:] == ("resume club", "")


def test_club_is_paused_until_a_date(
    house: House, dora: Person, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", bert, anna)
    bert.receives()
    decides(house, dora, "pause club 2w")
    assert "Monday 7 December" in in_line(bert.receives()[-1])
    house.match("lanrick-1881", bert, anna)
    assert "The clocks are paused until Monday 7 December" in plain(bert)
    for match in (2, 3):
        assert house.flag_at(match) == pytest.approx(house.clock.now() + 19 * DAY, abs=DAY / 24)
    house.passes(days=1)
    decides(house, dora, "resume club")
    assert house.flag_at(3) == pytest.approx(house.clock.now() + 5 * DAY, abs=DAY / 24)
    assert "Done: pause club 14d" in decides(house, dora, "pause club 2 weeks")
    house.skips(days=15)
    assert "Done: pause club 36h" in decides(house, dora, "pause club 36h"), "the pause has ended"


def test_paused_set_pauses_the_match_that_starts_meanwhile(
    house: House, dora: Person, anna: Person, bert: Person, clara: Person
) -> None:
    house.set("lanko-68", anna, bert, clara)
    house.match("lanko-68", bert, anna)
    assert "Done: pause set 1" in decides(house, dora, "pause set 1")
    assert house.flag_at(2) is None
    assert house.flag_at(3) is not None
    told = in_line(clara.receives()[-1])
    assert "the director has paused all matches of set 1" in told
    decides(house, dora, "adjudicate 2 draw Enough of it")
    assert house.flag_at(4) is None, "it has started meanwhile"
    decides(house, dora, "resume set 1")
    assert house.flag_at(4) is not None
    assert "there is no set 7" in decides(house, dora, "pause set 7")
    assert "write the number of the set after it" in decides(house, dora, "pause set")


def test_match_is_paused_for_two_reasons(
    house: House, dora: Person, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", bert, anna)
    decides(house, dora, "pause 2")
    decides(house, dora, "pause club")
    decides(house, dora, "resume 2")
    assert house.flag_at(2) is None
    plays(house, bert, "show")
    assert "The clocks are paused: the director has paused the club." in plain(bert)
    assert "Is it the club" in decides(house, dora, "resume 2")
    decides(house, dora, "resume club")
    assert house.flag_at(2) is not None


def test_bot_plays_on_in_a_paused_club(house: House, dora: Person, bert: Person) -> None:
    [bot] = house.bots("random")
    decides(house, dora, "pause club")
    house.match("lanko-68", bert, bot)
    plays(house, bert, legal(house, number=2))
    assert len(house.moves(2)) == 2
    assert house.flag_at(2) is None


def test_players_cannot_pause_what_directors_control(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "pause club")
    assert "director" in plain(anna)
    assert house.flag_at() is not None
    assert left(house) == 5 * DAY


def test_match_starting_as_the_club_is_paused_is_paused_too(
    house: House, dora: Person, bert: Person
) -> None:
    house.match("lanko-68", bert, house.player("Clara"))
    bert.receives()
    with writing(house.club) as work:
        begun = work.match(2)
    decides(house, dora, "pause club 2w")
    with writing(house.club) as work:  # the code that started it knows of no pause
        work.matches.save_clocks([begun])
    house.passes(days=13)
    assert not house.director.receives()
    assert house.flag_at(2) == pytest.approx(house.clock.now() + 6 * DAY, abs=DAY / 24)


def test_pause_in_progress_ends_on_its_date_after_clock_rollback(
    house: House, dora: Person, bert: Person
) -> None:
    house.match("lanko-68", bert, house.player("Clara"))
    house.match("lanko-68", bert, house.player("Erwin"))
    house.passes(days=2)
    decides(house, dora, "pause club 2w")
    decides(house, dora, "pause 2 2w")
    house.passes(days=1)
    ends = house.clock.now() + 13 * DAY
    house.clock.advance(days=-4)
    house.sweeps()
    for match in (2, 3):
        assert house.flag_at(match) == pytest.approx(ends + 3 * DAY, abs=DAY / 24)
    decides(house, dora, "resume club")
    assert house.flag_at(2) == pytest.approx(ends + 3 * DAY, abs=DAY / 24)
    assert house.flag_at(3) == pytest.approx(house.clock.now() + 3 * DAY, abs=DAY / 24)
