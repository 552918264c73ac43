"""Test `pbem backup` and `pbem restore`: contents, refusals and sudden interruptions."""

from __future__ import annotations

import io
import json
import signal
import sqlite3
import stat
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from alembic import command
from typer.testing import CliRunner, Result

from pbem.adapters.db.engine import open_engine, writers
from pbem.adapters.db.migrate import config
from pbem.adapters.db.scratch_database import LOCK, MARK
from pbem.adapters.db.unit_of_work import open_storage
from pbem.adapters.folder_lock import FolderLock
from pbem.adapters.scratch_folder import SUFFIX
from pbem.cli import command_line
from pbem.cli.backup import make_backup
from pbem.cli.progress import CommandProgress
from pbem.inbox.pending import process_pending
from pbem.jobs.play_bots import record_answers
from pbem.ports.storage import Storage
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.club import Club
from tests.support.databases import BOTH
from tests.support.postgres import Postgres

ROOT = Path(__file__).parents[2]
DATABASE = "database.sqlite"
EVER = datetime(2000, 1, 1, tzinfo=UTC)


def run(*words: str) -> Result:
    """Run a command in the club's folder."""
    return CliRunner().invoke(command_line(words), words)


def says(*words: str) -> str:
    """Run a command that succeeds, and return its output."""
    done = run(*words)
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def refused(*words: str) -> str:
    """Run a command that is refused, and return its output."""
    done = run(*words)
    assert isinstance(done.exception, SystemExit), done.output
    assert done.exit_code, done.output
    return " ".join(done.output.split())


@pytest.fixture
def club(club_folder: Path) -> Path:
    """Return the folder of a club with a match between two bots, configured by pbem.toml."""
    says("init", "--defaults")
    says("match", "new", "lanko-103", "--bot", "greedy", "--bot", "random")
    return club_folder


@pytest.fixture
def backup(club: Path) -> Path:
    """Return a backup of the club."""
    says("backup", "backup.tar")
    return club / "backup.tar"


def lose(club: Path) -> None:
    """Move everything except the backup away."""
    (club / "club").rename(club / "lost")
    (club / "pbem.toml").rename(club / "lost.toml")


def test_backup_is_private_and_complete(club: Path) -> None:
    token = club / "club" / "oauth" / "refresh-token-0123456789abcdef"
    token.parent.mkdir(0o700)
    token.write_text("newest\n")
    token.chmod(0o600)
    token.with_suffix(".lock").touch()
    dates = token.with_suffix(".json")
    dates.touch(0o600)
    says("backup", "backup.tar")
    assert stat.S_IMODE(Path("backup.tar").stat().st_mode) == 0o600
    with tarfile.open("backup.tar") as archive:
        names = archive.getnames()
        manifest = archive.extractfile("manifest.json")
        assert manifest is not None
        assert json.load(manifest)["rows"]["matches"] == 1
    tokens = [f"oauth/{each.name}" for each in (token, dates)]
    assert names == ["manifest.json", "pbem.toml", *tokens, DATABASE]
    config = Path("pbem.toml").read_bytes()
    lose(club)
    told = says("restore", "backup.tar")
    assert f"{club}/club: the data folder" in told
    assert (Path("pbem.toml").read_bytes(), token.read_text()) == (config, "newest\n")
    for path in (Path("pbem.toml"), token, dates, club / "club" / "pbem.sqlite"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "bot-greedy" in says("match", "list")
    assert list(club.glob(".*")) == list(club.glob(f"club/.*{SUFFIX}")) == []


def test_backup_folder_keeps_newest(club: Path) -> None:
    folder = club / "backups"
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"pbem-2026010{day}T040000Z.tar").touch()
    others = [folder / "other.tar", folder / "pbem-before-the-summer.tar"]
    for other in others:
        other.touch()
    says("backup", "--keep", "2", str(folder))
    *older, newest = sorted(each.name for each in folder.glob("pbem-2*.tar"))
    assert older == ["pbem-20260103T040000Z.tar"]
    assert all(other.exists() for other in others)
    assert "every part is intact" in refused("restore", str(folder / newest))
    assert "needs a folder" in refused("backup", "--keep", "2", "backup.tar")
    assert "pbem: nowhere: No such" in refused("backup", "nowhere/backup.tar")


@contextmanager
def at_work(club: Club) -> Iterator[None]:
    """Accept and process emails continuously during a block."""
    stop, going = threading.Event(), threading.Event()

    def work() -> None:
        while not stop.is_set() and record_answers(club):
            process_pending(club)
            going.set()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert going.wait(30)
        yield
    finally:
        stop.set()
        worker.join()


def accepted(storage: Storage) -> set[str]:
    """Return the digests of the emails that the club has recorded."""
    with storage.reading() as uow:
        return {mail.digest for mail in uow.inbound.recorded_since(EVER)}


@pytest.fixture(params=BOTH)
def restore_options(request: pytest.FixtureRequest, club: Path) -> Iterator[list[str]]:
    """Return options that restore a club next to the original, for each of the two databases."""
    words = ["--config", "other/pbem.toml", "--data-dir", "other/club"]
    if request.param == "sqlite":
        yield words
        return
    url = request.getfixturevalue("postgresql_url")
    says("upgrade", "--to-postgresql", url, "--write-config")
    server: Postgres = request.getfixturevalue("postgres")
    with server.database() as name:
        yield [*words, "--database", server.url(name)]


@pytest.mark.servers
def test_backup_under_load_has_every_email_accepted_before(restore_options: list[str]) -> None:
    club = build_club(load_config(Path("pbem.toml")))
    with closing(club.storage) as storage, at_work(club):
        before = accepted(storage)
        words = [sys.executable, "-m", "pbem", "backup", "backup.tar"]
        subprocess.run(words, env={"PYTHONPATH": str(ROOT)}, check=True)
        since = accepted(storage)
    assert before < since, "moves continued meanwhile"
    assert "matches replayed: 1" in says("restore", "backup.tar", *restore_options)
    restored = load_config(Path("other/pbem.toml"))
    with closing(open_storage(restored.database_url)) as storage:
        assert before <= accepted(storage) <= since
        with storage.reading() as uow:
            assert uow.service.held_since() is not None


@pytest.mark.servers
@pytest.mark.parametrize("deed", ("shutil.copyfile", "os.rename"))
def test_killed_backup_leaves_no_file_of_that_name(club: Path, deed: str) -> None:
    folder = club / "backups"
    folder.mkdir()
    dying = [sys.executable, "-m", "tests.support.dying_process", deed, "backup", str(folder)]
    died = subprocess.run(dying, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert list(folder.glob("*.tar")) == []
    says("backup", str(folder))
    (only,) = folder.iterdir()
    assert only.suffix == ".tar", "leftovers are removed"


def spoil(file: Path, part: str) -> None:
    """Change one byte of a part of the backup."""
    with tarfile.open(file) as archive:
        member = archive.getmember(part)
    content = bytearray(file.read_bytes())
    content[member.offset_data + member.size // 2] ^= 1
    file.write_bytes(content)


@pytest.mark.parametrize("part", ("pbem.toml", DATABASE))
def test_restore_names_damaged_part_and_restores_nothing(
    club: Path, backup: Path, part: str
) -> None:
    spoil(backup, part)
    lose(club)
    assert f"backup.tar is damaged: {part} has changed since" in refused("restore", "backup.tar")
    assert not (club / "club").exists()
    assert not Path("pbem.toml").exists()


@pytest.mark.parametrize(
    ("left", "told"),
    (
        (0, "is not a backup by pbem"),
        (300, "is not a backup by pbem"),
        (5000, "pbem.toml is cut off"),
        (100_000, f"{DATABASE} is cut off"),
    ),
)
def test_truncated_backup_reports_where_it_ends(
    club: Path, backup: Path, left: int, told: str
) -> None:
    backup.write_bytes(backup.read_bytes()[:left])
    lose(club)
    said = refused("restore", "backup.tar")
    assert told in said


def change_manifest(backup: Path, **changes: object) -> None:
    """Change what the manifest of a backup says, and nothing else."""
    with tarfile.open(backup) as older, tarfile.open("changed.tar", "w") as newer:
        for member in older:
            stream = older.extractfile(member)
            assert stream is not None
            content = stream.read()
            if member.name == "manifest.json":
                content = json.dumps({**json.loads(content), **changes}).encode()
                member.size = len(content)
            newer.addfile(member, io.BytesIO(content))
    Path("changed.tar").replace(backup)


def test_restore_refuses_backup_of_newer_pbem(club: Path, backup: Path) -> None:
    change_manifest(backup, schema="9999")
    lose(club)
    assert "of a newer version of pbem. Install that" in refused("restore", "backup.tar")


def occupy_database(club: Path) -> None:
    (club / "club" / "pbem.sqlite").touch()


def other_club(club: Path) -> None:
    Path("pbem.toml").unlink()
    says("init", "--defaults")


def serve_elsewhere(club: Path) -> None:
    (club / "club" / "pbem.sqlite.moved").write_text("postgresql://db/pbem\n")


@pytest.mark.parametrize(
    ("spoiled", "told"),
    (
        (occupy_database, "pbem.sqlite already exists. Move it away first"),
        (other_club, "is for a different club from the backup, or has different secrets"),
        (serve_elsewhere, "was moved to postgresql://db/pbem"),
    ),
)
def test_restore_leaves_existing_files_alone(
    club: Path, backup: Path, spoiled: Callable[[Path], None], told: str
) -> None:
    (club / "club" / "pbem.sqlite").unlink()
    spoiled(club)
    files = {path: path.read_bytes() for path in club.glob("**/*") if path.is_file()}
    assert told in refused("restore", "backup.tar")
    assert {path: path.read_bytes() for path in club.glob("**/*") if path.is_file()} == files


def test_restore_refuses_while_club_is_served(club: Path, backup: Path) -> None:
    (club / "club" / "pbem.sqlite").unlink()
    with FolderLock(club / "club" / "serve.lock"):
        assert "is already being served" in refused("restore", "backup.tar")
    says("restore", "backup.tar")


def test_sqlite_backup_is_not_restored_to_a_server(club: Path, backup: Path) -> None:
    words = ("--config", "other/pbem.toml", "--database", "postgresql://db/pbem")
    assert "Restore it to a file" in refused("restore", "backup.tar", *words)


def test_restore_leaves_nonempty_server_alone(club: Path, postgresql_url: str) -> None:
    says("upgrade", "--to-postgresql", postgresql_url, "--write-config")
    says("backup", "backup.tar")
    told = refused("restore", "backup.tar")
    assert "is not empty: it has a table" in told
    assert "bot-greedy" in says("match", "list")


def test_restore_upgrades_backup_of_older_pbem(club: Path) -> None:
    engine = open_engine(load_config(Path("pbem.toml")).database_url)
    with writers(engine).begin() as connection:
        command.downgrade(config(connection), "0031")
    engine.dispose()
    says("backup", "backup.tar")
    lose(club)
    assert "matches replayed" in says("restore", "backup.tar")
    says("match", "list")


def test_restore_that_the_server_denies_reports_it_and_leaves_nothing(
    club: Path, postgresql_url: str, postgres: Postgres
) -> None:
    says("upgrade", "--to-postgresql", postgresql_url, "--write-config")
    says("backup", "backup.tar")
    with postgres.database() as name:
        with psycopg.connect(postgres.url(name), autocommit=True) as connection:
            connection.execute("DROP ROLE IF EXISTS stranger")
            connection.execute("CREATE ROLE stranger LOGIN")
        url = postgres.url(name).replace("postgres@", "stranger:open%20sesame@")
        words = ("--config", "other/pbem.toml", "--data-dir", "other/club", "--database", url)
        told = refused("restore", "backup.tar", *words)
        with psycopg.connect(postgres.url(name)) as connection:
            tables = connection.execute("SELECT count(*) FROM pg_stat_user_tables").fetchone()
    assert "permission denied" in told
    assert "sesame" not in told
    assert tables == (0,)
    assert not Path("other/pbem.toml").exists()


@pytest.mark.parametrize("database", BOTH)
def test_tested_backup_leaves_the_club_alone_and_is_noted(
    club: Path, database: str, request: pytest.FixtureRequest
) -> None:
    if database == "postgresql":
        url = request.getfixturevalue("postgresql_url")
        says("upgrade", "--to-postgresql", url, "--write-config")
    folder = club / "backups"
    folder.mkdir()
    assert "has no backup" in refused("restore", "--test", str(folder))
    says("backup", str(folder))
    assert "last test of a backup: never" in " ".join(run("status").output.split())
    before = Path("pbem.toml").read_bytes()
    for _ in range(2):
        told = says("restore", "--test", str(folder))
        assert "matches replayed: 1" in told
        assert ". The test found no problems, and the copy was deleted" in told
    assert "last test of a backup: 20" in " ".join(run("status").output.split())
    assert Path("pbem.toml").read_bytes() == before
    assert "bot-greedy" in says("match", "list")
    assert "held" not in run("status").output
    assert list(club.glob(f"club/.*{SUFFIX}")) == []


def huge(_club: Path, backup: Path) -> None:
    change_manifest(backup, parts={DATABASE: {"size": 10**18, "sha256": ""}})


def from_postgresql(_club: Path, backup: Path) -> None:
    change_manifest(backup, database="postgresql")


def other_secret(club: Path, _backup: Path) -> None:
    other_club(club)


@pytest.mark.parametrize(
    ("spoiled", "told"),
    (
        (huge, "a test of this backup needs 2,000,000,000 GB. Free some space"),
        (from_postgresql, "This club is on SQLite. Test the backup on a machine with PostgreSQL"),
        (other_secret, "or the secret has changed since. Make a new backup with pbem backup"),
    ),
)
def test_impossible_test_of_a_backup_says_what_to_do(
    club: Path, backup: Path, spoiled: Callable[[Path, Path], None], told: str
) -> None:
    spoiled(club, backup)
    assert told in refused("restore", "--test", "backup.tar")
    assert list(club.glob(f"club/.*{SUFFIX}")) == []


def test_test_of_a_backup_drops_only_its_own_database(
    club: Path, postgresql_url: str, postgres: Postgres
) -> None:
    says("upgrade", "--to-postgresql", postgresql_url, "--write-config")
    says("backup", "backup.tar")
    test = ("restore", "--test", "backup.tar")
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        name = f"{connection.info.dbname}_restore_test"
        connection.execute(f'CREATE DATABASE "{name}"')
        with psycopg.connect(postgres.url(name)) as theirs:
            assert f"a database {name}, which no test of a backup made" in refused(*test)
            assert theirs.execute("SELECT 1").fetchone() == (1,), "its sessions continue"
        connection.execute(f"COMMENT ON DATABASE \"{name}\" IS '{MARK}'")
        connection.execute(f"SELECT pg_advisory_lock({LOCK})")
        assert "another process is testing a backup" in refused(*test)
        connection.execute("SELECT pg_advisory_unlock_all()")
        says(*test)
        left = "SELECT count(*) FROM pg_database WHERE datname = %s"
        assert connection.execute(left, (name,)).fetchone() == (0,)


def test_damaged_backup_fails_its_test_which_is_not_noted(club: Path, backup: Path) -> None:
    content = bytearray(backup.read_bytes())
    content[len(content) // 2] ^= 1
    backup.write_bytes(content)
    refused("restore", "--test", "backup.tar")
    assert "takes no --data-dir" in refused("restore", "--test", "x.tar", "--data-dir", "other")
    assert "last test of a backup: never" in " ".join(run("status").output.split())


def test_folder_whose_newest_backup_is_old_fails_its_test(club: Path) -> None:
    folder, path = club / "backups", Path("pbem.toml")
    folder.mkdir()
    before = datetime.now(UTC) - timedelta(days=3)
    make_backup(path, load_config(path), folder, before, CommandProgress())
    assert "is older than two days" in refused("restore", "--test", str(folder))


def test_role_that_may_not_create_databases_cannot_test(
    club: Path, postgresql_url: str, postgres: Postgres
) -> None:
    says("upgrade", "--to-postgresql", postgresql_url, "--write-config")
    says("backup", "backup.tar")
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS tester")
        connection.execute("CREATE ROLE tester LOGIN IN ROLE pg_read_all_data, pg_write_all_data")
    path = Path("pbem.toml")
    path.write_text(path.read_text().replace("postgres@", "tester@"))
    assert "ALTER ROLE tester CREATEDB" in refused("restore", "--test", "backup.tar")


def test_restore_ignores_leftovers_of_killed_restore(club: Path, backup: Path) -> None:
    lose(club)
    log = club / "club" / ".pbem.sqlite.restoring-wal"
    log.parent.mkdir(0o700)
    with closing(sqlite3.connect(club / "lost" / "pbem.sqlite")) as other:
        assert other.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
        other.execute("DELETE FROM service")
        other.execute(
            "INSERT INTO service (name, at) VALUES ('beat', '2001-01-01 00:00:00.000000')"
        )
        other.commit()
        log.write_bytes((club / "lost" / "pbem.sqlite-wal").read_bytes())
    says("restore", "backup.tar")
    url = load_config(club / "lost.toml").database_url
    with closing(open_storage(url)) as storage, storage.reading() as uow:
        assert uow.service.last_beat() is None
