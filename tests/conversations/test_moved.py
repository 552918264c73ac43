"""A running club moves from its file to PostgreSQL. Its players notice nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.cli import command_line
from pbem.cli.new_config import Answers, write_config
from pbem.ports.process import StorageUnavailable
from pbem.ports.room import PageKind
from pbem.service.records.verify import verify_all
from tests.conversations.house import House
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock


@pytest.fixture
def house(sqlite_url: str, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    """A club whose database is a file."""
    storage = SqlStorage(open_engine(sqlite_url))
    with closing(House(Fakes(clock), storage, clock, tmp_path)) as house:
        yield house
        house.club.storage.close()


def moves(house: House, url: str) -> None:
    """Move the club as a sudden end leaves it, with the newest changes in the file's log."""
    before = house.club.storage
    config = house.home / "pbem.toml"
    write_config(config, Answers(data_dir="."))
    words = ["upgrade", "--to-postgresql", url, "--config", str(config)]
    told = CliRunner().invoke(command_line(words), words)
    assert told.exit_code == 0, told.output
    house.club = replace(house.club, storage=open_storage(url))
    before.close()


def test_players_notice_nothing(house: House, postgresql_url: str) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", anna, bert)
    house.match("lancelot", bert, clara)
    before = {person.name: person.receives()[0] for person in (anna, bert, clara)}
    anna.says("[41-36]", to=before["Anna"])
    house.works()
    bert.says("[10-19]\n\nI wait in the mailbox while the club moves.", to=bert.receives()[-1])
    deadline = house.flag_at(2)

    moves(house, postgresql_url)
    house.works()

    assert house.moves(1) == ["[41-36]", "[10-19]"]
    assert house.flag_at(2) == deadline
    assert "while the club moves" in anna.receives()[-1].text
    assert [mail.kind for mail in bert.receives()] == [""], "a receipt, and nothing twice"
    assert clara.receives() == []
    dora = house.player("Dora")
    third = house.match("lanko-68", dora, clara)
    assert third.id == 3
    assert list(verify_all(house.club.storage, house.club.archive)) == []


def test_deleted_numbers_are_not_reused(house: House, postgresql_url: str) -> None:
    def marked(*, settled: bool) -> set[int]:
        with house.club.storage.writing() as uow:
            uow.stale.mark(PageKind.MATCH, [1])
            [page] = uow.stale.waiting(PageKind.MATCH, 1)
            if settled:
                uow.stale.settle([page])
            return set(page.marks)

    gone = marked(settled=True)
    moves(house, postgresql_url)
    assert marked(settled=False).isdisjoint(gone)


def test_old_file_says_where_the_club_is_and_how_to_return(
    house: House, postgresql_url: str
) -> None:
    house.player("Anna")
    house.club.storage.close()
    database = house.home / "pbem.sqlite"
    as_it_was = database.read_bytes()
    moves(house, postgresql_url)
    house.club.storage.close()
    assert database.read_bytes() == as_it_was
    with pytest.raises(StorageUnavailable, match=r"was moved to postgresql://.*To go back"):
        open_storage(f"sqlite:///{database}")
    told = (house.home / "pbem.sqlite.moved").read_text()
    assert "delete pbem.sqlite.moved" in " ".join(told.split())
    (house.home / "pbem.sqlite.moved").unlink()
    with closing(open_storage(f"sqlite:///{database}")) as back, back.reading() as uow:
        assert [player.name for player in uow.players.all()] == ["Anna"]
