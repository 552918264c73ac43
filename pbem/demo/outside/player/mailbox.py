"""The player's mail program: one connection for reading, one for sending."""

from __future__ import annotations

import imaplib
import select
import smtplib
from typing import Any, TextIO

from .mail import Mail


class Mailbox:
    """A mailbox on a mail server."""

    def __init__(
        self, host: str, imap_port: int, smtp_port: int, address: str, password: str
    ) -> None:
        self._address = address
        self._imap = imaplib.IMAP4(host, imap_port)
        self._imap.login(address, password)
        self._imap.select("INBOX")
        self._smtp = smtplib.SMTP(host, smtp_port, local_hostname="localhost")
        self._seen = 0

    def new(self) -> list[Mail]:
        """Mails that have come since the last look, oldest first."""
        found = self._imap.uid("SEARCH", f"UID {self._seen + 1}:*")[1][0] or b""
        # The star is the newest mail, even if that is not new (RFC 9051, section 9, seq-range).
        uids = sorted(uid for uid in map(int, found.split()) if uid > self._seen)
        self._seen = max(uids, default=self._seen)
        return [Mail.read(self._fetched(uid)) for uid in uids]

    def _fetched(self, uid: int) -> bytes:
        answer = self._imap.uid("FETCH", str(uid), "(BODY.PEEK[])")[1]
        return next(bytes(part[1]) for part in answer if isinstance(part, tuple))

    def wait(self, seconds: float, other: TextIO | None = None) -> bool:
        """Waits for news of the server (IDLE, RFC 2177) or of another; tells if that has some."""
        self._imap.send(b"wait IDLE\r\n")
        self._line()
        watched: list[Any] = [self._imap.socket(), *([other] if other else [])]
        ready = select.select(watched, [], [], seconds)[0]
        self._imap.send(b"DONE\r\n")
        while not self._line().startswith(b"wait "):
            pass
        return other in ready

    def _line(self) -> bytes:
        line = bytes(self._imap.readline())
        if not line:
            raise ConnectionError("the mail server has hung up")
        return line

    def send(self, to: str, raw: bytes) -> None:
        """Sends a mail, as it is."""
        self._smtp.sendmail(self._address, [to], raw)
