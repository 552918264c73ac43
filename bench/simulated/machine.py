"""Who does the club's work."""

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
from pbem.service.delivery.deliver import deliver
from pbem.service.reading_room.publish import publish_room
from pbem.service.receive import receive
from pbem.service.records.publish import publish_all
from pbem.service.work import writing

BATCH = 50
"""Mails recorded in one transaction, as a poll does."""


class Machine(Protocol):
    """What works for a club."""

    def counts(self) -> None:
        """What it used until now does not count."""

    def take_in(self, mails: Sequence[Written]) -> list[float]:
        """Mail has come; returns when each was recorded, by the machine's own time."""

    def works(self) -> None:
        """All that waits is done, and the mails of it are with their members."""

    def sweeps(self) -> None:
        """What is due is seen to."""

    def publishes(self) -> None:
        """Records and pages are written."""

    def cpu(self) -> dict[str, float]:
        """Seconds of the processor by part."""

    def statements(self) -> dict[str, int]:
        """SQL statements by part."""


class OneProcess:
    """The whole club in this thread."""

    def __init__(self, club: Club, transport: SmtpTransport) -> None:
        self._club = club
        self._transport = transport
        self._part = ""
        self.counts()
        event.listen(Engine, "before_cursor_execute", self._count)

    def counts(self) -> None:
        """Begins anew."""
        self._cpu: defaultdict[str, float] = defaultdict(float)
        self._statements: Counter[str] = Counter()

    def close(self) -> None:
        """Statements are counted no more."""
        event.remove(Engine, "before_cursor_execute", self._count)

    def _count(self, *_: object) -> None:
        self._statements[self._part] += 1

    def watched(self, part: str, run: Callable[[], object]) -> None:
        """Does something whose time and statements count for a part."""
        # Of this thread alone: the members' mail server is in the same process.
        self._part, began = part, time.thread_time()
        run()
        self._cpu[part] += time.thread_time() - began
        self._part = ""

    def take_in(self, mails: Sequence[Written]) -> list[float]:
        """As a poll records them."""
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
        """As every minute."""
        self.watched("sweep", lambda: sweep(self._club))
        self.works()

    def publishes(self) -> None:
        """Records, then pages."""
        club = self._club
        self.watched("publish", lambda: publish_all(club.storage, club.archive, club.clock))
        if (room := club.room) is not None:
            self.watched("publish", lambda: publish_room(club.storage, room))

    def cpu(self) -> dict[str, float]:
        """Of this thread."""
        return dict(self._cpu)

    def statements(self) -> dict[str, int]:
        """As they were sent to SQLite, BEGIN and COMMIT left out."""
        return {part: number for part, number in self._statements.items() if part}
