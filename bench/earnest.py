"""PostgreSQL as clubs run it, with every commit on disk, and its processor time.

The server of the tests is in memory and loses everything in a power cut, so its figures would apply
to no club.
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
    """Run a server on the disk for temporary files."""
    programs = server_programs()
    assert programs is not None, "PostgreSQL is not installed: as root, sh tests/install-servers"
    with running(programs, SETTINGS, Path(tempfile.gettempdir())) as server:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {READER} SUPERUSER LOGIN".encode())
        yield server


def cpu_of_server(server: Postgres) -> float:
    """Return the seconds of processor time that a server has used, in all its processes."""
    first, *_ = (server.folder / "data" / "postmaster.pid").read_text().splitlines()
    return cpu_of_family(int(first))
