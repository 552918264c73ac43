"""The contract of every ArchiveStore, tested on the fake and on a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.adapters.archive_files import FileArchive
from pbem.ports.room import ArchiveStore
from tests.fakes.archive import FakeArchive


@pytest.fixture(params=("fake", "folder"))
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> ArchiveStore:
    return FakeArchive() if request.param == "fake" else FileArchive(tmp_path / "club" / "archive")


def test_a_new_archive_is_empty(archive: ArchiveStore) -> None:
    assert archive.names() == []
    assert archive.read("match-000001-lanko-68.txt") is None


def test_written_file_is_read_back(archive: ArchiveStore) -> None:
    archive.write("b.txt", "grüße\r\n\0".encode())
    archive.write("a.json", b"")
    assert archive.read("b.txt") == "grüße\r\n\0".encode()
    assert archive.read("a.json") == b""
    assert archive.names() == ["a.json", "b.txt"]


def test_rewritten_file_is_replaced(archive: ArchiveStore) -> None:
    archive.write("a.txt", b"a long first version")
    archive.write("a.txt", b"second")
    assert archive.read("a.txt") == b"second"
    assert archive.names() == ["a.txt"]


@pytest.mark.parametrize(
    "name",
    ("", ".", "..", "../a.txt", "/etc/passwd", "a/../b", "a//b", "a/", "a\\b.txt", "a/.b", "a\0b"),
)
def test_name_cannot_lead_out_of_the_archive(archive: ArchiveStore, name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a file"):
        archive.write(name, b"x")
    with pytest.raises(ValueError, match="not the name of a file"):
        archive.read(name)
    assert archive.names() == []


def test_files_in_folders_are_listed_by_prefix_and_removed(archive: ArchiveStore) -> None:
    names = ["index.html", "matches/1.html", "matches/1.txt", "matches/12.html"]
    archive.write_all((name, name.encode()) for name in names)
    assert archive.names() == names
    assert archive.names("matches/1.") == ["matches/1.html", "matches/1.txt"]
    assert archive.names("members/") == []
    for name in ("matches/1.html", "matches/1.html", "members/1.html", "index.html/x"):
        archive.remove(name)
    assert archive.names() == ["index.html", "matches/1.txt", "matches/12.html"]
    assert archive.read("matches/1.html") is None
    assert archive.read("index.html/x") is None


def test_only_one_holder_is_alone(archive: ArchiveStore) -> None:
    with archive.alone() as first, archive.alone() as second:
        archive.write("a.txt", b"x")
    assert (first, second) == (True, False)
    with archive.alone() as again:
        assert archive.names() == ["a.txt"]
    assert again


# Errors that only a folder can make


def test_public_folder_is_readable_by_every_account(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        FileArchive(tmp_path / "site", public=True).write("a/b/c.html", b"x")
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert modes == {"site": 0o755, "a": 0o755, "b": 0o755, "c.html": 0o644}


def test_failed_write_keeps_the_old_file_and_leaves_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = FileArchive(tmp_path)
    archive.write("a.txt", b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        archive.write("a.txt", b"new")
    assert archive.read("a.txt") == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_draft_of_a_killed_process_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / ".a.txt.0123456789abcdef").write_bytes(b"hal")
    assert FileArchive(tmp_path).names() == []


def test_bytes_reach_the_disk_before_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[list[str]] = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: synced.append(FileArchive(tmp_path).names())
    )
    FileArchive(tmp_path).write("a.txt", b"x")
    assert synced == [[], ["a.txt"]]
