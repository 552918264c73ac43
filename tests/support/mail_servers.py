"""A whole mail server for the tests, with SMTP in and IMAP out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.support.dovecot import Dovecot
from tests.support.smtp import SmtpServer

_TEST = count(1)


class DovecotMail:
    """A real mail server: an SMTP server that delivers to Dovecot by LMTP.

    It refuses email for an address without a mailbox and accepts plus-addresses (RFC 5233).
    """

    def __init__(self, dovecot: Dovecot) -> None:
        self._dovecot = dovecot
        self._smtp = SmtpServer(dovecot.deliver, knows=self._knows)
        self.host = dovecot.host
        self.imap_port = dovecot.imap_port

    @property
    def smtp_port(self) -> int:
        """Return the port of the SMTP server, without TLS and login."""
        return self._smtp.port

    def _knows(self, address: str) -> bool:
        local, _, domain = address.casefold().rpartition("@")
        return f"{local.partition('+')[0]}@{domain}" in self._dovecot.passwords

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        """Deliver an email without the SMTP server."""
        self._dovecot.deliver(sender, recipient, raw)

    def add(self, address: str, password: str) -> None:
        """Add a mailbox."""
        self._dovecot.add(address.casefold(), password)

    def forget(self) -> None:
        """Delete all mailboxes. Nobody is connected."""
        self._dovecot.forget()

    def __enter__(self) -> DovecotMail:
        self._smtp.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._smtp.__exit__()


@pytest.fixture(scope="session")
def dovecot_mail(dovecot: Dovecot) -> Iterator[DovecotMail]:
    """The real mail server. Its mailboxes outlive a test, so use a domain of your own."""
    with DovecotMail(dovecot) as server:
        yield server


@pytest.fixture
def domain() -> str:
    """A domain that no other test uses."""
    return f"test-{next(_TEST)}.example"
