"""LMTP: mail that our own mail server hands over is taken, by this process or beside others."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from functools import partial
from importlib import metadata

from pbem.adapters.lmtp_server.server import CONNECTIONS, SECONDS, LmtpServer
from pbem.adapters.pulse import all_unwell
from pbem.adapters.scheduler import Job, Ticker
from pbem.inbox.hand_over import BEAT_SECONDS, Listening, take
from pbem.log import get_logger
from pbem.mail.addresses.addressing import is_club_address
from pbem.mail.message.limits import MAX_MAIL
from pbem.ports.inbound import HandedMail
from pbem.ports.process import Every
from pbem.run.fatal_errors import FatalErrors
from pbem.run.shutdown import end
from pbem.run.systemd_notify import attended
from pbem.service.club import Club

log = get_logger(__name__)


class LmtpIntake:
    """Takes mail for the club."""

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
        """Whether it may go on; a clock that is wrong may be set."""
        self.schema_job = self.fitness.schema_job(club)
        self.job = Job("lmtp", Every(BEAT_SECONDS), self._listening.beat)
        """Notes until when all mail is recorded."""

    def _take(self, mail: HandedMail) -> None:
        self._listening.require_fit()
        take(self._club, mail)

    def start(self) -> None:
        """Begins; it listens already."""
        self._server.start(self._listeners)

    def end(self) -> None:
        """Takes no more; what has begun to come may, for two seconds."""
        self._server.end()

    def unwell(self) -> str:
        """What does not go on, in words; empty if mail is taken."""
        return self._server.unwell()

    def ended(self, seconds: float) -> bool:
        """Whether nothing comes any more, after at most so many seconds."""
        return self._server.ended(seconds)


def _is_ours(club: Club, address: str) -> bool:
    return is_club_address(address, club.addresses)


class IntakeService:
    """A process that takes mail and does nothing else."""

    def __init__(self, intake: LmtpIntake) -> None:
        self._intake = intake
        self._ticker = Ticker([intake.job, intake.schema_job])

    def unwell(self) -> str:
        """What does not go on, in words; empty if everything does."""
        return all_unwell(self._ticker, self._intake)

    def run_until(self, stop: threading.Event) -> None:
        """Takes mail until the event is set; raises MustStop if that is why it ends."""
        log.info("taking mail", version=metadata.version("pbem"))
        self._intake.fitness.ends(stop)
        self._intake.start()
        self._ticker.start()
        with attended(stop, self.unwell, lambda: "taking mail"):
            stop.wait()
        log.info("ending")
        self._intake.end()
        self._ticker.stop(0)
        end(self._has_ended, lambda: None, self._intake.fitness.status)
        self._intake.fitness.require()

    def _has_ended(self, seconds: float) -> bool:
        return self._intake.ended(seconds) and self._ticker.wait(seconds)
