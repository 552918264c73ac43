"""The data folder: belongs to one account and is closed to all others.

The database has the proofs of emails that await an answer, and every email as received.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from pbem.accounts import belongs_to_another, own_name
from pbem.log import get_logger
from pbem.ports.process import StorageUnavailable

log = get_logger(__name__)

OTHERS = stat.S_IRWXG | stat.S_IRWXO
INNER = ("archive", "oauth")
"""Folders in it that are written later, when a match ends or a token is renewed."""
OURS = {"pbem.sqlite", "pbem.toml", *INNER}
"""Names that distinguish a club's folder from a folder for something else, such as /srv."""
BESIDE = ("", "-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database."""


class FolderUnusable(StorageUnavailable):
    """Raised if the club cannot use its folder. The text says why and what to do."""


def make_private(folder: Path, database_url: str) -> None:
    """Create the data folder, or close it and the database to others. Private ones stay as is.

    Raises FolderUnusable if that fails, if the folder cannot be written, or if it belongs to
    another account.
    """
    try:
        folder.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise FolderUnusable(
            f"cannot create the data folder {folder}: there is a file in its place."
            " Set data_dir in [club] to a folder"
        ) from error
    except OSError as error:
        raise FolderUnusable(_not_made(folder, error)) from error
    _require_own(folder)
    _close_folder(folder, "the data folder")
    for name in INNER:
        if os.path.lexists(folder / name):
            _close_folder(folder / name, "the folder")
    for file in _database_files(database_url):
        _close(file)


def _not_made(folder: Path, error: OSError) -> str:
    why = f"cannot create the data folder {folder}: {error.strerror}"
    if not isinstance(error, PermissionError):
        return why
    return f"{why}. As root, run: install -d -o {own_name()} -m 0700 {folder}"


def _require_own(folder: Path) -> None:
    """Raise FolderUnusable for a shared folder such as /tmp, which must not be closed to others."""
    status = folder.stat()
    shared = status.st_mode & stat.S_ISVTX
    if not status.st_mode & OTHERS or status.st_uid != os.geteuid():
        return
    names = {path.name for path in folder.iterdir()}
    if shared or (names and not names & OURS):
        raise FolderUnusable(
            f"others can read the data folder {folder}, and it contains files that are not the"
            " club's. Set data_dir in [club] to a folder used only by the club"
        )


def _close_folder(folder: Path, what: str) -> None:
    if not folder.is_dir():
        raise FolderUnusable(f"{what} {folder} is not a folder. Move what is in its place away")
    _close(folder)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
        read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
        why = "Its file system is read-only" if read_only else f"Run: chmod u+rwx {folder}"
        raise FolderUnusable(f"cannot write to {what} {folder}. {why}")


def _close(path: Path) -> None:
    """Remove the permissions of others from one of our files or folders."""
    status = path.stat()
    if trouble := belongs_to_another(path, status):
        raise FolderUnusable(trouble)
    if not status.st_mode & OTHERS:
        return
    try:
        path.chmod(stat.S_IMODE(status.st_mode) & ~OTHERS)
    except OSError as error:
        raise FolderUnusable(
            f"others can read {path}, and that cannot be changed: {error.strerror}"
        ) from error
    if path.is_dir():  # the line speaks for the files in it too
        log.warning("others could read it, and no longer can", path=str(path))


def _database_files(url: str) -> Iterator[Path]:
    """Yield the files of a SQLite database. None for a server."""
    if not url.startswith("sqlite:///"):
        return
    database = Path(url.removeprefix("sqlite:///").partition("?")[0]).absolute()
    for end in BESIDE:
        file = database.with_name(database.name + end)
        if file.is_file():
            yield file
