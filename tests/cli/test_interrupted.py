"""Test Ctrl-C during long commands: the club is as before, or the command finishes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from typer.testing import CliRunner

from pbem.adapters.db.engine import open_engine, writers
from pbem.adapters.db.migrate import config
from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from pbem.matches.player_actions import resign
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.play.change import apply
from pbem.service.records.publish import publish_all
from pbem.service.work import writing
from tests.support.postgres import Postgres

ROOT = Path(__file__).parents[2]
LATE = "pbem: too late to stop, the command is about to finish\n"
BESIDE = ("-wal", "-shm", ".lock")
"""Suffixes of files that an open database or a running command has beside it."""

pytestmark = pytest.mark.servers


def says(*words: str) -> str:
    """Run a command that succeeds, and return its output."""
    done = CliRunner().invoke(command_line(words), words)
    assert done.exit_code == 0, done.output
    return done.output


def interrupted(deed: str, *words: str) -> tuple[int, str]:
    """Interrupt a command before an action. Return its status and what it said about it."""
    called = [sys.executable, "-m", "tests.support.interrupted_process", deed, *words]
    done = subprocess.run(called, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    return done.returncode, done.stderr


def files(folder: Path) -> dict[Path, bytes]:
    """Return the content of all files except logs and locks."""
    found = (path for path in folder.glob("**/*") if path.is_file())
    return {path: path.read_bytes() for path in found if not path.name.endswith(BESIDE)}


def make_club() -> None:
    """Make the club in the current folder."""
    says("init", "--defaults")
    for name in ("Anna", "Bert"):
        says("member", "add", name, f"{name.lower()}@mail.example")
    says("match", "new", "lanrick-1893", "Anna", "Bert")
    club = build_club(load_config(Path("pbem.toml")))
    with closing(club.storage):
        with writing(club) as work:
            match = work.lock_match(1)
            apply(work, match, resign(match, 1, work.now), work.now)
        assert publish_all(club.storage, club.archive, club.clock) == [1]


@pytest.fixture(scope="module")
def template(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a club with an ended match and its archive."""
    folder = tmp_path_factory.mktemp("template")
    (folder / "club").mkdir(0o700)
    shutil.copy(sqlite_template, folder / "club" / "pbem.sqlite")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.delenv("PBEM_CONFIG", raising=False)
        make_club()
    return folder


@pytest.fixture
def club(template: Path, club_folder: Path) -> Path:
    """Return the folder of a copy of that club."""
    shutil.copytree(template, club_folder, dirs_exist_ok=True)
    return club_folder


def nothing(_club: Path) -> None:
    """Keep the club."""


def lose(club: Path) -> None:
    """Back the club up, and move everything except the backup away."""
    says("backup", "backup.tar")
    shutil.move(club / "club", club / "lost")
    (club / "pbem.toml").rename(club / "lost.toml")
    (club / "club").mkdir(0o700)


def lose_database(club: Path) -> None:
    """Move the club's files away, and make an empty database."""
    shutil.move(club / "club", club / "lost")
    (club / "club").mkdir(0o700)
    says("member", "list")


def age(_club: Path) -> None:
    """Give the database an older schema."""
    engine = open_engine(load_config(Path("pbem.toml")).database_url)
    with writers(engine).begin() as connection:
        command.downgrade(config(connection), "0031")
    engine.dispose()


ARCHIVE = "club/archive"
BACKUP = ("backup", "new.tar")
RESTORE = ("restore", "backup.tar")
REBUILD = ("rebuild", "--from-archive", "lost/archive")
UPGRADE = ("upgrade", "--no-backup")
RESTORE_ELSEWHERE = (
    *("restore", "server.tar", "--config", "other/pbem.toml", "--data-dir", "other/club"),
    "--database",
)
CASES = (
    (lose_database, REBUILD, "INSERT INTO happenings", "Nothing was rebuilt"),
    (age, UPGRADE, "UPDATE alembic_version", "The database is unchanged"),
    (nothing, ("archive", "verify"), "SELECT actions", "Not everything was checked"),
    (nothing, ("archive", "verify", ARCHIVE), "os.scandir", "Not everything was checked"),
)


def leaves_the_club_as_before(club: Path, words: tuple[str, ...], deed: str, left: str) -> bool:
    """Interrupt a command, which must say what is `left`. Return whether no file has changed."""
    there = files(club)
    status, told = interrupted(deed, *words)
    assert (status, told.splitlines()[-1]) == (
        ExitStatus.INTERRUPTED,
        f"pbem: interrupted. {left}",
    )
    return files(club) == there


@pytest.mark.parametrize(("before", "words", "deed", "left"), CASES)
def test_interrupted_command_leaves_the_club_as_before(
    club: Path, before: object, words: tuple[str, ...], deed: str, left: str
) -> None:
    assert callable(before)
    before(club)
    assert leaves_the_club_as_before(club, words, deed, left)
    says(*words)


def test_interrupted_publish_leaves_complete_files_only(club: Path) -> None:
    shutil.rmtree(ARCHIVE)
    whole = "pbem: interrupted. Every file is complete, but some are missing or outdated. Run the "
    for deed in ("os.rename", "SELECT stale"):
        status, told = interrupted(deed, "archive", "publish", "--all")
        assert (status, told) == (ExitStatus.INTERRUPTED, f"{whole}command again\n")
    says("archive", "publish")
    says("archive", "verify")
    left = (club / "club").glob("**/.*")
    assert [path for path in left if path.suffix in (".new", ".tmp", ".pbem-partial")] == []


@pytest.mark.parametrize(
    ("before", "words", "deed", "left", "result"),
    (
        (nothing, BACKUP, "shutil.copyfile", "No backup was written", "new.tar"),
        (lose, RESTORE, "SELECT matches", "Nothing was restored", "pbem.toml"),
    ),
)
def test_command_that_is_interrupted_too_late_finishes(
    club: Path, before: object, words: tuple[str, ...], deed: str, left: str, result: str
) -> None:
    assert callable(before)
    before(club)
    assert leaves_the_club_as_before(club, words, deed, left)
    assert interrupted("os.rename", *words) == (ExitStatus.DONE, LATE)
    assert Path(result).is_file()
    assert "Anna" in says("member", "list")


def test_interrupted_move_leaves_the_club_in_its_file(club: Path, postgresql_url: str) -> None:
    there = files(club)
    move = ("upgrade", "--to-postgresql", postgresql_url)
    left = "pbem: interrupted. The club has not moved\n"
    for deed in ("LOCK", "SELECT matches"):
        assert interrupted(deed, *move) == (ExitStatus.INTERRUPTED, left)
        assert files(club) == there
        assert "Anna" in says("member", "list")
    assert "copied and compared" in says(*move)


def test_interrupted_restore_leaves_the_server_empty_or_finishes(
    club: Path, postgresql_url: str, postgres: Postgres
) -> None:
    says("upgrade", "--to-postgresql", postgresql_url, "--write-config")
    says("backup", "server.tar")
    nothing_restored = "Nothing was restored"
    test = ("restore", "--test", "server.tar")
    assert leaves_the_club_as_before(club, test, "SELECT matches", nothing_restored)
    assert "matches replayed: 1" in says(*test)
    with postgres.database() as name:
        restore = (*RESTORE_ELSEWHERE, postgres.url(name))
        assert leaves_the_club_as_before(club, restore, "subprocess.Popen", nothing_restored)
        assert not Path("other/pbem.toml").exists()
        # Once the server has committed, it is too late.
        assert interrupted("SELECT matches", *restore) == (ExitStatus.DONE, LATE)
        assert "Anna" in says("member", "list", "--config", "other/pbem.toml")
