"""Test fabricated backups, and files next to a backup or a restored database."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli import command_line

MANIFEST = "manifest.json"
DATABASE = "database.sqlite"

Data = dict[str, Any]


def run(*words: str) -> tuple[int, str]:
    """Run a command, and return its status and its output in one line."""
    done = CliRunner().invoke(command_line(words), words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, " ".join(done.output.split())


def says(*words: str) -> str:
    """Run a command that succeeds, and return its output."""
    status, told = run(*words)
    assert status == 0, told
    return told


@pytest.fixture
def lost(club_folder: Path) -> Path:
    """Return a folder that contains only the backup of a club."""
    says("init", "--defaults")
    says("match", "new", "lanko-103", "--bot", "greedy", "--bot", "random")
    says("backup", "backup.tar")
    shutil.rmtree("club")
    Path("pbem.toml").unlink()
    return club_folder


def made_up(change: Callable[[Data], object], sparse: str = "") -> str:
    """Change the manifest and make a part sparse, and return what a restore says."""
    with tarfile.open("backup.tar") as older, tarfile.open("other.tar", "w") as newer:
        for member in older:
            stream = older.extractfile(member)
            assert stream is not None
            content = stream.read()
            if member.name == MANIFEST:
                data = json.loads(content)
                change(data)
                content = json.dumps(data).encode()
                member.size = len(content)
            whole = member, content
            put, content = _nothing(sparse, 2**20) if member.name == sparse else whole
            newer.addfile(put, io.BytesIO(content))
    status, told = run("restore", "other.tar")
    assert status, told
    assert not Path("club/pbem.sqlite").exists()
    return told


def _nothing(name: str, size: int) -> tuple[tarfile.TarInfo, bytes]:
    """Return a member that claims this size but has no bytes in the archive."""
    member, content = tarfile.TarInfo(name), b"1\n0\n0\n".ljust(512, b"\0")
    member.size = len(content)
    said = {"major": "1", "minor": "0", "name": name, "realsize": str(size)}
    member.pax_headers = {f"GNU.sparse.{key}": value for key, value in said.items()}
    return member, content


@pytest.mark.usefixtures("lost")
def test_invalid_manifest_is_damage() -> None:
    unreadable = "manifest.json cannot be read"
    changes: tuple[tuple[str, Callable[[Data], object]], ...] = (
        ("pbem.toml is missing", lambda data: data["parts"].pop("pbem.toml")),
        ("it contains 0 databases", lambda data: data["parts"].pop(DATABASE)),
        (unreadable, lambda data: data.update(rows=[])),
        (unreadable, lambda data: data.update(schema=5)),
        (unreadable, lambda data: data["parts"].update({"../x": data["parts"][DATABASE]})),
        (unreadable, lambda data: data.update(club="x" * 2_000_000)),
    )
    for told, change in changes:
        assert f"other.tar is damaged: {told}" in made_up(change)


@pytest.mark.usefixtures("lost")
def test_backups_own_text_cannot_steer_the_terminal() -> None:
    def boasts(data: Data) -> None:
        data["address"] = "\x1b]0;owned\x07club@example.org"
        data["rows"]["\x1b[2J"] = 1

    told = made_up(boasts)
    assert "club@example.org as of" in told
    assert "[2J, not 1" in told
    assert "\x1b" not in told


@pytest.mark.usefixtures("lost")
def test_part_without_bytes_is_missing() -> None:
    zeros = bytes(2**20)
    part = {"size": len(zeros), "sha256": hashlib.sha256(zeros).hexdigest()}
    told = made_up(lambda data: data["parts"].update({"pbem.toml": part}), sparse="pbem.toml")
    assert "other.tar is damaged: pbem.toml is missing" in told


def stale_log(beside: Path) -> None:
    """Leave the files of a killed restore: a database, and a log with pages for it."""
    with closing(sqlite3.connect("old.sqlite")) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.execute("CREATE TABLE elsewhere (x)")
        for end in ("", "-wal"):
            shutil.copy(f"old.sqlite{end}", beside.with_name(beside.name + end))


@pytest.mark.usefixtures("lost")
def test_leftovers_of_a_restore_do_not_get_into_the_database() -> None:
    Path("club").mkdir(0o700)
    stale_log(Path("club/.pbem.sqlite.restoring"))
    assert "matches replayed: 1" in says("restore", "backup.tar")
    with closing(sqlite3.connect("club/pbem.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [path.name for path in Path("club").glob(".*")] == []


def test_keep_leaves_other_files_and_the_newest_backup(club_folder: Path) -> None:
    says("init", "--defaults")
    shared = club_folder / "backups"
    shared.mkdir()
    ahead = shared / "pbem-20990101T030000Z.tar"
    mine = shared / "pbem-before-the-move.tar"
    for path in (ahead, mine, shared / "pbem-20200101T030000Z.tar"):
        path.touch()
    says("backup", "--keep", "1", str(shared))
    left = {path.name for path in shared.iterdir()}
    assert mine.name in left
    assert len(left) == 2
    assert ahead.name not in left, "its date is in the future"


def test_backup_replaces_only_a_backup(club_folder: Path) -> None:
    says("init", "--defaults")
    config = Path("pbem.toml").read_bytes()
    for place in ("pbem.toml", "club/pbem.sqlite", "/dev/null"):
        status, told = run("backup", place)
        assert (status, "exists but is not a complete backup" in told) == (1, True), told
    assert Path("pbem.toml").read_bytes() == config
    Path("backup.tar").touch()
    for _ in range(2):
        says("backup", "backup.tar")
