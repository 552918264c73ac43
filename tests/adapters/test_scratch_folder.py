"""Scratch folders: which are in use, and which are removed."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.adapters.scratch_folder import SUFFIX, scratch_folder


def test_leftovers_of_a_crash_are_removed_but_folders_in_use_stay(tmp_path: Path) -> None:
    left = tmp_path / f".backup-1{SUFFIX}"
    left.mkdir()
    (left / "half").touch()
    with scratch_folder(tmp_path, "backup") as one, scratch_folder(tmp_path, "backup") as other:
        assert {*tmp_path.iterdir()} == {one, other}
    assert list(tmp_path.iterdir()) == []


def a_download(place: Path) -> Path:
    (place / ".download.partial").mkdir()
    return place / ".download.partial"


def a_link(place: Path) -> Path:
    (place / "photos").mkdir()
    (place / f".link{SUFFIX}").symlink_to("photos")
    return place / "photos"


def a_pipe(place: Path) -> Path:
    os.mkfifo(place / f".pipe{SUFFIX}")
    return place / f".pipe{SUFFIX}"


@pytest.mark.parametrize("made", (a_download, a_link, a_pipe))
@pytest.mark.timeout(20)
def test_foreign_folder_stays_and_blocks_nobody(
    tmp_path: Path, made: Callable[[Path], Path]
) -> None:
    theirs = made(tmp_path)
    with scratch_folder(tmp_path, "backup"):
        pass
    assert theirs.exists()


def test_folders_made_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    def make(number: int) -> bool:
        with scratch_folder(tmp_path, "backup") as folder:
            (folder / "half").touch()
            return (folder / "half").exists()

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(make, range(200)))


def test_error_names_the_folder_that_cannot_be_used(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    with pytest.raises(FileNotFoundError) as told, scratch_folder(nowhere, "backup"):
        pass
    assert told.value.filename == str(nowhere)
