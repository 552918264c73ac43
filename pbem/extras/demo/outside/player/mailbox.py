"""The player's email program: IMAP or POP3 for reading, and one connection for sending."""

from __future__ import annotations

import imaplib
import poplib
import select
import smtplib
from collections.abc import Callable
from typing import TextIO

from .mail import PlayerMail

Reader = Callable[[], list[bytes]]
"""Returns the emails since its last call, oldest first."""


def imap_reader(imap: imaplib.IMAP4) -> Reader:
    """Return a reader of the inbox on a logged-in connection."""
    imap.select("INBOX")
    seen = 0

    def read() -> list[bytes]:
        nonlocal seen
        imap.noop()
        found = imap.uid("SEARCH", f"UID {seen + 1}:*")[1][0] or b""
        # The star is the newest email, even if it is not new (RFC 9051 section 9, seq-range).
        uids = sorted(uid for uid in map(int, found.split()) if uid > seen)
        seen = max(uids, default=seen)
        return [fetched(uid) for uid in uids]

    def fetched(uid: int) -> bytes:
        answer = imap.uid("FETCH", str(uid), "(BODY.PEEK[])")[1]
        return next(bytes(part[1]) for part in answer if isinstance(part, tuple))

    return read


def pop3_reader(host: str, port: int, user: str, password: str) -> Reader:
    """Return a reader of a mailbox, which it leaves unchanged. Each read is a new session."""
    seen: set[bytes] = set()

    def read() -> list[bytes]:
        pop3 = poplib.POP3(host, port)
        pop3.user(user)
        pop3.pass_(password)
        listed = dict(line.split()[::-1] for line in pop3.uidl()[1])
        new = [int(number) for unique_id, number in listed.items() if unique_id not in seen]
        mails = [b"\r\n".join([*pop3.retr(number)[1], b""]) for number in new]
        seen.update(listed)
        pop3.quit()
        return mails

    return read


class PlayerMailbox:
    """A mailbox on a mail server."""

    def __init__(self, read: Reader, host: str, smtp_port: int, address: str) -> None:
        self._read = read
        self._address = address
        self._smtp = smtplib.SMTP(host, smtp_port, local_hostname="localhost")

    def new(self) -> list[PlayerMail]:
        """Return the emails since the last look, oldest first."""
        return [PlayerMail.read(raw) for raw in self._read()]

    def wait(self, seconds: float, other: TextIO | None = None) -> bool:
        return bool(select.select([other] if other else [], [], [], seconds)[0])

    def send(self, to: str, raw: bytes) -> None:
        """Send an email as it is."""
        self._smtp.sendmail(self._address, [to], raw)

    def close(self) -> None:
        self._smtp.close()
