"""LMTP: accept email from our own mail server, in this process or beside others."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from functools import partial
from importlib import metadata

from pbem.adapters.lmtp_server.server import CONNECTIONS, SECONDS, LmtpServer
from pbem.adapters.scheduler import Job, Ticker
from pbem.adapters.watchdog import all_unwell
from pbem.inbox.hand_over import BEAT_SECONDS, Listening, take
from pbem.log import get_logger
from pbem.mail.addresses.addressing import is_club_address
from pbem.mail.message.size_limits import MAX_MAIL
from pbem.ports.inbound import HandedMail
from pbem.ports.process import Every
from pbem.run.fatal_errors import FatalErrors
from pbem.run.shutdown import end
from pbem.run.systemd_notify import systemd_notified
from pbem.service.club import Club

log = get_logger(__name__)


class LmtpIntake:
    """Accepts email for the club."""

    def __init__(
        self,
        club: Club,
        listeners: Sequence[socket.socket],
        *,
        connections: int = CONNECTIONS,
        seconds: float = SECONDS,
    ) -> None:
        self._club = club
        self._listeners = listeners
        self._listening = Listening(club)
        self._server = LmtpServer(
            self._take,
            partial(_is_ours, club),
            most=MAX_MAIL,
            connections=connections,
            seconds=seconds,
            not_taken=self._listening.put_off,
        )
        self.fitness = FatalErrors()
        """Whether it may continue. A wrong clock may be corrected."""
        self.schema_job = self.fitness.schema_job(club)
        self.job = Job("lmtp", Every(BEAT_SECONDS), self._listening.beat)
        """Record the time up to which all email is recorded."""

    def _take(self, mail: HandedMail) -> None:
        self._listening.require_fit()
        take(self._club, mail)

    def start(self) -> None:
        """Start accepting email. The sockets are already open."""
        self._server.start(self._listeners)

    def end(self) -> None:
        """Accept no more. Deliveries in progress may finish within two seconds."""
        self._server.end()

    def unwell(self) -> str:
        """Return what is stuck, in words. Empty if email is accepted."""
        return self._server.unwell()

    def ended(self, seconds: float) -> bool:
        """Wait at most this many seconds. Return whether nothing arrives any more."""
        return self._server.ended(seconds)


def _is_ours(club: Club, address: str) -> bool:
    return is_club_address(address, club.addresses)


class IntakeService:
    """A process that only accepts email."""

    def __init__(self, intake: LmtpIntake) -> None:
        self._intake = intake
        self._ticker = Ticker([intake.job, intake.schema_job])

    def unwell(self) -> str:
        """Return what is stuck, in words. Empty if all is well."""
        return all_unwell(self._ticker, self._intake)

    def run_until(self, stop: threading.Event) -> None:
        """Accept email until the event is set. Raises MustStop if that is why it stops."""
        log.info("taking mail", version=metadata.version("pbem"))
        self._intake.fitness.ends(stop)
        self._intake.start()
        self._ticker.start()
        with systemd_notified(stop, self.unwell, lambda: "taking mail"):
            stop.wait()
        log.info("ending")
        self._intake.end()
        self._ticker.stop(0)
        end(self._has_ended, lambda: None, self._intake.fitness.status)
        self._intake.fitness.require()

    def _has_ended(self, seconds: float) -> bool:
        return self._intake.ended(seconds) and self._ticker.wait(seconds)
