"""The club's mailbox on Dovecot, seen through a relay chosen by the test."""

from __future__ import annotations

import smtplib
from collections.abc import Callable

import pytest

from pbem.adapters.imap_mailbox import ImapSettings
from tests.support.mail_servers import DovecotMail
from tests.support.posts import MAIL, PASSWORD
from tests.support.relay import Relay

TIMEOUT_S = 5.0

ClubAt = Callable[[Relay], ImapSettings]
"""Settings of the club's mailbox, with handled emails moved to Done."""


@pytest.fixture
def club(dovecot_mail: DovecotMail, domain: str) -> ClubAt:
    """The club at the other end of a relay."""
    dovecot_mail.add(f"club@{domain}", PASSWORD)
    return lambda relay: ImapSettings(
        "127.0.0.1", relay.port, f"club@{domain}", PASSWORD, "none", "INBOX", "Done", TIMEOUT_S
    )


def arrives(server: DovecotMail, domain: str, number: int = 1) -> None:
    """Deliver this many emails to the club."""
    with smtplib.SMTP(server.host, server.smtp_port, "localhost") as client:
        for _ in range(number):
            client.sendmail("anna@mail.example", [f"club@{domain}"], MAIL)
