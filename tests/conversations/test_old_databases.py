"""Clubs of earlier releases go on where they were left: mails in flight, clocks, competitions.

They do so on SQLite; on PostgreSQL migrations have to leave the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from pbem.adapters.db import open_engine, open_storage
from pbem.adapters.db.tables import Row
from pbem.cli import command_line
from pbem.matches.record import chain_problems, heads
from pbem.service.records.content import stored_record
from pbem.service.records.publish import publish_again
from pbem.service.records.verify import verify_all
from tests.conversations.house import Received, as_read
from tests.conversations.old_club import OldClub
from tests.support.old_databases import Snapshot, before, since

pytestmark = pytest.mark.thorough

OF_NOW = {"happenings.at", "happenings.head", "matches.head"}
"""When a history was begun, and the hash of that."""
WATCHED = timedelta(hours=25)
"""As long as the old release was watched going on."""


@pytest.fixture
def club(left: Snapshot, migrated_url: str, tmp_path: Path) -> Iterator[OldClub]:
    """The club, migrated."""
    with closing(open_storage(migrated_url)) as storage:
        yield OldClub(storage, tmp_path, left)


def test_every_match_stands_as_it_was_left(club: OldClub) -> None:
    assert {match.id for match in club.matches()} == set(club.left.matches)
    for number, was in club.left.matches.items():
        match, position = club.state(number), club.position(number)
        assert (match.turn, match.to_act, club.moves(number)) == (
            was["turn"],
            was["to_act"],
            was["moves"],
        )
        assert str(club.flag_at(number) or "") == was["flag_at"]
        if match.result is None:
            some = islice(match.game.legal_actions(position), len(was["legal"]))
            assert [match.game.format(position, action) for action in some] == was["legal"]
        else:
            assert was["ended"]
            assert (match.result.termination, list(match.result.winners)) == (
                was["termination"],
                was["winners"],
            )


def test_postgresql_has_the_same_rows_and_goes_on(
    club: OldClub, migrated_url: str, migrated_postgresql_url: str, tmp_path: Path
) -> None:
    home = tmp_path / "on postgresql"
    home.mkdir()
    with closing(open_storage(migrated_postgresql_url)) as storage:
        other = OldClub(storage, home, club.left)
        assert rows_of(migrated_postgresql_url) == rows_of(migrated_url)
        for each in (club, other):
            each.works()
            each.reads(club.left.held("late"))
        moves = [[each.moves(number) for number in club.left.matches] for each in (club, other)]
        assert moves[0] == moves[1]
        with storage.reading() as uow:
            for match in uow.matches.all():
                assert not list(chain_problems(stored_record(uow, match)))


def rows_of(url: str) -> dict[str, list[tuple[object, ...]]]:
    """What a database holds, by table, but for what hangs on the moment of its migration."""
    engine, found = open_engine(url), {}
    with engine.connect() as connection:
        for table in Row.metadata.sorted_tables:
            columns = [each for each in table.c if str(each) not in OF_NOW]
            rows = map(tuple, connection.execute(select(*columns)))
            found[table.name] = sorted(rows, key=repr)
    engine.dispose()
    return found


def test_mail_that_was_recorded_and_not_read_is_played(club: OldClub) -> None:
    new = club.left.held("new")
    moves = club.moves(new.match)
    club.works()
    assert club.moves(new.match) == [*moves, *new.plays.split()]
    turns = [mail.kind for mail in club.to_act(new.match).receives_of(new.match)]
    assert turns == ["your turn"]
    club.works()
    assert club.moves(new.match) == [*moves, *new.plays.split()]


@pytest.mark.parametrize("name", ("late", "unmarked", "confirm"))
def test_an_answer_to_a_mail_sent_before_counts(club: OldClub, name: str) -> None:
    """A turn that quotes it, one that quotes it without marks, and `confirm` for what is parked."""
    held = club.left.held(name)
    moves = club.moves(held.match)
    club.reads(held)
    assert club.moves(held.match) == [*moves, *held.plays.split()]
    assert club.to_act(held.match).receives_of(held.match)[-1].kind == "your turn"


def test_what_waited_goes_out_as_it_was_written(club: OldClub) -> None:
    """Claimed by a worker that is no more, put off by the server, or not tried yet."""
    waiting = [row for row in club.left.rows("outbox") if row["closed_at"] is None]
    assert {row["attempts"] for row in waiting} == {0, 1}
    ids = {row["message_id"] for row in waiting}
    sent = {
        str(as_read(each.raw).message["Message-ID"]): each
        for _, each in club.goes_on(timedelta(minutes=10))
    }
    assert ids <= sent.keys()
    for row in waiting:
        mail = sent[row["message_id"]]
        assert mail.recipient == row["recipient"]
        was, now = as_read(row["raw"].encode()), as_read(mail.raw)
        assert now.text == was.text
        assert now.html == was.html
        assert fields(now) == fields(was)


def fields(mail: Received) -> list[tuple[str, str]]:
    """What its header says; the order of the fields, and a boundary, nobody reads."""
    return sorted((name, value) for name, value in mail.message.items() if name != "Content-Type")


def test_reminders_and_flags_come_when_they_would_have_come(club: OldClub) -> None:
    sent = [
        (
            round((at - club.left.now) / timedelta(minutes=1)),
            each.recipient,
            as_read(each.raw).kind,
            str(as_read(each.raw).message["Subject"]),
        )
        for at, each in club.goes_on(WATCHED)
    ]
    assert sorted(sent) == sorted(club.left.sent_next)


def test_old_records_verify_without_their_club(left: Snapshot, tmp_path: Path) -> None:
    for name, record in left.archive.items():
        (tmp_path / name).write_text(record)
    done = CliRunner().invoke(command_line(["archive"]), ["archive", "verify", str(tmp_path)])
    assert done.exit_code == 0, done.output


def test_the_archive_can_be_written_anew(club: OldClub) -> None:
    club.works()
    storage, archive = club.club.storage, club.club.archive
    assert len(club.records()) == 6, "the one that was to be written next is there"
    publish_again(storage, archive, club.clock)
    assert list(verify_all(storage, archive)) == []


@pytest.mark.parametrize("left", since("0005"), indirect=True)
def test_chained_records_are_the_same_to_the_byte(club: OldClub) -> None:
    club.works()
    assert list(verify_all(club.club.storage, club.club.archive)) == []
    for path in club.records():
        path.unlink()
    publish_again(club.club.storage, club.club.archive, club.clock)
    for name, record in {**club.left.archive, **club.left.archived_next}.items():
        assert (club.home / "archive" / name).read_text() == record


@pytest.mark.parametrize("left", before("0005"), indirect=True)
def test_matches_without_a_history_get_one(club: OldClub) -> None:
    with club.club.storage.reading() as uow:
        offered, over = (uow.matches.happenings(number) for number in (8, 1))
        assert [(each.kind, each.seat) for each in offered] == [
            ("draw_offered", "black"),
            ("chained", ""),
        ]
        assert [each.kind for each in over] == ["resigned", "resigned", "chained"]
        for match in uow.matches.all():
            assert not list(chain_problems(stored_record(uow, match)))
            assert match.head == heads(stored_record(uow, match))[-1]


def test_competitions_go_on(club: OldClub) -> None:
    """The set has its third match, the series its third game, the round robin its second round."""
    club.works()
    for number in (2, 4, 5):
        before = {match.id for match in club.matches()}
        club.ends(number)
        [begun] = {match.id for match in club.matches()} - before
        assert club.to_act(begun).receives_of(begun)[-1].kind == "your turn"


def test_an_open_offer_can_be_accepted(club: OldClub) -> None:
    person = club.to_act(8)
    person.says("draw", person.newest_of(8))
    club.works()
    result = club.state(8).result
    assert result is not None
    assert (result.termination, result.winners) == ("draw", ())


def test_who_has_resigned_need_not_do_so_again(club: OldClub) -> None:
    """A side of two resigns when both have."""
    resigned = club.left.held("resigned")
    partner = club.to_act(resigned.match)
    assert partner.name != resigned.player
    partner.says("resign", partner.newest_of(resigned.match))
    club.works()
    result = club.state(resigned.match).result
    assert result is not None
    assert result.termination == "resignation"


def test_a_bot_answers(club: OldClub) -> None:
    emil, [move] = club.members["Emil"], club.left.matches[13]["legal"][:1]
    emil.says(move, emil.newest_of(13))
    club.works()
    assert len(club.moves(13)) == 2
    assert emil.receives_of(13)[-1].kind == "your turn"


@pytest.mark.parametrize("left", since("0003"), indirect=True)
def test_a_mail_sent_before_that_comes_back_goes_to_the_next_address(club: OldClub) -> None:
    bounce = club.left.held("bounce")
    club.reads(bounce)
    [again] = [each for each in club.outgoing.sent if each.recipient == "emil@second.example"]
    was, now = club.members["Emil"].newest_of(13), as_read(again.raw)
    assert (now.text, now.html, now.reply_to) == (was.text, was.html, was.reply_to)


@pytest.mark.parametrize("left", since("0003"), indirect=True)
def test_what_everybody_has_seen_proves_nothing(club: OldClub) -> None:
    exposed = club.left.held("exposed")
    person = club.reads(exposed)
    assert club.state(exposed.match).result is None
    assert person.receives_of(exposed.match)[-1].kind == "did you send this?"


@pytest.mark.parametrize("left", since("0003"), indirect=True)
def test_a_paused_clock_goes_on_when_its_player_writes(club: OldClub) -> None:
    flags = [row for row in club.left.rows("deadlines") if row.get("stopped_at")]
    left_over = max(_moment(row["due_at"]) - _moment(row["stopped_at"]) for row in flags)
    fritz = club.members["Fritz"]
    fritz.says("show", fritz.newest_of(10))
    club.works()
    flag_at = club.flag_at(10)
    assert flag_at is not None
    assert abs(flag_at - club.left.now - left_over) < timedelta(seconds=1)


def _moment(stored: str) -> datetime:
    return datetime.fromisoformat(stored)
