"""A half-dead database: its commits may be lost, and its connections may hang."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import event

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.matches.match import MatchSummary
from pbem.ports.process import StorageUnavailable
from tests.support.postgres import Postgres, running
from tests.support.relay import Relay
from tests.support.stored import new_match, people

PATIENCE_S = 30.0
ASYNCHRONOUS = ("listen_addresses=", "fsync=off", "synchronous_commit=off", "wal_writer_delay=10s")


@pytest.fixture
def forgetful(postgres: Postgres) -> Iterator[Postgres]:
    """A server that by default reports commits before they are on the disk."""
    with running(postgres.programs, ASYNCHRONOUS) as server:
        yield server


@pytest.mark.servers
def test_committed_data_outlasts_the_server(forgetful: Postgres) -> None:
    with closing(open_storage(forgetful.url("postgres"))) as storage:
        with storage.writing() as uow:
            people(uow, "Anna")
        forgetful.stop()
        forgetful.start()
        with storage.reading() as uow:
            assert [player.name for player in uow.players.all()] == ["Anna"]


def test_read_only_server_is_unavailable(postgresql_url: str) -> None:
    with closing(open_storage(postgresql_url)) as storage:
        _reads_only(postgresql_url, "on")
        with (
            pytest.raises(StorageUnavailable, match="read-only"),
            storage.writing() as uow,
        ):
            people(uow, "Anna")
        _reads_only(postgresql_url, "off")
        with storage.writing() as uow:
            people(uow, "Anna")


def _reads_only(url: str, mode: str) -> None:
    """Do as a demoted server does: end its sessions and make new ones read-only."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        name = connection.info.dbname
        connection.execute(
            f"ALTER DATABASE {name} SET default_transaction_read_only = {mode}".encode()
        )
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_locks_of_a_stalled_process_are_released(postgresql_url: str) -> None:
    engine, lines = open_engine(postgresql_url), list[int]()
    with closing(SqlStorage(engine)) as storage:
        match = new_match(storage)
        engine.dispose()

        def hurry(connection: psycopg.Connection, _record: object) -> None:
            allowed = connection.execute("SHOW idle_in_transaction_session_timeout").fetchone()
            assert allowed == ("2min",)
            connection.execute("SET idle_in_transaction_session_timeout = '10ms'")
            connection.commit()
            lines.append(connection.fileno())

        event.listen(engine, "connect", hurry)
        with pytest.raises(StorageUnavailable):
            _stands_still(storage, match, lines)
        with closing(open_storage(postgresql_url)) as other, other.writing() as uow:
            assert uow.matches.lock(match.id) == match


def _stands_still(storage: SqlStorage, match: MatchSummary, lines: list[int]) -> None:
    with storage.writing() as uow:
        uow.matches.lock(match.id)
        heard, _, _ = select.select(lines, [], [], PATIENCE_S)
        assert heard, "the server has not ended the session"
        uow.matches.get(match.id)


def test_vanished_server_is_noticed_by_keepalive(postgres: Postgres, postgresql_url: str) -> None:
    with Relay(postgres.socket) as line:
        name = psycopg.conninfo.conninfo_to_dict(postgresql_url.partition("?")[0])["dbname"]
        url = f"postgresql://postgres@127.0.0.1:{line.port}/{name}"
        engine = open_engine(url)
        with closing(SqlStorage(engine)), engine.connect() as connection:
            driver = connection.connection.driver_connection
            assert driver is not None
            with socket.socket(fileno=socket.dup(driver.fileno())) as ours:
                tcp = socket.IPPROTO_TCP
                assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
                assert ours.getsockopt(tcp, socket.TCP_KEEPIDLE) <= 10
                assert ours.getsockopt(tcp, socket.TCP_USER_TIMEOUT) <= 25_000
