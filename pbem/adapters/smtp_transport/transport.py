"""Connections to the SMTP server, each for a batch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import Final

from pbem.adapters.connection import Backoff, Line, Trouble, full_stop
from pbem.adapters.smtp_transport.login import connected
from pbem.adapters.smtp_transport.session import SmtpSession
from pbem.adapters.smtp_transport.settings import SmtpError, SmtpSettings
from pbem.adapters.smtp_transport.wire import Client

_OF_THE_LOGIN: Final = {"password", "token"}


class SmtpTransport:
    """The SMTP server; one connection for a batch."""

    def __init__(
        self, settings: SmtpSettings, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._backoff = Backoff()
        self._last = Trouble("")
        self._guard = threading.Lock()
        self._lines: set[Line] = set()

    @contextmanager
    def connect(self) -> Iterator[SmtpSession]:
        """Opens a connection; raises TransportError."""
        with self._line() as line:
            session = SmtpSession(self._connected(line), self._settings)
            try:
                yield session
            except BaseException:
                # Perhaps in the midst of a mail: a QUIT there would be a line of it.
                session.drop()
                raise
            session.quit()

    def _connected(self, line: Line) -> Client:
        """After a refused login the next one waits: providers lock accounts that insist."""
        if wait := self._backoff.remaining(self._monotonic()):
            pause = f"{full_stop(self._last.sentence)} The next attempt is {ceil(wait)} s away."
            raise SmtpError(self._last._replace(sentence=pause))
        try:
            smtp = connected(self._settings, line)
        except SmtpError as error:
            if error.setting in _OF_THE_LOGIN:
                self._last = Trouble(str(error), error.setting)
                self._backoff.failed(self._monotonic())
            raise
        self._backoff.succeeded()
        return smtp

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
