"""The data folder belongs to the club's account and is closed to all others."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pbem.adapters.private_folder import make_private
from pbem.ports.process import StorageUnavailable

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
NOBODY = 65534


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def url_in(folder: Path) -> str:
    return f"sqlite:///{folder / 'pbem.sqlite'}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A club's folder made with the usual umask."""
    folder = tmp_path / "club"
    folder.mkdir(mode=0o755)
    for inner in ("archive", "oauth"):
        (folder / inner).mkdir(mode=0o755)
    for end in ("", "-wal", "-shm"):
        (folder / f"pbem.sqlite{end}").touch(mode=0o644)
    return folder


def test_missing_folder_is_created_private(tmp_path: Path) -> None:
    folder = tmp_path / "there" / "club"
    make_private(folder, url_in(folder))
    assert mode(folder) == 0o700


def test_folder_open_to_others_is_closed_with_its_files(folder: Path) -> None:
    make_private(folder, url_in(folder))
    assert mode(folder) == 0o700
    inside = {path.name: mode(path) for path in folder.iterdir()}
    assert inside == {
        **dict.fromkeys(("archive", "oauth"), 0o700),
        **dict.fromkeys(("pbem.sqlite", "pbem.sqlite-wal", "pbem.sqlite-shm"), 0o600),
    }


def test_database_elsewhere_is_closed_but_its_folder_is_not(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    (elsewhere / "games.db").touch(mode=0o644)
    make_private(tmp_path / "club", f"sqlite:///{elsewhere / 'games.db'}?timeout=3")
    assert mode(elsewhere / "games.db") == 0o600
    assert mode(elsewhere) == 0o755


@pytest.mark.parametrize(("bits", "content"), ((0o1777, "pbem.sqlite"), (0o755, "other things")))
def test_folder_of_something_else_is_not_closed(tmp_path: Path, bits: int, content: str) -> None:
    folder = tmp_path / "srv"
    folder.mkdir()
    (folder / content).touch()
    folder.chmod(bits)
    with pytest.raises(StorageUnavailable, match=r"Set data_dir in \[club\] to a folder used"):
        make_private(folder, url_in(folder))
    assert mode(folder) == bits


@as_root
@pytest.mark.parametrize("what", (".", "archive", "oauth", "pbem.sqlite", "pbem.sqlite-wal"))
def test_files_of_another_account_are_refused(folder: Path, what: str) -> None:
    os.chown(folder / what, NOBODY, NOBODY)
    with pytest.raises(StorageUnavailable, match=r"belongs to nobody, and this is root.* runuser"):
        make_private(folder, url_in(folder))
    assert mode(folder / what) in (0o755, 0o644)
