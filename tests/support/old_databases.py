"""Databases as earlier releases left them; tests/data/databases/README.md tells of each."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from alembic import command
from sqlalchemy import JSON, DateTime, Engine, LargeBinary, MetaData, Table, insert, text

from pbem.adapters.db import open_engine, upgrade
from pbem.adapters.db.engine import writers
from pbem.adapters.db.migrate import config
from tests.support.postgres import Postgres

FOLDER = Path(__file__).parents[1] / "data" / "databases"
REVISIONS = tuple(sorted(path.name.partition(".")[0] for path in FOLDER.glob("*.json.gz")))


def since(revision: str) -> list[str]:
    """Schemas with what came with a revision."""
    return [each for each in REVISIONS if each >= revision]


def before(revision: str) -> list[str]:
    """Schemas without it."""
    return [each for each in REVISIONS if each < revision]


class Held(NamedTuple):
    """A mail that was written before the migration and is read after it."""

    match: int
    player: str
    plays: str
    """What it makes its player do, if it is a turn."""
    recipient: str
    """Empty: it is in the database already."""
    raw: bytes


@dataclass(frozen=True)
class Snapshot:
    """What an earlier release left behind, and what it knew of it."""

    data: Mapping[str, Any]

    @property
    def now(self) -> datetime:
        """When it was left."""
        return datetime.fromisoformat(self.data["now"])

    @property
    def revision(self) -> str:
        """Revision of its schema."""
        return str(self.data["revision"])

    @property
    def matches(self) -> dict[int, Any]:
        """Every match as that release saw it."""
        return {int(number): match for number, match in self.data["told"]["matches"].items()}

    @property
    def sent_next(self) -> list[tuple[int, str, str, str]]:
        """What it would have sent next: after how many minutes, to whom, from whom, subject."""
        return [tuple(each) for each in self.data["told"]["sent"]]

    @property
    def archive(self) -> dict[str, str]:
        """Files of its archive."""
        return dict(self.data["archive"])

    @property
    def archived_next(self) -> dict[str, str]:
        """Files it would have written next."""
        return dict(self.data["told"]["archived"])

    def rows(self, table: str) -> list[dict[str, Any]]:
        """What stands in a table."""
        return list(self.data["tables"].get(table, ()))

    def held(self, name: str) -> Held:
        """One of the mails to be read after the migration."""
        told = self.data["told"][name]
        mail = told.get("mail", {"recipient": "", "raw": ""})
        raw = mail["raw"].encode()
        return Held(told["match"], told["player"], told.get("plays", ""), mail["recipient"], raw)

    def __str__(self) -> str:
        return self.revision


@cache
def snapshot(revision: str) -> Snapshot:
    """What a release with this schema left."""
    return Snapshot(json.loads(gzip.decompress((FOLDER / f"{revision}.json.gz").read_bytes())))


def restore(engine: Engine, found: Snapshot) -> None:
    """Makes a database as it was left, without a look at the tables of today."""
    with writers(engine).begin() as connection:
        command.upgrade(config(connection), found.revision)
        schema = MetaData()
        schema.reflect(connection)
        for table in schema.sorted_tables:
            if rows := found.rows(table.name):
                connection.execute(insert(table), [_row(table, row) for row in rows])
                if connection.dialect.name == "postgresql" and "id" in table.c:
                    of_ids = f"pg_get_serial_sequence('{table.name}', 'id')"
                    connection.execute(text(f"SELECT setval({of_ids}, max(id)) FROM {table.name}"))


def _row(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    for name in row:
        if isinstance(table.c[name].type, JSON):
            table.c[name].type = JSON(none_as_null=True)
    return {name: _value(table.c[name].type, value) for name, value in row.items()}


def _value(kind: object, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(kind, DateTime):
        moment = datetime.fromisoformat(value)
        return moment if kind.timezone else moment.astimezone(UTC).replace(tzinfo=None)
    return value.encode() if isinstance(kind, LargeBinary) else value


@pytest.fixture(params=REVISIONS)
def left(request: pytest.FixtureRequest) -> Snapshot:
    """What each of the earlier releases left."""
    return snapshot(request.param)


@pytest.fixture
def migrated_url(left: Snapshot, migrated_files: MigratedFiles, tmp_path: Path) -> str:
    """URL of a copy of its database on SQLite, migrated."""
    shutil.copy(migrated_files.of(left), tmp_path / "pbem.sqlite")
    return f"sqlite:///{tmp_path}/pbem.sqlite"


@pytest.fixture
def migrated_postgresql_url(left: Snapshot, postgres: Postgres) -> Iterator[str]:
    """URL of the same on PostgreSQL."""
    with postgres.database() as name:
        _migrate(postgres.url(name), left)
        yield postgres.url(name)


@dataclass(frozen=True)
class MigratedFiles:
    """Old databases on SQLite that have been migrated, to copy."""

    folder: Path

    def of(self, left: Snapshot) -> Path:
        """The one of a release."""
        path = self.folder / f"{left.revision}.sqlite"
        if not path.exists():
            _migrate(f"sqlite:///{path}", left)
        return path


@pytest.fixture(scope="session")
def migrated_files(tmp_path_factory: pytest.TempPathFactory) -> MigratedFiles:
    """Each is migrated once a session."""
    return MigratedFiles(tmp_path_factory.mktemp("old"))


def _migrate(url: str, found: Snapshot) -> None:
    engine = open_engine(url)
    restore(engine, found)
    upgrade(engine)
    engine.dispose()
