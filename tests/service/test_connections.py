"""A mail server that was away is told once it is there again, and only then."""

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


def test_it_is_told_once_and_with_how_long_it_took() -> None:
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


def test_a_transport_tells_it_when_somebody_connects() -> None:
    server = FakeTransport(FakePostOffice(FakeClock()))
    transport = WatchedTransport(server, Connection("SMTP", FakeClock()))
    server.unreachable = "nothing answers"
    with pytest.raises(TransportError), transport.connect():
        pass
    server.unreachable = ""
    with capture_logs() as logs, transport.connect():
        pass
    assert [each["event"] for each in logs] == ["connected again"]
