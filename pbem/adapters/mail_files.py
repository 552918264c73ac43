"""Mails that somebody keeps in files: mbox, Maildir, or one by one."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator
from pathlib import Path


def mails_in(path: Path) -> Iterator[bytes]:
    """Mails of an mbox file, a Maildir with its folders, a folder of .eml files, or one file.

    Nothing is changed. Raises OSError, with the path in it.
    """
    if path.is_dir():
        for each in _files_of_folder(path):
            yield each.read_bytes()
        return
    with path.open("rb") as file:
        is_mbox = file.read(5) == b"From "
    if is_mbox:
        box = mailbox.mbox(path, create=False)
        try:
            for key in box.iterkeys():
                yield box.get_bytes(key)
        finally:
            box.close()
    else:
        yield path.read_bytes()


def _files_of_folder(path: Path) -> Iterator[Path]:
    """A Maildir keeps its mails in `cur` and `new`, and its folders as `.Name` (Maildir++)."""
    homes = [home for home in (path, *sorted(path.glob(".*"))) if (home / "cur").is_dir()]
    if not homes:
        yield from sorted(path.glob("*.eml"))
    for home in homes:
        for part in ("cur", "new"):
            yield from sorted(file for file in (home / part).glob("*") if file.is_file())
