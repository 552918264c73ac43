"""New databases for each test: empty ones, and ones with the whole schema."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.migrate import upgrade
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.ports.storage import Storage
from tests.fakes.storage import FakeStorage
from tests.support.outside import on_servers
from tests.support.postgres import Postgres

BOTH = ("sqlite", *on_servers("postgresql"))


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/empty.sqlite"
        return
    server: Postgres = request.getfixturevalue("postgres")
    with server.database() as name:
        yield server.url(name)


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """URL of a database with the whole schema."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """URL of a database with the whole schema, on SQLite."""
    shutil.copy(sqlite_template, tmp_path / "pbem.sqlite")
    return f"sqlite:///{tmp_path}/pbem.sqlite"


@pytest.fixture
def club_folder(sqlite_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a prepared database for `pbem init`, which would take a while."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    (tmp_path / "club").mkdir(0o700)
    shutil.copy(sqlite_template, tmp_path / "club" / "pbem.sqlite")
    return tmp_path


@pytest.fixture
def postgresql_url(postgres: Postgres, postgresql_template: str) -> Iterator[str]:
    """URL of a database with the whole schema, on PostgreSQL."""
    with postgres.database(postgresql_template) as name:
        yield postgres.url(name)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database to copy, which is quicker than migrating each."""
    path = tmp_path_factory.mktemp("template") / "pbem.sqlite"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgresql_template(postgres: Postgres) -> Iterator[str]:
    """Name of a migrated database to copy."""
    with postgres.database() as name:
        _migrate(postgres.url(name))
        yield name


@pytest.fixture(params=("fake", *BOTH))
def storage(request: pytest.FixtureRequest) -> Iterator[Storage]:
    """The storages that must fulfil the contract: the fake, and one on each of the databases."""
    if request.param == "fake":
        yield FakeStorage()
        return
    with closing(SqlStorage(open_engine(request.getfixturevalue(f"{request.param}_url")))) as real:
        yield real


@pytest.fixture
def sql_storage(database_url: str) -> Iterator[SqlStorage]:
    """A storage on each of the databases."""
    with closing(SqlStorage(open_engine(database_url))) as real:
        yield real


def _migrate(url: str) -> None:
    engine = open_engine(url)
    upgrade(engine)
    engine.dispose()
