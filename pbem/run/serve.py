"""Serve: run the jobs of a club, let them wake each other, and stop them."""

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
    """A club with its mail servers."""

    club: Club
    mailboxes: tuple[ClubMailbox, ...]
    transport: Transport
    close_transport: Callable[[], None]
    poll_seconds: float
    close_tokens: Callable[[], None] = lambda: None
    """Stops getting access tokens. Without one, nothing logs in any more."""
    extra_jobs: tuple[Job, ...] = ()
    intake: LmtpIntake | None = None
    """Accepts email by LMTP. None if the club does not use it."""
    shift: Shift | None = None
    """Does the jobs if there is a queue. Otherwise they run by the clock."""


class Service:
    """The running club: a thread per job, and one that watches the mailbox."""

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
        """Return the jobs that this process runs. If there is a queue, workers run them instead."""
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
        """Run a job soon, because a commit has made work for it."""
        self._ticker.trigger(job)

    def unwell(self) -> str:
        """Return what is stuck, in words. Empty if all is well.

        A long job is at work, and a job whose server is down tries again. Neither is stuck.
        """
        running = self._running
        return all_unwell(self._ticker, *self._fetchers, running.shift, running.intake)

    def doing(self) -> str:
        """Return what it does, and which mail server is unreachable, in one line for people."""
        shift = self._running.shift
        trouble = shift.trouble if shift else self._transport.trouble
        said = ("serving", *(fetcher.doing() for fetcher in self._fetchers), trouble)
        return "; ".join(filter(None, said))

    def run_until(self, stop: threading.Event) -> None:
        """Run until the event is set, then stop within ten seconds whatever is in progress.

        Raises MustStop if that is why it stops.
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
        """Return whether nothing is in progress any more: timed jobs, queued jobs, deliveries."""
        others = (self._running.shift, self._running.intake)
        return self._ticker.wait(seconds) and all(
            each is None or each.ended(seconds) for each in others
        )

    def _close(self) -> None:
        """Close the connections, whatever they are doing."""
        for fetcher in self._fetchers:
            fetcher.close()
        self._running.close_transport()


def stop_on_signals() -> threading.Event:
    """Return an event that SIGTERM and SIGINT set. A second signal kills the process at once.

    Whatever is committed stays, as after a crash. A thread sets the event, as a handler would
    interrupt the main thread. Inside the event's own `wait`, each would wait for the other.
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
        os._exit(128 + number)  # the status that shells use for a death by a signal

    threading.Thread(target=wait, name="signals", daemon=True).start()
    return stop
