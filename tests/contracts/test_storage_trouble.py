"""A database that is unavailable: told apart from a program error, and survived."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.ports.process import StorageUnavailable
from tests.support.stored import new_match, people


@pytest.fixture
def impatient(database_url: str) -> Iterator[SqlStorage]:
    """A storage that hardly waits for locks."""

    def hurry(connection: Any, _record: object) -> None:
        sqlite = database_url.startswith("sqlite")
        connection.cursor().execute(
            "PRAGMA busy_timeout = 0" if sqlite else "SET lock_timeout = '1ms'"
        )
        connection.commit()

    engine = open_engine(database_url)
    event.listen(engine, "connect", hurry)
    with closing(SqlStorage(engine)) as storage:
        yield storage


def test_lock_timeout_makes_storage_unavailable(
    sql_storage: SqlStorage, impatient: SqlStorage
) -> None:
    match = new_match(sql_storage)
    with sql_storage.writing() as uow:
        uow.matches.lock(match.id)
        with (
            pytest.raises(StorageUnavailable, match="lock"),
            impatient.writing() as other,
        ):
            other.matches.lock(match.id)
    with impatient.writing() as other:
        assert other.matches.lock(match.id) == match


def test_broken_connection_makes_storage_unavailable(postgresql_url: str) -> None:
    with closing(open_storage(postgresql_url)) as storage:
        with pytest.raises(StorageUnavailable):
            _write_and_break(storage, postgresql_url)
        with storage.reading() as uow:
            assert uow.players.all() == []


def _write_and_break(storage: SqlStorage, url: str) -> None:
    with storage.writing() as uow:
        people(uow, "Anna")
        _break_connections(url)
        people(uow, "Bob")


def test_connections_broken_while_idle_are_replaced(postgresql_url: str) -> None:
    with closing(open_storage(postgresql_url)) as storage:
        with storage.writing() as uow:
            people(uow, "Anna")
        _break_connections(postgresql_url)
        with storage.reading() as uow:
            assert len(uow.players.all()) == 1


def _break_connections(url: str) -> None:
    engine = open_engine(url)
    with engine.connect() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "told"),
    (
        ("", "the form sqlite:///PATH"),
        ("pbem.sqlite", "the form sqlite:///PATH"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:////nowhere/at/all/pbem.sqlite", "the folder of the database"),
        ("mysql://club@db.example/pbem", "not mysql://"),
        ("postgresql+psycopg2://club@db.example/pbem", "not postgresql"),
        ("postgresql://club@/pbem?host=/nowhere", "cannot be used now"),
    ),
)
def test_unusable_database_is_reported(url: str, told: str) -> None:
    with pytest.raises(StorageUnavailable, match=told):
        open_storage(url)


def test_unreachable_database_is_explained_in_one_line() -> None:
    with pytest.raises(StorageUnavailable, match=r"refused|No such file") as away:
        open_storage("postgresql://club@/pbem?host=/nowhere")
    assert len(str(away.value).splitlines()) == 1


def test_other_file_is_not_a_database(tmp_path: Path) -> None:
    (tmp_path / "pbem.sqlite").write_text("Dear Anna,\n" * 100)
    with pytest.raises(StorageUnavailable, match="not a database"):
        open_storage(f"sqlite:///{tmp_path}/pbem.sqlite")


def test_error_does_not_contain_stored_values(database_url: str) -> None:
    engine = open_engine(database_url)
    with engine.connect() as connection, pytest.raises(DBAPIError) as raised:
        connection.execute(text("SELECT 1 FROM nowhere WHERE mail = :raw"), {"raw": "canary"})
    engine.dispose()
    assert "nowhere" in str(raised.value)
    assert "canary" not in str(raised.value)


def test_error_does_not_contain_the_password() -> None:
    with pytest.raises(StorageUnavailable) as raised:
        open_storage("postgresql://club:secret@localhost:0x/pbem")
    assert "secret" not in str(raised.value)
