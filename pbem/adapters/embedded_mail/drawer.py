"""Drawers: folders of mail on the disk, each a Maildir that any mail program can read.

A mail's UID and flags stand in the name of its file, when it was received in the file's time.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pymap.mailbox import MailboxSnapshot
from pymap.parsing.specials import Flag
from pymap.parsing.specials.flag import Answered, Deleted, Draft, Flagged, Seen

FIRST_UID = 100
_NAME = re.compile(r"(\d+)\.pbem:2,([A-Z]*)", re.ASCII)
_LETTERS = {"D": Draft, "F": Flagged, "R": Answered, "S": Seen, "T": Deleted}
"""As Maildir has them, in the order in which they are written; others are not kept."""


class KeptMail(NamedTuple):
    """A mail in a drawer."""

    uid: int
    received_at: datetime
    flags: frozenset[Flag]
    raw: bytes


class Drawer:
    """One folder of one mailbox; made if it does not exist, for its owner's eyes alone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for each in (path, *(path / part for part in ("cur", "new", "tmp"))):
            each.mkdir(exist_ok=True, mode=0o700)
        self._files = dict(self._found())
        self.uid_validity, self.max_uid = self._numbers()
        self._note()

    def _found(self) -> Iterator[tuple[int, Path]]:
        for file in (self.path / "cur").iterdir():
            if found := _NAME.fullmatch(file.name):
                yield int(found[1]), file

    def _numbers(self) -> tuple[int, int]:
        """UIDVALIDITY and the highest UID ever given (RFC 9051 section 2.3.1.1)."""
        try:
            validity, highest = map(int, (self.path / "uids").read_text().split())
        except (OSError, ValueError):
            validity, highest = MailboxSnapshot.new_uid_validity(), FIRST_UID
        return validity, max(highest, *self._files, FIRST_UID)

    def _note(self) -> None:
        new = self.path / "tmp" / "uids"
        new.write_text(f"{self.uid_validity} {self.max_uid}\n")
        new.replace(self.path / "uids")

    def mails(self) -> Iterator[KeptMail]:
        """All that is in it, in the order of UIDs."""
        for uid, file in sorted(self._files.items()):
            found = _NAME.fullmatch(file.name)
            assert found is not None, "only such names are kept"
            at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
            flags = frozenset(_LETTERS[each] for each in found[2] if each in _LETTERS)
            yield KeptMail(uid, at, flags, file.read_bytes())

    def put(self, mail: KeptMail) -> None:
        """A mail more; it is there as a whole or not at all."""
        self.max_uid = max(self.max_uid, mail.uid)
        new = self.path / "tmp" / str(mail.uid)
        new.write_bytes(mail.raw)
        os.utime(new, (mail.received_at.timestamp(),) * 2)
        self._files[mail.uid] = new.replace(self._file(mail.uid, mail.flags))

    def flag(self, uid: int, flags: Collection[Flag]) -> None:
        """A mail has these flags now."""
        file = self._files.get(uid)
        if file is not None:
            self._files[uid] = file.replace(self._file(uid, flags))

    def remove(self, uid: int) -> None:
        """Takes a mail away; its UID is never given again."""
        file = self._files.pop(uid, None)
        if file is not None:
            if uid == self.max_uid:
                self._note()
            file.unlink(missing_ok=True)

    def move(self, path: Path) -> None:
        """The folder is called something else."""
        if path != self.path:
            self.path = self.path.replace(path)
            self._files = dict(self._found())

    def throw_away(self) -> None:
        """The folder is gone, with its mail."""
        shutil.rmtree(self.path)

    def _file(self, uid: int, flags: Collection[Flag]) -> Path:
        letters = "".join(letter for letter, flag in _LETTERS.items() if flag in flags)
        return self.path / "cur" / f"{uid}.pbem:2,{letters}"
