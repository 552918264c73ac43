"""Serve: the jobs of a running club, how they wake each other, and how they end."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING

from pbem.adapters.giving_way import giving_way
from pbem.adapters.pulse import all_unwell
from pbem.adapters.scheduler import Job, Ticker
from pbem.jobs.table import JOBS, JobContext
from pbem.log import get_logger
from pbem.ports.outbox import Transport
from pbem.ports.process import Every
from pbem.run.fatal_errors import FatalErrors
from pbem.run.fetch import ClubMailbox, Fetcher
from pbem.run.shutdown import end
from pbem.run.systemd_notify import attended
from pbem.service.club import Club
from pbem.service.delivery.deliver import Connection, WatchedTransport
from pbem.service.delivery.held import tell_if_held

if TYPE_CHECKING:  # each needs an extra of the installation
    from pbem.run.lmtp import LmtpIntake
    from pbem.run.worker import Shift

log = get_logger(__name__)


@dataclass(frozen=True)
class Running:
    """A club with its mail servers."""

    club: Club
    mailboxes: tuple[ClubMailbox, ...]
    transport: Transport
    close_transport: Callable[[], None]
    poll_seconds: float
    close_tokens: Callable[[], None] = lambda: None
    """Ends what gets access tokens; who has none then does not log in any more."""
    extra_jobs: tuple[Job, ...] = ()
    intake: LmtpIntake | None = None
    """What takes mail that is handed over; None where none is."""
    shift: Shift | None = None
    """Who does the jobs where there is a queue of them; else they are done by the clock."""


class Service:
    """The running club: a thread a job, and one that watches the mailbox."""

    def __init__(self, running: Running) -> None:
        self._running = running
        mailboxes, seconds = running.mailboxes, running.poll_seconds
        self._fetchers = [Fetcher(running.club, each, seconds) for each in mailboxes]
        mail = [fetcher.job for fetcher in self._fetchers]
        mail += [running.intake.job] if running.intake else []
        smtp = Connection("SMTP", running.club.clock, running.club.meter)
        self._transport = WatchedTransport(running.transport, smtp)
        here = (running.shift.job,) if running.shift else self._done_here()
        self.jobs = (*mail, *here, *running.extra_jobs)
        self._fitness = FatalErrors()
        if not running.shift:
            running.club.storage.wake_by(self._wake)
        self._ticker = Ticker(
            [replace(job, run=self._fitness.minded(job.run)) for job in self.jobs]
        )

    def _done_here(self) -> tuple[Job, ...]:
        """The table of jobs, which this process runs if there is no queue."""
        context = JobContext(
            self._running.club,
            self._transport,
            self._is_ending,
            giving_way,
            self._wake,
        )
        usual = Every(self._running.poll_seconds)
        return tuple(
            Job(each.name, each.trigger or usual, partial(each.run, context))
            for each in JOBS.values()
        )

    def _is_ending(self) -> bool:
        return self._ticker.stopping()

    def _wake(self, job: str) -> None:
        """Runs a job soon, as a commit has made work for it."""
        self._ticker.trigger(job)

    def unwell(self) -> str:
        """What does not go on that is to, in words; empty if everything does.

        A job that takes long is at work, and one whose server is away tries again.
        """
        running = self._running
        return all_unwell(self._ticker, *self._fetchers, running.shift, running.intake)

    def doing(self) -> str:
        """What it does, and which mail server cannot be reached, in a line for people."""
        shift = self._running.shift
        trouble = shift.trouble if shift else self._transport.trouble
        said = ("serving", *(fetcher.doing() for fetcher in self._fetchers), trouble)
        return "; ".join(filter(None, said))

    def run_until(self, stop: threading.Event) -> None:
        """Runs until the event is set, then ends within ten seconds whatever is going on.

        Raises MustStop if that is why it ends.
        """
        self._fitness.ends(stop)
        club = self._running.club
        log.info("serving", club=club.address, version=metadata.version("pbem"))
        tell_if_held(club)
        self._ticker.start()
        for fetcher in self._fetchers:
            fetcher.start(self._ticker)
        if self._running.shift:
            self._running.shift.start()
        if self._running.intake:
            self._running.intake.start()
        settled = [fetcher.settled for fetcher in self._fetchers]
        with attended(stop, self.unwell, self.doing, settled):
            stop.wait()
        log.info("ending")
        if self._running.intake:
            self._running.intake.end()
        self._running.close_tokens()
        for fetcher in self._fetchers:
            fetcher.end()
        self._ticker.stop(0)
        end(self._has_ended, self._close, status=self._fitness.status)
        self._fitness.require()
        if self._running.shift:
            self._running.shift.raise_trouble()

    def _has_ended(self, seconds: float) -> bool:
        """Whether nothing is being done any more, by the clock, by the queue or at the door."""
        others = (self._running.shift, self._running.intake)
        return self._ticker.wait(seconds) and all(
            each is None or each.ended(seconds) for each in others
        )

    def _close(self) -> None:
        """Ends the connections, whatever goes on with them."""
        for fetcher in self._fetchers:
            fetcher.close()
        self._running.close_transport()


def stop_on_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set; a second signal ends the process at once.

    What is committed stays, as after any sudden end. A thread sets the event: a handler would run
    in the midst of whatever the main thread is doing, and if that is the event's own `wait`, each
    would wait for the other.
    """
    stop = threading.Event()
    heard, tell = socket.socketpair()
    tell.setblocking(False)
    signal.set_wakeup_fd(tell.detach())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)

    def wait() -> None:
        heard.recv(1)
        stop.set()
        [number] = heard.recv(1)
        os._exit(128 + number)  # as shells tell a death by a signal

    threading.Thread(target=wait, name="signals", daemon=True).start()
    return stop
