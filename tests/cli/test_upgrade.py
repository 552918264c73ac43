"""Test `pbem upgrade --to-postgresql`: refusals, sudden interruptions and results."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine, event
from typer.testing import CliRunner, Result

from pbem.adapters.db.move import moving
from pbem.adapters.db.unit_of_work import open_storage
from pbem.adapters.folder_lock import FolderLock
from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from pbem.ports.process import StorageUnavailable
from pbem.ports.storage import Storage
from pbem.run.config import load_config
from tests.support.postgres import Postgres
from tests.support.stored import new_match

ROOT = Path(__file__).parents[2]


def run(*words: str) -> Result:
    """Run a command in the club's folder."""
    return CliRunner().invoke(command_line(words), words)


def moved(url: str, *more: str) -> Result:
    return run("upgrade", "--to-postgresql", url, *more)


@pytest.fixture
def club(club_folder: Path) -> Path:
    """Return the folder of a club with a match, configured by pbem.toml."""
    assert run("init", "--defaults").exit_code == 0
    with closing(open_storage(f"sqlite:///{club_folder}/club/pbem.sqlite")) as storage:
        new_match(storage)
    return club_folder


def is_here(club: Path) -> bool:
    """Return whether the club can still be served from its file."""
    return run("match", "show", "1").exit_code == 0 and not list(club.glob("club/*.moved"))


def test_move_writes_the_new_database_into_the_configuration(
    club: Path, postgresql_url: str
) -> None:
    before = Path("pbem.toml").read_text().splitlines()
    told = moved(postgresql_url, "--write-config")
    assert told.exit_code == 0, told.output
    after = Path("pbem.toml").read_text().splitlines()
    assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]] == [
        ('# url = ""', f'url = "{postgresql_url}"'),
        ('# engine = "ticker"', 'engine = "procrastinate"'),
    ]
    config = load_config(Path("pbem.toml"))
    assert (config.database_url, config.has_queue) == (postgresql_url, True)
    assert "Anna" in run("member", "list").output
    examined = run("doctor").output
    assert "is not on this machine; another machine writes it" in examined
    assert "ok   database: postgresql://" in examined
    again = moved(postgresql_url)
    assert again.exit_code == ExitStatus.CONFIGURATION
    assert "url in [database] names a server" in again.output


@pytest.mark.parametrize(
    ("words", "told"),
    (
        (("--check", "--to-postgresql", "postgresql://x"), "Leave it out to move the club"),
        (("--write-config",), "needs --to-postgresql"),
    ),
)
def test_check_and_incomplete_options_move_nothing(
    club: Path, words: tuple[str, ...], told: str
) -> None:
    refused = run("upgrade", *words)
    assert refused.exit_code == ExitStatus.REFUSED
    assert told in refused.stderr
    assert is_here(club)


def test_changed_lines_are_shown_without_the_password(club: Path, postgresql_url: str) -> None:
    secret = postgresql_url.replace("postgres@", "postgres:open%20sesame@")
    words = ["upgrade", "--to-postgresql", "-"]
    told = CliRunner().invoke(command_line(words), words, input=f"{secret}\n")
    assert told.exit_code == 0, told.output
    assert "url = " in told.output
    everything = told.output + Path("club/pbem.sqlite.moved").read_text()
    assert "sesame" not in everything
    assert "served" not in everything


@pytest.mark.parametrize(
    ("after", "what"), (("COMMIT", "already there, and the same"), ("LOCK", "copied and compared"))
)
def test_killed_move_can_be_repeated(
    club: Path, postgresql_url: str, after: str, what: str
) -> None:
    dying = "tests.support.dying_move"
    words = [sys.executable, "-m", dying, after, "upgrade", "--to-postgresql", postgresql_url]
    died = subprocess.run(words, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert "its move was interrupted" in " ".join(run("match", "list").output.split())
    told = moved(postgresql_url)
    assert told.exit_code == 0, told.output
    assert what in told.output


def test_long_move_is_not_ended_by_a_timeout(club: Path, postgresql_url: str) -> None:
    limits: list[str] = []

    def locked(_connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("LOCK"):
            shown = cursor.connection.execute("SHOW idle_in_transaction_session_timeout")
            limits.extend(shown.fetchone())

    event.listen(Engine, "after_cursor_execute", locked)
    try:
        assert moved(postgresql_url).exit_code == 0
    finally:
        event.remove(Engine, "after_cursor_execute", locked)
    assert limits == ["0"]


def _other_club(url: str) -> None:
    with closing(open_storage(url)) as storage, storage.writing() as uow:
        uow.players.add("Dora", ["dora@example.org"])


def _other_tables(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE alembic_version")


@pytest.mark.parametrize(
    ("spoiled", "told"),
    (
        (_other_club, "is not empty, and contains something other than this club"),
        (_other_tables, "is not empty: it has a table"),
    ),
)
def test_move_leaves_nonempty_database_alone(
    club: Path, postgresql_url: str, spoiled: Callable[[str], None], told: str
) -> None:
    spoiled(postgresql_url)
    refused = moved(postgresql_url)
    assert refused.exit_code == ExitStatus.LATER
    assert told in " ".join(refused.output.split())
    assert is_here(club)


@pytest.mark.parametrize(
    ("url", "told"),
    (
        ("sqlite:///other.sqlite", "is not a PostgreSQL database"),
        ("postgresql://club:sesame@127.0.0.1:1/pbem", "cannot be used now"),
        ("nonsense", "must have the form"),
    ),
)
def test_unusable_server_is_reported(club: Path, url: str, told: str) -> None:
    refused = moved(url)
    assert refused.exit_code == ExitStatus.LATER
    assert told in " ".join(refused.output.split())
    assert "sesame" not in refused.output
    assert is_here(club)


def test_missing_permission_to_create_tables_is_reported(
    club: Path, postgres: Postgres, postgresql_url: str
) -> None:
    with postgres.database() as name:
        with psycopg.connect(postgres.url(name), autocommit=True) as connection:
            connection.execute("DROP ROLE IF EXISTS guest")
            connection.execute("CREATE ROLE guest LOGIN")
        refused = moved(postgres.url(name).replace("postgres@", "guest@"))
    assert refused.exit_code == ExitStatus.LATER
    assert "permission denied" in refused.output
    assert is_here(club)


def test_server_with_another_encoding_is_refused(club: Path, postgres: Postgres) -> None:
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS spoils")
        connection.execute(
            "CREATE DATABASE spoils ENCODING SQL_ASCII LOCALE 'C' TEMPLATE template0"
        )
    refused = moved(postgres.url("spoils"))
    assert refused.exit_code == ExitStatus.LATER
    assert "stores text as SQL_ASCII, not UTF8" in refused.output
    assert is_here(club)


def test_served_club_does_not_move(club: Path, postgresql_url: str) -> None:
    with FolderLock(Path("club/serve.lock")):
        refused = moved(postgresql_url)
    assert refused.exit_code == ExitStatus.LATER
    assert "is already being served" in refused.output
    assert is_here(club)


def test_club_that_changes_meanwhile_does_not_move(club: Path, postgresql_url: str) -> None:
    database = club / "club" / "pbem.sqlite"

    def move_with(somebody: Storage) -> None:
        with moving(database, postgresql_url) as move:
            move.carry(lambda *_: None)
            with somebody.writing() as uow:
                uow.players.add("Dora", ["dora@example.org"])

    with (
        closing(open_storage(f"sqlite:///{database}")) as somebody,
        pytest.raises(StorageUnavailable, match="the club changed"),
    ):
        move_with(somebody)
    assert "Dora" in run("member", "list").output
    with closing(open_storage(postgresql_url)) as there, there.reading() as uow:
        assert uow.players.all() == []
    assert is_here(club)
