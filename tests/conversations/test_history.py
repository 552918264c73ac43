"""The head in every email, and a club whose database is restored from an old copy."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.mail.outgoing.match_view import read_history_line
from pbem.ports.inbound import InboundState
from pbem.service.positions import Positions
from pbem.service.records.audit import audit
from pbem.service.records.verify import verify_all
from pbem.service.work import reading
from tests.conversations.house import House, Person, Received
from tests.conversations.post_office import Servers
from tests.fakes.clock import FakeClock


def test_every_email_of_a_match_shows_its_head_and_matches_the_archive(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    for said in ("42-36", "show", "nonsense", "42-99"):
        anna.says(said, quoting=False)
        house.works()
        anna.receives()
    bert.receives()
    bert.says("[18-19]\ndraw?", quoting=False)
    house.works()
    anna.receives()
    anna.says("no draw", quoting=False)
    house.works()
    anna.says("draw?", anna.receives()[-1], quoting=False)
    house.works()
    bert.receives()
    bert.says("I thank you\ndraw", quoting=False)
    house.works()
    assert house.state().result is not None
    for person in (anna, bert):
        person.receives()
        shown = [read_history_line(mail.text) for mail in person.read]
        assert all(line is not None and line.match_id == 1 for line in shown)
        raw = [mail.message.as_bytes() for mail in person.read]
        found = audit(raw, house.club.archive)
        assert (found.problems, found.compared) == ([], len(raw))
    lines = [read_history_line(mail.text) for mail in anna.read]
    entries = [line.entry for line in lines if line]
    assert entries[:5] == [0, 1, 1, 1, 1], "only changes to the match change its head"
    assert entries[-1] == 7, "2 moves, 2 offers, no, yes, the result"
    assert list(verify_all(house.club.storage, house.club.archive)) == []
    record = (house.home / "archive" / "match-000001-lanko-68.txt").read_text()
    assert '[Club "pbem"]' in record
    assert "  3. W  {offers a draw 2026-" in record
    assert "  3. S  {declines the draw 2026-" in record


def test_history_says_who_ran_out_of_time(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=1)
    anna.receives()
    house.passes(days=1.1)
    house.works()
    anna.says("42-36", anna.receives()[-1], quoting=False)
    house.works()
    with reading(house.club) as work:
        (fell,) = work.matches.happenings(1)
        (played,) = work.matches.recorded(1)
    assert (fell.entry, fell.kind, fell.seat, fell.turn) == (1, "flag_fell", "S", 1)
    assert fell.head != played.head == house.state().head
    assert list(verify_all(house.club.storage, house.club.archive)) == []


def test_series_and_tournaments_are_in_records_index_and_files(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.series("lanrick-1893", anna, bert, games=2)
    house.tournament("lanrick-1893", anna, bert, clara)
    for person in (anna, bert):
        person.receives()
    house.resigns(bert, match=1)
    house.resigns(bert, match=2)
    folder = house.home / "archive"
    text = (folder / "match-000001-lanrick-1893.txt").read_text()
    assert '[Series "1"]\n[SeriesMatch "1"]\n' in text
    text = (folder / "match-000002-lanrick-1893.txt").read_text()
    assert '[Tournament "2"]\n[TournamentMatch "1"]\n' in text
    index = (folder / "index.txt").read_text()
    assert ", match 1 of series 1\n" in index
    assert ", match 1 of tournament 2\n" in index
    assert "        series-000001-lanrick-1893.txt\n" in index
    assert (folder / "tournament-000002-lanrick-1893.txt").read_text().startswith("Tournament 2, ")
    series = (folder / "series-000001-lanrick-1893.txt").read_text()
    assert "1 game between Anna and Bert." in series
    assert "  1  match 1, Anna and Bert\n     Anna wins: " in series
    assert series.endswith("     being played\n")
    assert list(verify_all(house.club.storage, house.club.archive)) == []
    (folder / "series-000001-lanrick-1893.txt").write_text(series.replace("Anna wins", "Bert wins"))
    (problem,) = verify_all(house.club.storage, house.club.archive)
    assert problem.startswith("series-000001-lanrick-1893.txt differs from the database in line")


def _of(person: Person, match: int) -> Received:
    return [mail for mail in person.read if f"[pbem {match}]" in mail.message["Subject"]][-1]


# ------------------------------------------------------------- an older database is restored


class Backup:
    """A copy of the database, and the club that continues with it."""

    def __init__(self, house: House, folder: Path) -> None:
        self.house, self.folder = house, folder
        with (
            closing(sqlite3.connect(folder / "pbem.sqlite")) as now,
            closing(sqlite3.connect(folder / "backup.sqlite")) as copy,
        ):
            now.backup(copy)
        self.opened: SqlStorage | None = None

    def put_back(self) -> None:
        """Restart the club with the copy. Mailboxes keep their content."""
        shutil.copy(self.folder / "backup.sqlite", self.folder / "again.sqlite")
        self.opened = open_storage(f"sqlite:///{self.folder / 'again.sqlite'}")
        self.house.club = replace(self.house.club, storage=self.opened, positions=Positions())


@pytest.fixture(params=("", "Done"))
def played_on(
    request: pytest.FixtureRequest,
    servers: Servers,
    sqlite_storage: SqlStorage,
    clock: FakeClock,
    tmp_path: Path,
) -> Iterator[tuple[House, str]]:
    """A club restored from a backup of three moves ago, with the last head that was emailed."""
    house = House(servers, sqlite_storage, clock, tmp_path, done_folder=request.param)
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    _moves(house, anna, "42-36")
    backup = Backup(house, tmp_path)
    for person, move in ((bert, "18-19"), (anna, "6-11"), (bert, "")):
        _moves(house, person, move)
    assert house.moves()[:3] == PLAYED
    mailed = house.state().head
    backup.put_back()
    assert house.moves() == ["[42-36]"]
    house.clock.advance(hours=2)
    yield house, mailed
    house.close()
    assert backup.opened is not None
    backup.opened.close()


PLAYED = ["[42-36]", "[18-19]", "[6-11]"]


def _moves(house: House, person: Person, move: str) -> None:
    """Play a move, by default that of the example."""
    person.receives()
    example = person.latest.text.partition("for example:\n\n    ")[2].partition("\n")[0]
    person.says(move or example, quoting=False)
    house.works()


def test_later_emails_are_replayed_from_the_mailbox(
    played_on: tuple[House, str], servers: Servers
) -> None:
    """Handled emails that were moved away must be moved back. Emails marked as seen do no harm."""
    house, mailed = played_on
    with servers.hand(house.address) as client:
        if client.select("Done")[0] == "OK":
            house.works()
            assert house.moves() == ["[42-36]"], "emails in another folder are not read"
            client.select("Done")
            numbers = client.search(None, "ALL")[1][0].decode().split()
            assert len(numbers) == 4
            client.copy(",".join(numbers), "INBOX")
    house.works()
    assert house.moves()[:3] == PLAYED
    assert len(house.moves()) == 4
    assert house.inbound(InboundState.REFUSED) == []
    assert len(house.inbound(InboundState.DONE)) == 4
    assert list(verify_all(house.club.storage, house.club.archive)) == []
    assert house.state().head != mailed, (
        "each turn begins when its email is sent, which is later now"
    )
