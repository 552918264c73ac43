"""The club's mailbox on the embedded server, seen through a relay of the test's choice."""

from __future__ import annotations

import smtplib
from collections.abc import Callable

import pytest

from pbem.adapters.embedded_mail import EmbeddedMail
from pbem.adapters.imap_mailbox import ImapSettings
from tests.support.posts import MAIL, PASSWORD
from tests.support.relay import Relay

ADDRESS = "club@games.example"
TIMEOUT_S = 5.0

ClubAt = Callable[[Relay], ImapSettings]
"""Settings of the club's mailbox, handled mail going to Done."""


@pytest.fixture
def club(embedded_mail: EmbeddedMail) -> ClubAt:
    """The club at the other end of a relay."""
    embedded_mail.add(ADDRESS, PASSWORD)
    return lambda relay: ImapSettings(
        "127.0.0.1", relay.port, ADDRESS, PASSWORD, "none", "INBOX", "Done", TIMEOUT_S
    )


def arrives(server: EmbeddedMail, number: int = 1) -> None:
    """So many mails come in for the club."""
    with smtplib.SMTP(server.host, server.smtp_port, "localhost") as client:
        for _ in range(number):
            client.sendmail("anna@mail.example", [ADDRESS], MAIL)
