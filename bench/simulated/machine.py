"""Machines that do the work of a simulated club."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol

from sqlalchemy import Engine, event

from bench.simulated.people import Written
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.inbox.pending import process_pending
from pbem.jobs.sweep import sweep
from pbem.ports.inbound import ReceivedMail
from pbem.service.club import Club
from pbem.service.competitions.running import run_competitions
from pbem.service.delivery.deliver import deliver
from pbem.service.reading_room.publish import publish_room
from pbem.service.receive import receive
from pbem.service.records.publish import publish_all
from pbem.service.work import writing

BATCH = 50
"""Emails recorded in one transaction, as in a poll."""


class Machine(Protocol):
    """Does the work of a club."""

    def counts(self) -> None:
        """Reset all counts."""

    def take_in(self, mails: Sequence[Written]) -> list[float]:
        """Take in emails. Return when each was recorded, by the monotonic clock."""

    def works(self) -> None:
        """Finish everything that is waiting, including its emails to members."""

    def sweeps(self) -> None:
        """Handle everything that is due."""

    def publishes(self) -> None:
        """Write records and pages."""

    def cpu(self) -> dict[str, float]:
        """Return seconds of processor time by part."""

    def statements(self) -> dict[str, int]:
        """Return numbers of SQL statements by part."""


class OneProcess:
    """The whole club in this thread."""

    def __init__(self, club: Club, transport: SmtpTransport) -> None:
        self._club = club
        self._transport = transport
        self._part = ""
        self.counts()
        event.listen(Engine, "before_cursor_execute", self._count)

    def counts(self) -> None:
        """Start counting from zero."""
        self._cpu: defaultdict[str, float] = defaultdict(float)
        self._statements: Counter[str] = Counter()

    def close(self) -> None:
        """Stop counting statements."""
        event.remove(Engine, "before_cursor_execute", self._count)

    def _count(self, *_: object) -> None:
        self._statements[self._part] += 1

    def watched(self, part: str, run: Callable[[], object]) -> None:
        """Run something whose time and statements count towards a part."""
        # Only of this thread: the members' mail server is in the same process.
        self._part, began = part, time.thread_time()
        run()
        self._cpu[part] += time.thread_time() - began
        self._part = ""

    def take_in(self, mails: Sequence[Written]) -> list[float]:
        """Record emails as a poll does."""
        self.watched("intake", lambda: self._record(mails))
        return [time.monotonic()] * len(mails)

    def _record(self, mails: Sequence[Written]) -> None:
        for first in range(0, len(mails), BATCH):
            with writing(self._club) as work:
                for mail in mails[first : first + BATCH]:
                    came = ReceivedMail("simulated", 1, mail.number, mail.at, mail.raw)
                    receive(work, [came])

    def works(self) -> None:
        """Process, then deliver."""
        self.watched("process", lambda: process_pending(self._club))
        self.watched("deliver", lambda: deliver(self._club, self._transport))

    def sweeps(self) -> None:
        """Sweep, as happens every minute, and start and end competitions."""
        self.watched("sweep", lambda: sweep(self._club))
        self.watched("sweep", lambda: run_competitions(self._club))
        self.works()

    def publishes(self) -> None:
        """Publish records, then pages."""
        club = self._club
        self.watched("publish", lambda: publish_all(club.storage, club.archive, club.clock))
        if (room := club.room) is not None:
            self.watched("publish", lambda: publish_room(club.storage, room))

    def cpu(self) -> dict[str, float]:
        """Return the seconds of this thread."""
        return dict(self._cpu)

    def statements(self) -> dict[str, int]:
        """Return the statements sent to SQLite, without BEGIN and COMMIT."""
        return {part: number for part, number in self._statements.items() if part}
