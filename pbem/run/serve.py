"""Serve: the jobs of a running club, how they trigger each other, and how they end."""

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

from pbem.adapters.cpu_yield import cpu_yield
from pbem.adapters.scheduler import Job, Ticker
from pbem.adapters.watchdog import all_unwell
from pbem.jobs.table import JOBS, JobContext
from pbem.log import get_logger
from pbem.ports.outbox import Transport
from pbem.ports.process import Every
from pbem.run.fatal_errors import FatalErrors
from pbem.run.fetch import ClubMailbox, Fetcher
from pbem.run.shutdown import end
from pbem.run.systemd_notify import systemd_notified
from pbem.service.club import Club
from pbem.service.delivery.deliver import Connection, WatchedTransport
from pbem.service.delivery.held_mail import tell_if_held

if TYPE_CHECKING:  # each needs an optional package
    from pbem.run.lmtp import LmtpIntake
    from pbem.run.worker import Shift

log = get_logger(__name__)


@dataclass(frozen=True)
class Running:
    """A club with its email servers."""

    club: Club
    mailboxes: tuple[ClubMailbox, ...]
    transport: Transport
    close_transport: Callable[[], None]
    poll_seconds: float
    close_tokens: Callable[[], None] = lambda: None
    """Stops requests for access tokens, and so further logins."""
    extra_jobs: tuple[Job, ...] = ()
    intake: LmtpIntake | None = None
    """Accepts email over LMTP. None if that is not configured."""
    shift: Shift | None = None
    """Runs the jobs of a queue. None if they run by the clock."""


class Service:
    """The running club: one thread per job, and threads that watch the mailboxes."""

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
        """Return the table's jobs, which this process runs if there is no queue."""
        context = JobContext(
            self._running.club,
            self._transport,
            self._is_ending,
            cpu_yield,
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
        """Run a job soon, since a commit has made work for it."""
        self._ticker.trigger(job)

    def unwell(self) -> str:
        """Describe what has stopped. Empty if nothing has.

        A job that takes long is still working, and one whose server is away tries again.
        """
        running = self._running
        return all_unwell(self._ticker, *self._fetchers, running.shift, running.intake)

    def doing(self) -> str:
        """Describe in a line what it is doing and which email server is away, for people."""
        shift = self._running.shift
        trouble = shift.trouble if shift else self._transport.trouble
        said = ("serving", *(fetcher.doing() for fetcher in self._fetchers), trouble)
        return "; ".join(filter(None, said))

    def run_until(self, stop: threading.Event) -> None:
        """Run until the event is set, then end within ten seconds whatever is going on.

        Raises MustStop if a fatal error set the event.
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
        with systemd_notified(stop, self.unwell, self.doing, settled):
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
        """Wait at most `seconds` for each part to end. Return whether all have ended."""
        others = (self._running.shift, self._running.intake)
        return self._ticker.wait(seconds) and all(
            each is None or each.ended(seconds) for each in others
        )

    def _close(self) -> None:
        """Close the connections at once."""
        for fetcher in self._fetchers:
            fetcher.close()
        self._running.close_transport()


def stop_on_signals() -> threading.Event:
    """Return an event that SIGTERM and SIGINT set. A second signal ends the process at once.

    Committed data stays, as after any crash. A thread sets the event, since a signal handler would
    interrupt the main thread. If that is in the event's own `wait`, both would wait for each other.
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
        os._exit(128 + number)  # the status that shells show for a death by signal

    threading.Thread(target=wait, name="signals", daemon=True).start()
    return stop
