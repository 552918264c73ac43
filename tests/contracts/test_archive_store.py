"""What every ArchiveStore does, on the fake and on a folder."""

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


def test_what_is_written_is_read_back(archive: ArchiveStore) -> None:
    archive.write("b.txt", "grüße\r\n\0".encode())
    archive.write("a.json", b"")
    assert archive.read("b.txt") == "grüße\r\n\0".encode()
    assert archive.read("a.json") == b""
    assert archive.names() == ["a.json", "b.txt"]


def test_a_file_written_again_is_replaced(archive: ArchiveStore) -> None:
    archive.write("a.txt", b"a long first version")
    archive.write("a.txt", b"second")
    assert archive.read("a.txt") == b"second"
    assert archive.names() == ["a.txt"]


@pytest.mark.parametrize(
    "name",
    ("", ".", "..", "../a.txt", "/etc/passwd", "a/../b", "a//b", "a/", "a\\b.txt", "a/.b", "a\0b"),
)
def test_a_name_cannot_lead_out_of_the_archive(archive: ArchiveStore, name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a file"):
        archive.write(name, b"x")
    with pytest.raises(ValueError, match="not the name of a file"):
        archive.read(name)
    assert archive.names() == []


def test_files_in_folders_are_named_by_their_beginning_and_removed(archive: ArchiveStore) -> None:
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


def test_one_at_a_time_is_alone(archive: ArchiveStore) -> None:
    with archive.alone() as first, archive.alone() as second:
        archive.write("a.txt", b"x")
    assert (first, second) == (True, False)
    with archive.alone() as again:
        assert archive.names() == ["a.txt"]
    assert again


# What only a folder can do wrong.


def test_every_account_can_read_a_public_folder_and_what_is_in_it(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        FileArchive(tmp_path / "site", public=True).write("a/b/c.html", b"x")
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert modes == {"site": 0o755, "a": 0o755, "b": 0o755, "c.html": 0o644}


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
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


def test_the_draft_of_a_killed_process_is_no_file_of_the_archive(tmp_path: Path) -> None:
    (tmp_path / ".a.txt.0123456789abcdef").write_bytes(b"hal")
    assert FileArchive(tmp_path).names() == []


def test_the_bytes_are_on_the_disk_before_the_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[list[str]] = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: synced.append(FileArchive(tmp_path).names())
    )
    FileArchive(tmp_path).write("a.txt", b"x")
    assert synced == [[], ["a.txt"]]
