"""Fetch: read a mailbox regularly, and as soon as its server announces an email.

One of several processes reads a mailbox. The others stand by, and one takes over when it dies.
Safety does not depend on this: an email read by two is recorded once, by its UID.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pbem.adapters.scheduler import Job, Ticker
from pbem.adapters.watchdog import Watchdog, all_unwell
from pbem.inbox.poll import poll
from pbem.jobs.erase import clear_mailbox
from pbem.log import get_logger
from pbem.ports.inbound import Mailbox, MailboxError, MailboxWatch
from pbem.ports.process import Duty, Every, StorageUnavailable, Unshared
from pbem.ports.storage import FIRST_INTAKE
from pbem.run.config import FIRST_MAILBOX
from pbem.run.fatal_errors import FatalErrors
from pbem.run.shutdown import end
from pbem.run.systemd_notify import systemd_notified
from pbem.service.club import Club
from pbem.service.delivery.deliver import Connection

log = get_logger(__name__)

WATCH_SECONDS = 240.0
"""An IDLE command is renewed before servers drop it (RFC 2177: after 29 minutes at most)."""
AGAIN_SECONDS = 2.0
"""Seconds until a process asks again after it lost a duty, or could not learn who has it."""


@dataclass(frozen=True)
class ClubMailbox:
    """One of the club's mailboxes to read."""

    mailbox: Mailbox
    watch: MailboxWatch
    name: str = FIRST_INTAKE
    """Name of the intake."""
    elsewhere: tuple[str, ...] = ()
    """Folders of the club's other mailboxes, by the names under which their emails are recorded."""
    duty: Duty = field(default_factory=Unshared)

    @property
    def called(self) -> str:
        """Return its name for people."""
        return self.name or FIRST_MAILBOX


class Fetcher:
    """Reads one mailbox."""

    def __init__(self, club: Club, of: ClubMailbox, poll_seconds: float) -> None:
        self._club = club
        self._of = of
        self._poll_seconds = poll_seconds
        self.job = Job(f"poll {of.name}".strip(), Every(poll_seconds), self._poll)
        server = f"IMAP {of.name}".strip()
        self._imap = Connection(server, club.clock, club.meter)
        self._idle = Connection(f"{server}, for IDLE", club.clock)
        self._broken: Counter[int] = Counter()
        """Number of times that the connection broke at an email, by UID."""
        self._poll_soon: Callable[[], None] = lambda: None
        self._reading = threading.Event()
        """Set while we may read it, and at the end."""
        self._ending = threading.Event()
        self._pulse = Watchdog()
        self.settled = threading.Event()
        """Set once we know whether the mailbox can be read, or another process reads it."""

    def start(self, ticker: Ticker) -> None:
        """Start reading or standing by. The ticker runs its job."""
        self._poll_soon = lambda: ticker.trigger(self.job.name)
        for work in (self._stand_by, self._watch):
            called = f"{work.__name__.strip('_')} {self._of.name}".strip()
            thread = threading.Thread(target=work, name=called, daemon=True)
            thread.start()
            self._pulse.depends_on(thread)

    def unwell(self) -> str:
        """Return what is stuck, in words. Empty if all is well."""
        return self._pulse.unwell()

    def doing(self) -> str:
        """Return what it does, for people."""
        if not self._of.duty.held:
            return f"standing by for {self._of.called}"
        return self._imap.trouble or f"reading {self._of.called}"

    def _poll(self) -> None:
        if not self._of.duty.held:
            return
        try:
            with self._imap.tried():
                poll(self._club, self._of.mailbox, self._stops, self._broken, self._of.name)
                clear_mailbox(self._club, self._of.mailbox, self._of.elsewhere)
            self._imap.works()
        finally:
            self.settled.set()

    def _stops(self) -> bool:
        """Return whether to stop, because another process reads or this one ends."""
        return self._ending.is_set() or not self._of.duty.held

    def _stand_by(self) -> None:
        """Make sure that only the process with the duty reads."""
        trouble = ""
        while not self._ending.is_set():
            try:
                if self._get_duty():
                    trouble = ""
                    self._keep_duty()
            except StorageUnavailable as error:
                tell = log.debug if str(error) == trouble else log.warning
                tell("cannot ask the database who reads", mailbox=self._of.called, error=str(error))
                trouble = str(error)
                self.settled.set()
                self._ending.wait(AGAIN_SECONDS)

    def _get_duty(self) -> bool:
        if self._of.duty.taken():
            return True
        log.info("standing by", mailbox=self._of.called)
        self.settled.set()
        return self._of.duty.wait()

    def _keep_duty(self) -> None:
        log.info("reading", mailbox=self._of.called)
        self._reading.set()
        self._poll_soon()
        try:
            self._of.duty.keep()
        finally:
            if not self._ending.is_set():
                self._reading.clear()

    def _watch(self) -> None:
        """Wait for the server to announce new emails, and ask for a poll each time."""
        while self._reading.wait() and not self._ending.is_set():
            again = self._idle.lost
            try:
                with self._pulse.doing("IDLE"), self._idle.tried():
                    if self._of.watch.wait(WATCH_SECONDS):
                        self._idle.works()
                        self._poll_soon()
            except MailboxError as error:
                tell = log.debug if again else log.warning
                tell("watch interrupted", mailbox=self._of.called, error=str(error))
                self._ending.wait(self._poll_seconds)

    def end(self) -> None:
        """Start nothing more. A read in progress may finish."""
        self._ending.set()
        self._reading.set()
        self._of.watch.close()

    def close(self) -> None:
        """Close the connections, whatever they are doing, and give the duty back."""
        self._of.mailbox.close()
        self._of.duty.close()


class FetchService:
    """A process that only reads mailboxes."""

    def __init__(
        self,
        club: Club,
        mailboxes: Sequence[ClubMailbox],
        poll_seconds: float,
        close_tokens: Callable[[], None],
    ) -> None:
        self._close_tokens = close_tokens
        """Stop getting access tokens. Where one is needed, no more logins follow."""
        self._fetchers = [Fetcher(club, each, poll_seconds) for each in mailboxes]
        self._fitness = FatalErrors()
        jobs = [each.job for each in self._fetchers]
        self._ticker = Ticker([*jobs, self._fitness.schema_job(club)])

    def unwell(self) -> str:
        """Return what is stuck, in words. Empty if all is well."""
        return all_unwell(self._ticker, *self._fetchers)

    def doing(self) -> str:
        """Return what it does, in one line for people."""
        return "; ".join(fetcher.doing() for fetcher in self._fetchers)

    def run_until(self, stop: threading.Event) -> None:
        """Run until the event is set, then stop within ten seconds whatever is in progress.

        Raises MustStop if that is why it stops.
        """
        self._fitness.ends(stop)
        self._ticker.start()
        for fetcher in self._fetchers:
            fetcher.start(self._ticker)
        settled = [fetcher.settled for fetcher in self._fetchers]
        with systemd_notified(stop, self.unwell, self.doing, settled):
            stop.wait()
        log.info("ending")
        self._close_tokens()
        for fetcher in self._fetchers:
            fetcher.end()
        self._ticker.stop(0)
        end(self._ticker.wait, self._close, self._fitness.status)
        self._fitness.require()

    def _close(self) -> None:
        for fetcher in self._fetchers:
            fetcher.close()
