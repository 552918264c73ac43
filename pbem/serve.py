"""Serve: the jobs of a running club, how they wake each other, and how they end."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import metadata
from typing import Protocol

import structlog

from pbem.adapters.giving_way import giving_way
from pbem.adapters.pulse import all_unwell
from pbem.adapters.scheduler import Job, Ticker
from pbem.attended import attended
from pbem.ending import end
from pbem.fetch import ClubMailbox, Fetcher
from pbem.fitness import Fitness
from pbem.inbox.pending import process_pending
from pbem.jobs.absent import look_for_absent
from pbem.jobs.erase import wipe_files
from pbem.jobs.play_bots import MOST_ANSWERS, play_bots
from pbem.jobs.prune import prune
from pbem.jobs.sweep import sweep
from pbem.ports.outbox import Transport
from pbem.service.clocks.freshen import freshen
from pbem.service.club import Club
from pbem.service.delivery.claims import release_claims_of_the_dead
from pbem.service.delivery.connections import Connection, WatchedTransport
from pbem.service.delivery.deliver import deliver
from pbem.service.delivery.held import tell_if_held
from pbem.service.records.publish import publish_all
from pbem.service.room.publish import publish_room

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 60.0
ABSENT_SECONDS = 3600.0
DELIVER_SECONDS = 5.0
"""Mail queued at the shell goes out within this time; all other mail at once."""
PUBLISH_SECONDS = 60.0
"""Pages of the reading room follow the moves within this time, and whatever is done at the shell.
The record of a match that ends is written at once, and so are its pages."""
ERASE_SECONDS = 60.0
PRUNE_SECONDS = 3600.0
BOTS_SECONDS = 5.0
"""A bot answers a match that begins at the shell within this time; a mail at once."""


class Intake(Protocol):
    """What takes mail that the mail server of this machine hands over (`pbem.lmtp`)."""

    job: Job
    """Notes until when all of it is recorded."""

    def start(self) -> None:
        """Begins."""

    def end(self) -> None:
        """Takes no more."""

    def unwell(self) -> str:
        """What does not go on, in words; empty if mail is taken."""

    def ended(self, seconds: float) -> bool:
        """Whether nothing comes any more, after at most so many seconds."""


class Shift(Protocol):
    """Who does the jobs of a queue in this process (`pbem.worker`)."""

    job: Job
    """Looks whether they may go on."""

    def start(self) -> None:
        """Begins; ends when the service does."""

    @property
    def trouble(self) -> str:
        """What it cannot reach, in words; empty if nothing."""

    def unwell(self) -> str:
        """What does not go on, in words; empty if everything does."""

    def ended(self, seconds: float) -> bool:
        """Whether nothing is being done any more, after at most so many seconds."""

    def raise_trouble(self) -> None:
        """Raises what it has broken down of, if it has."""


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
    intake: Intake | None = None
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
        here = (running.shift.job,) if running.shift else self._done_here()
        self.jobs = (*mail, *here, *running.extra_jobs)
        smtp = Connection("SMTP", running.club.clock, running.club.meter)
        self._transport = WatchedTransport(running.transport, smtp)
        self._released = False
        """Whether what the dead held has been given back, which is done once."""
        self._fresh = False
        """Whether running clocks go by what is configured, which is seen to once."""
        self._fitness = Fitness()
        if not running.shift:
            running.club.storage.wake_by(self._wake)
        self._ticker = Ticker(
            [replace(job, run=self._fitness.minded(job.run)) for job in self.jobs]
        )

    def _done_here(self) -> tuple[Job, ...]:
        """What is done by the clock of this process where there is no queue of jobs."""
        return (
            Job("process", self._running.poll_seconds, self._process),
            Job("deliver", DELIVER_SECONDS, self._deliver),
            Job("bots", BOTS_SECONDS, self._bots),
            Job("sweep", SWEEP_SECONDS, self._sweep),
            Job("absent", ABSENT_SECONDS, self._look_for_absent),
            Job("publish", PUBLISH_SECONDS, self._publish),
            Job("pages", PUBLISH_SECONDS, self._pages),
            Job("erase", ERASE_SECONDS, self._erase),
            Job("prune", PRUNE_SECONDS, self._prune),
        )

    def _wake(self, job: str) -> None:
        """Runs a job soon, as a commit has made work for it."""
        self._ticker.trigger(job)

    def _process(self) -> None:
        process_pending(self._running.club, self._ticker.stopping)

    def _bots(self) -> None:
        stopping = giving_way(self._ticker.stopping)
        if play_bots(self._running.club, stopping) >= MOST_ANSWERS:
            self._ticker.trigger("bots")

    def _deliver(self) -> None:
        if not self._released:
            release_claims_of_the_dead(self._running.club)
            self._released = True
        deliver(self._running.club, self._transport, self._ticker.stopping)

    def _sweep(self) -> None:
        if not self._fresh:
            freshen(self._running.club)
            self._fresh = True
        sweep(self._running.club, self._ticker.stopping)

    def _look_for_absent(self) -> None:
        look_for_absent(self._running.club, self._ticker.stopping)

    def _publish(self) -> None:
        club = self._running.club
        publish_all(club.storage, club.archive, club.clock)

    def _pages(self) -> None:
        """Apart from the records: all pages of a club that has grown take an hour."""
        club = self._running.club
        if club.room is not None:
            publish_room(club.storage, club.room, self._ticker.stopping)

    def _erase(self) -> None:
        """What it cannot do now, since somebody reads the database, it tries the next time."""
        wipe_files(self._running.club)

    def _prune(self) -> None:
        prune(self._running.club, self._ticker.stopping)

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

        Raises Unfit if that is why it ends.
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
