"""A private PostgreSQL for the tests: started once per session, with a new database per test.

It listens only on a socket in its own folder, so it needs no free port and nobody else can connect.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

SUPERUSER = "postgres"
ROOM = 2**30
"""Bytes that the databases of a session may take, and more."""

SETTINGS = (
    "listen_addresses=",
    "max_connections=50",
    "shared_buffers=32MB",
    # The cluster lives as long as the tests: nothing has to survive a power cut.
    "fsync=off",
    "full_page_writes=off",
)


@dataclass(frozen=True)
class Postgres:
    """A running server, known by the folder of its socket."""

    folder: Path
    programs: Path
    settings: tuple[str, ...] = SETTINGS

    @property
    def socket(self) -> Path:
        """Return its socket."""
        return self.folder / ".s.PGSQL.5432"

    def start(self) -> None:
        """Start and wait until it listens."""
        options = " ".join(
            f"-c {each}" for each in (*self.settings, f"unix_socket_directories={self.folder}")
        )
        self._control("-l", self.folder / "log", "-o", options, "start")

    def stop(self) -> None:
        """End it with every connection, like a power cut."""
        self._control("-m", "immediate", "stop")

    def _control(self, *words: str | Path) -> None:
        data = self.folder / "data"
        _run(self.folder, self.programs / "pg_ctl", "-D", data, "-w", *words)

    def url(self, database: str) -> str:
        """Return the URL of a database, as an operator would write it."""
        return f"postgresql://{SUPERUSER}@/{database}?host={quote(str(self.folder), safe='')}"

    @contextmanager
    def database(self, template: str = "template0") -> Iterator[str]:
        """Create a database with the content of another, and drop it at the end."""
        name = f"test_{next(NUMBERS)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield name
        finally:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())


NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server. Skips if it is not installed, which fails in CI."""
    programs = server_programs()
    if programs is None:
        missing = "PostgreSQL is not installed: as root, apt-get install postgresql"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with running(programs) as server:
        yield server


def server_programs() -> Path | None:
    """Return the folder of the newest initdb, which Debian keeps off the PATH."""
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(found, key=lambda path: int(path.parts[-3]), default=None)
    elsewhere = shutil.which("initdb")
    if newest is None and elsewhere is not None:
        newest = Path(elsewhere)
    return newest.parent if newest is not None and _account() is not None else None


def _account() -> pwd.struct_passwd | None:
    """Return the account of the server: our own, but PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return None


@contextmanager
def running(
    programs: Path, settings: Sequence[str] = SETTINGS, place: Path | None = None
) -> Iterator[Postgres]:
    """Run a private server in a temporary folder, in memory unless a place is given."""
    with tempfile.TemporaryDirectory(
        prefix="pbem-pg-", dir=place or _memory(), ignore_cleanup_errors=True
    ) as scratch:
        folder = Path(scratch)
        data = folder / "data"
        _give_away(folder)
        _run(folder, programs / "initdb", "-D", data, *INITDB)
        server = Postgres(folder, programs, tuple(settings))
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _memory() -> Path | None:
    """Return a file system in memory, which creates and drops databases three times as fast."""
    shm = Path("/dev/shm")
    roomy = os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > ROOM
    return shm if roomy else None


INITDB = ("-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")


def _give_away(folder: Path) -> None:
    account = _account()
    if os.geteuid() == 0 and account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)


def _run(folder: Path, *command: str | Path) -> None:
    account = _account()
    assert account is not None
    drop = os.geteuid() == 0
    done = subprocess.run(
        command,
        cwd=folder,
        user=account.pw_uid if drop else None,
        group=account.pw_gid if drop else None,
        extra_groups=[] if drop else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # the server inherits it: a pipe would never end
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        log = folder / "log"
        pytest.fail(f"{command[0]} failed\n{log.read_text() if log.exists() else ''}")
