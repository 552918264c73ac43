"""Connections to the SMTP server, each for a batch."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.adapters.connection import Line
from pbem.adapters.smtp_transport.session import SmtpSession
from pbem.adapters.smtp_transport.settings import SmtpSettings
from pbem.adapters.smtp_transport.wire import connected


class SmtpTransport:
    """The SMTP server; one connection for a batch."""

    def __init__(self, settings: SmtpSettings) -> None:
        self._settings = settings
        self._guard = threading.Lock()
        self._lines: set[Line] = set()

    @contextmanager
    def connect(self) -> Iterator[SmtpSession]:
        """Opens a connection; raises TransportError."""
        with self._line() as line:
            session = SmtpSession(connected(self._settings, line), self._settings)
            try:
                yield session
            except BaseException:
                # Perhaps in the midst of a mail: a QUIT there would be a line of it.
                session.drop()
                raise
            session.quit()

    @contextmanager
    def _line(self) -> Iterator[Line]:
        line = Line(self._settings.timeout_s)
        with self._guard:
            self._lines.add(line)
        try:
            yield line
        finally:
            with self._guard:
                self._lines.discard(line)
            line.cut()

    def close(self) -> None:
        """Cuts every open connection, also from another thread; never raises."""
        with self._guard:
            for line in self._lines:
                line.cut()
