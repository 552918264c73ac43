"""PostgreSQL as clubs have it, on a disk and with every commit on it, and what it costs.

The server of the tests is in memory and forgets everything in a power cut; what is measured there
would be no club's.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from bench.cpu import cpu_of_family
from bench.ledger import READER
from tests.support.postgres import Postgres, running, server_programs

SETTINGS = (
    "listen_addresses=",
    "max_connections=100",
    "shared_buffers=256MB",
    "shared_preload_libraries=pg_stat_statements",
    "pg_stat_statements.track=top",
)


@contextmanager
def postgresql() -> Iterator[Postgres]:
    """A server of its own, on the disk of temporary files."""
    programs = server_programs()
    assert programs is not None, "PostgreSQL is not installed: as root, sh tests/install-servers"
    with running(programs, SETTINGS, Path(tempfile.gettempdir())) as server:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {READER} SUPERUSER LOGIN".encode())
        yield server


def cpu_of_server(server: Postgres) -> float:
    """Seconds of the processor that a server has used, in all its processes."""
    first, *_ = (server.folder / "data" / "postmaster.pid").read_text().splitlines()
    return cpu_of_family(int(first))
