"""A club goes back to a backup: it reads again what came since, and its players notice little."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from pbem.adapters.db import SqlStorage, file_of, open_engine, open_storage
from pbem.cli import command_line
from pbem.cli.new_config import Answers, write_config
from pbem.service.delivery.held import held
from pbem.service.records.verify import verify_all
from pbem.service.work import reading
from tests.conversations.house import House
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock

pytestmark = pytest.mark.servers


class Operator:
    """Who has the shell of a club."""

    def __init__(self, house: House, url: str) -> None:
        self.house = house
        self.url = url
        self.config = house.home / "pbem.toml"
        write_config(self.config, Answers(data_dir="."))
        text = self.config.read_text().replace('url = ""', f'url = "{url}"', 1)
        self.config.write_text(text)

    def says(self, *words: str) -> str:
        """A command, which succeeds."""
        done = CliRunner().invoke(command_line(words), [*words, "--config", str(self.config)])
        assert done.exit_code == 0, done.output
        return done.output

    def backs_up(self) -> Path:
        """A backup of now."""
        file = self.house.home / "backup.tar"
        self.says("backup", str(file))
        return file

    def loses_the_database(self) -> None:
        """The disk it was on is gone."""
        self.house.club.storage.close()
        if (path := file_of(self.url)) is not None:
            path.unlink()
            return
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")

    def restores(self, file: Path) -> str:
        """The club is back."""
        told = self.says("restore", str(file))
        self.house.club = replace(self.house.club, storage=open_storage(self.url))
        return told


@pytest.fixture
def house(database_url: str, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    """A club on each of the databases."""
    storage = SqlStorage(open_engine(database_url))
    with closing(House(Fakes(clock), storage, clock, tmp_path)) as house:
        yield house
        house.club.storage.close()


@pytest.fixture
def operator(house: House, database_url: str) -> Operator:
    return Operator(house, database_url)


def test_what_came_since_is_played_and_nobody_is_mailed_twice(
    house: House, operator: Operator
) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", anna, bert)
    house.match("lancelot", bert, clara)
    first = anna.receives()[0]
    house.sweeps()
    backup = operator.backs_up()
    anna.says("[41-36]", to=first)
    house.works()
    bert.says("[10-19]", to=bert.receives()[-1])
    house.works()
    mails = {person.name: len(person.receives()) + len(person.read) for person in house.people}
    house.clock.advance(days=2)
    left = house.flag_at(2)

    operator.loses_the_database()
    assert "every match is played again: 2" in operator.restores(backup)
    house.sweeps()

    assert house.moves(1) == ["[41-36]", "[10-19]"], "read again in the mailbox"
    assert [person.receives() for person in house.people] == [[]] * len(mails)
    assert "turn to anna@mail.example  match 1  needed" in operator.says("mail", "held")
    house.clock.advance(days=1)
    bert.says("I write while mail is held.", to=bert.read[0])
    house.sweeps()
    assert bert.receives() == []

    told = operator.says("mail", "release")
    house.sweeps()
    assert "mails that go now: 1;" in told
    (again,) = anna.receives()
    assert again.kind == "your turn"
    assert [mail.kind for mail in bert.receives()] == []
    anna.says("[36-27]", to=again)
    house.works()
    assert house.moves(1)[2:] == ["[36-27]"]
    assert left is not None
    flag = house.flag_at(2)
    assert flag is not None
    assert flag - left > 2.9 * (house.clock.now() - house.clock.now()), "nobody paid for the outage"
    with reading(house.club) as work:
        assert held(work) == []
    assert list(verify_all(house.club.storage, house.club.archive)) == []
