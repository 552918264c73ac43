"""A director reopens matches that were decided, claimed or cancelled."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.matches.director_actions import DecisionError
from pbem.matches.history import Kind
from pbem.service.direct import orders
from pbem.service.direct.cancelling import cancel
from pbem.service.direct.decide import SHELL
from pbem.service.members.forget import forget
from pbem.service.records.audit import audit
from pbem.service.records.verify import verify_all
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.test_directing import decides, legal, plain, plays, record
from tests.conversations.test_directing_clocks import left
from tests.conversations.test_directors_mail import director, says

LANKO = "lanko-68"
WAYS = ("forfeit", "adjudicate", "draw", "void", "cancel")


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def ends(house: House, way: str) -> None:
    """End match 1 by a director's decision."""
    if way == "cancel":
        decides(house, lambda work: orders.cancellation(1, "Two are enough"))
    elif way == "forfeit":
        decides(house, lambda work: orders.forfeiture(work, 1, "Bert", "He never answers"))
    else:
        result = "Anna" if way == "adjudicate" else way
        decides(house, lambda work: orders.adjudication(1, result, "Time is up"))


def reopens(house: House, match: int = 1, reason: str = "") -> None:
    decides(house, lambda work: orders.reopening(match, reason))


@pytest.mark.parametrize("way", WAYS)
def test_reopened_match_continues_with_the_time_it_had(
    house: House, anna: Person, bert: Person, way: str
) -> None:
    house.match(LANKO, anna, bert)
    plays(house, anna, "[41-36]")
    house.passes(days=1)
    before = left(house)
    ends(house, way)
    house.passes(days=30)
    for each in (anna, bert):
        each.receives()
    reopens(house, reason="I mixed up two matches")
    assert left(house) == before
    for each in (anna, bert):
        [told] = each.receives()
        text = " ".join(told.text.split())
        assert "The director has reopened the match" in text
        assert "Reason: I mixed up two matches" in text
        assert ("your turn" in text.lower()) == (each is bert)
    plays(house, bert, "[10-19]")
    assert house.moves() == ["[41-36]", "[10-19]"]
    kinds = [entry.kind for entry in record(house).entries]
    assert kinds[-3:] == [Kind.RESULT, Kind.REOPENED, Kind.ACTION]
    ends(house, way)
    record(house)


def test_emails_around_a_reopening_agree_with_the_record(
    house: House, anna: Person, bert: Person
) -> None:
    house.match(LANKO, anna, bert)
    for way in ("void", "forfeit"):
        ends(house, way)
        reopens(house)
        plays(house, anna if way == "void" else bert, legal(house))
    ends(house, "adjudicate")
    raw = [mail for each in (anna, bert) for mail in house.post.inbox(each.address, 0)]
    found = audit(raw, house.club.archive)
    assert found.problems == []
    assert found.compared > 9


def test_record_of_a_reopened_match_leaves_archive_and_reading_room(
    house: House, anna: Person, bert: Person
) -> None:
    house.match(LANKO, anna, bert)
    ends(house, "adjudicate")
    archive = house.club.archive
    assert archive.names("match-000001")
    assert b"Anna" in (archive.read("index.txt") or b"")
    reopens(house)
    assert archive.names("match-000001") == []
    assert b"Anna" not in (archive.read("index.txt") or b"")
    assert list(verify_all(house.club.storage, archive)) == []
    ends(house, "adjudicate")
    assert len(archive.names("match-000001")) == 2


@pytest.mark.parametrize("flag", ("loss", "claim"))
def test_player_who_ran_out_of_time_gets_three_days(
    house: House, anna: Person, bert: Person, flag: str
) -> None:
    house.match(LANKO, anna, bert, chosen=f"flag={flag}")
    house.passes(days=6)
    if flag == "claim":
        bert.receives()
        bert.says("claim")
        house.works()
    result = house.state().result
    assert result is not None
    assert result.termination == "flag"
    anna.receives()
    reopens(house)
    assert left(house) == timedelta(days=3)
    told = plain(anna)
    assert "The director has reopened the match" in told
    assert "has given Anna more time for this turn: 3d" in told
    house.passes(days=4)
    record(house)
    assert (house.state().result is None) == (flag == "claim")


def test_bot_moves_in_a_reopened_match(house: House, anna: Person) -> None:
    [bot] = house.bots("random")
    house.match(LANKO, bot, anna)
    ends_with = len(house.moves())
    decides(house, lambda work: orders.adjudication(1, "void", "A slip"))
    reopens(house)
    assert len(house.moves()) == ends_with
    plays(house, anna, legal(house))
    assert len(house.moves()) == ends_with + 2
    record(house)


def test_table_of_a_series_follows_a_reopened_match(
    house: House, anna: Person, bert: Person
) -> None:
    house.series("lanrick-1881", anna, bert, 1)
    ends(house, "adjudicate")
    table = "series-000001-lanrick-1881.txt"
    assert house.club.archive.read(table)
    reopens(house)
    assert house.club.archive.read(table) is None
    assert list(verify_all(house.club.storage, house.club.archive)) == []
    ends(house, "draw")
    record(house)


def test_replayed_match_is_not_reopened(house: House, anna: Person, bert: Person) -> None:
    house.series("lanrick-1881", anna, bert, 2)
    with writing(house.club) as work:
        cancel(work, 1, "Two are enough", SHELL)
    house.works()
    with pytest.raises(DecisionError, match="match 1 is already replayed by match 2"):
        reopens(house)


def test_cancelled_match_of_a_round_is_reopened_until_it_is_replayed(house: House) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara", "Dora")]
    house.tournament("lanrick-1893", *people)
    decides(house, lambda work: orders.cancellation(1, "A slip"))
    assert len(house.matches()) == 2, "it is replayed after the round"
    reopens(house)
    place = house.state().place
    assert place is not None
    assert place.index == 1
    record(house)


def test_replay_seats_the_member_who_took_over(house: House, anna: Person, bert: Person) -> None:
    house.player("Clara")
    house.series("lanrick-1881", anna, bert, 2)
    for _ in range(2):
        decides(house, lambda work: orders.cancellation(len(house.matches()), "A slip"))
        if len(house.matches()) == 2:
            decides(house, lambda work: orders.substitution(work, 2, "Anna", "Clara", ""))
    assert list(house.names(2).values()) == ["Clara", "Bert"]
    assert list(house.names(3).values()) == ["Clara", "Bert"]
    decides(house, lambda work: orders.cancellation(3, "A slip"))
    assert list(house.names(4).values()) == ["Clara", "Bert"]
    decides(house, lambda work: orders.adjudication(4, "draw", "Enough"))
    assert sorted(house.names(5).values()) == ["Anna", "Bert"]


def test_only_decided_matches_are_reopened(house: House, anna: Person, bert: Person) -> None:
    house.match(LANKO, anna, bert)
    with pytest.raises(DecisionError, match="still being played"):
        reopens(house)
    plays(house, anna, "resign")
    anna.receives()
    anna.says("confirm")
    house.works()
    with pytest.raises(DecisionError, match="ended by the rules or by its players"):
        reopens(house)


def test_match_with_a_former_member_is_not_reopened(
    house: House, anna: Person, bert: Person
) -> None:
    house.match(LANKO, anna, bert)
    ends(house, "void")
    assert bert.player is not None
    with writing(house.club) as work:
        forget(work, bert.player)
    house.works()
    with pytest.raises(DecisionError, match="has left the club"):
        reopens(house)


def test_director_reopens_a_match_by_email(house: House, anna: Person, bert: Person) -> None:
    dora = director(house, "Dora")
    house.match(LANKO, anna, bert)
    ends(house, "void")
    answer = says(house, dora, "reopen 1 A slip of mine")
    assert "reopen 1" in answer.text
    assert house.state().result is None
    assert "Reason: A slip of mine" in plain(anna)
    answer = says(house, dora, "reopen 1")
    assert "match 1 is still being played" in " ".join(answer.text.split())
