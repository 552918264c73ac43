"""Test a club of an older pbem: every command refuses it until `pbem upgrade` has upgraded it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command
from sqlalchemy import Engine, event
from typer.testing import CliRunner, Result

from pbem.adapters.db.engine import open_engine, writers
from pbem.adapters.db.migrate import config
from pbem.adapters.db.schema import schema_at
from pbem.adapters.db.unit_of_work import open_storage
from pbem.adapters.folder_lock import FolderLock
from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from pbem.run.bootstrap.schema_wait import schema_of_club
from pbem.run.config import load_config
from tests.support.databases import BOTH
from tests.support.next_version import NEXT, ROOT, Program, head, install_next
from tests.support.postgres import Postgres
from tests.support.stored import new_match

OLD = "0031"


def run(*words: str) -> Result:
    """Run a command in the club's folder."""
    return CliRunner().invoke(command_line(words), words)


def told(result: Result) -> str:
    """Return a command's output without line breaks."""
    return " ".join(result.output.split())


@pytest.fixture(params=BOTH)
def old_url(
    request: pytest.FixtureRequest, club_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Return the database of a club as an earlier release left it, configured by pbem.toml."""
    assert run("init", "--defaults").exit_code == 0
    if request.param == "sqlite":
        yield _as_before(f"sqlite:///{club_folder / 'club/pbem.sqlite'}")
        return
    server: Postgres = request.getfixturevalue("postgres")
    with server.database() as name:
        monkeypatch.setenv("PBEM_DATABASE__URL", server.url(name))
        yield _as_before(server.url(name))


def _as_before(url: str) -> str:
    """Create a club with a match, in an older schema."""
    with closing(open_storage(url)) as storage:
        new_match(storage)
    engine = open_engine(url)
    with writers(engine).begin() as connection:
        command.downgrade(config(connection), OLD)
    engine.dispose()
    return url


@pytest.mark.thorough
def test_older_club_is_upgraded_only_by_upgrade(old_url: str) -> None:
    refused = run("member", "add", "Zoe", "zoe@x.example")
    assert refused.exit_code == ExitStatus.SCHEMA, refused.output
    assert f"{OLD} of an older version of pbem" in told(refused)
    assert "Upgrade it with pbem upgrade" in told(refused)
    assert "BAD database: the database has the schema 0031 of an older" in told(run("doctor"))

    check = run("upgrade", "--check")
    assert check.exit_code == ExitStatus.TO_BE_DONE, check.output
    assert f"from schema {OLD} to {head()}:" in check.output
    assert "Create the queue of jobs" in told(check)
    assert "changes players: " in check.output
    assert schema_at(old_url).found == OLD, "a check changes nothing"

    assert "no backup is known; pbem upgrade makes one first" in check.output

    done = run("upgrade")
    assert done.exit_code == 0, done.output
    assert f"pbem restore {Path('club/before-0031.tar').absolute()}" in told(done)
    assert run("upgrade", "--check").exit_code == 0
    assert run("match", "list").exit_code == 0


@pytest.mark.thorough
def test_upgrade_names_running_processes_and_does_nothing(old_url: str) -> None:
    with FolderLock(schema_lock()) if old_url.startswith("sqlite") else _worker(old_url):
        assert "at work: " in run("upgrade", "--check").output
        refused = run("upgrade")
        assert refused.exit_code in (ExitStatus.LATER, ExitStatus.REFUSED)
        assert "process" in told(refused) or "pbem worker 4711 at two" in told(refused)
        assert schema_at(old_url).found == OLD
        assert run("upgrade", "--while-others-work", "--no-backup").exit_code == 0


def schema_lock() -> Path:
    """Return the lock that a process serving a club on SQLite holds."""
    config = load_config(Path("pbem.toml"))
    assert schema_of_club(config).found == OLD
    return config.club.data_dir / "serve.lock"


def _worker(url: str) -> Any:
    return psycopg.connect(url, application_name="pbem worker 4711 at two")


@pytest.mark.servers
@pytest.mark.parametrize("old_url", ("postgresql",), indirect=True)
def test_upgrade_names_the_session_that_blocks_it_and_changes_nothing(old_url: str) -> None:
    def hurry(connection: Any, _record: object) -> None:
        if isinstance(connection, psycopg.Connection):
            connection.execute("SET lock_timeout = '1ms'")
            connection.commit()

    event.listen(Engine, "connect", hurry)
    try:
        with psycopg.connect(old_url, application_name="psql") as somebody:
            somebody.execute("SELECT FROM alembic_version")
            failed = run("upgrade", "--no-backup")
    finally:
        event.remove(Engine, "connect", hurry)
    assert failed.exit_code == ExitStatus.LATER
    assert "busy now: psql (process" in told(failed)
    assert "Nothing was changed" in told(failed)
    assert schema_at(old_url).found == OLD


@pytest.mark.servers
@pytest.mark.parametrize("old_url", ("sqlite",), indirect=True)
def test_embedded_club_upgrades_itself(old_url: str) -> None:
    config = Path("pbem.toml").absolute()
    with Program(ROOT, config).running("serve", "--embedded") as service:
        service.says("serving")
        assert service.ended() == 0
    assert schema_at(old_url).is_current


@pytest.mark.servers
def test_failed_upgrade_reports_that_nothing_changed(club_folder: Path, tmp_path: Path) -> None:
    assert run("init", "--defaults").exit_code == 0
    assert run("member", "add", "Crash", "crash@example.org").exit_code == 0
    new = Program(install_next(tmp_path / "site"), club_folder / "pbem.toml")
    failed = new.run("upgrade")
    assert failed.returncode == ExitStatus.REFUSED
    assert "RuntimeError" in failed.stdout
    assert f"the database is unchanged: schema {head()}" in " ".join(failed.stdout.split())
    assert "Crash" in run("member", "list").output
    with closing(open_engine(f"sqlite:///{club_folder}/club/pbem.sqlite").raw_connection()) as raw:
        raw.cursor().execute(f"UPDATE alembic_version SET version_num = '{NEXT}'")
    assert run("upgrade").exit_code == ExitStatus.SCHEMA
    assert "of a newer version of pbem" in told(run("match", "list"))
