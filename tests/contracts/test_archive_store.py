"""What every ArchiveStore does, on the fake and on a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.adapters.archive_files import FileArchive
from pbem.service.ports import ArchiveStore
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
    "name", ("", ".", "..", "../a.txt", "/etc/passwd", "a/b.txt", "a\\b.txt", ".hidden", "a\0b")
)
def test_a_name_cannot_lead_out_of_the_archive(archive: ArchiveStore, name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a file"):
        archive.write(name, b"x")
    with pytest.raises(ValueError, match="not the name of a file"):
        archive.read(name)
    assert archive.names() == []


# What only a folder can do wrong.


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
