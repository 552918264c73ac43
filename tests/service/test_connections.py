"""Test that the log mentions a mail server's recovery once, when it happens."""

from __future__ import annotations

from contextlib import suppress

import pytest
from structlog.testing import capture_logs

from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import TransportError
from pbem.service.delivery.deliver import Connection, WatchedTransport
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeTransport
from tests.fakes.post_office import FakePostOffice


def test_recovery_is_logged_once_with_its_duration() -> None:
    clock = FakeClock()
    connection = Connection("IMAP", clock)
    with capture_logs() as logs:
        connection.works()
        for _ in range(3):
            with suppress(MailboxError), connection.tried():
                raise MailboxError("nothing answers")
            clock.advance(minutes=4)
        connection.works()
        connection.works()
    assert [(each["event"], each["server"], each["after_minutes"]) for each in logs] == [
        ("connected again", "IMAP", 12)
    ]


def test_transport_logs_recovery_when_it_connects() -> None:
    server = FakeTransport(FakePostOffice(FakeClock()))
    transport = WatchedTransport(server, Connection("SMTP", FakeClock()))
    server.unreachable = "nothing answers"
    with pytest.raises(TransportError), transport.connect():
        pass
    server.unreachable = ""
    with capture_logs() as logs, transport.connect():
        pass
    assert [each["event"] for each in logs] == ["connected again"]
