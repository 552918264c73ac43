"""Status: how a club stands, as its database tells; for people, for programs and for alarms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.mail.outgoing.letter import Urgency
from pbem.ports.inbound import InboundState
from pbem.ports.process import JobTally, Tally
from pbem.ports.storage import HANDED_OVER, LISTENS, ServiceLog
from pbem.service.club import Club
from pbem.service.delivery.claims import WaitingLine, waiting
from pbem.service.work import reading

DAY = timedelta(days=1)


class InLine(NamedTuple):
    """Mails of one urgency that could go now, and why they do not."""

    urgency: Urgency
    limit: str
    """The setting in `[smtp]` that holds them up: `rate`; empty: they are about to go."""
    mails: int
    since: datetime
    """When the oldest was queued."""


class IntakeStatus(NamedTuple):
    """A way by which mail comes in."""

    name: str
    complete_until: datetime | None
    """All mail that came before is recorded; None if nobody has ever looked."""
    seen_at: datetime | None
    """When somebody looked the last time, or listened."""

    @property
    def called(self) -> str:
        """What it is called in numbers: the first mailbox has no name."""
        return self.name or "first"

    @property
    def place(self) -> str:
        """Where mail comes from, for people."""
        if self.name == HANDED_OVER:
            return "LMTP"
        return f"the mailbox {self.name}" if self.name else "the first mailbox"


@dataclass(frozen=True)
class Status:
    """How a club stood at a moment."""

    now: datetime
    schema: str
    """Number of the revision that the database is at."""
    last_beat: datetime | None
    """When somebody saw to what is due the last time; None: nobody ever did."""
    intakes: tuple[IntakeStatus, ...]
    held_since: datetime | None
    """When it was restored, if no mail goes and no time counts since; None: all goes on."""
    backed_up: datetime | None
    """When it was the last time; None if it never was."""
    ahead: timedelta | None
    """Of this machine's clock before that of the database; None where they are the same."""
    mails: Mapping[InboundState, Tally]
    """Received mails of which more is to become."""
    lines: tuple[InLine, ...]
    """The most urgent first."""
    put_off: Tally
    """Mails that are tried again later."""
    failed: int
    """Mails that were tried within the last day, and will never arrive."""
    jobs: JobTally | None
    """None where there is no queue of jobs."""
    playing: Counter[str]
    """Matches that are being played, by game."""
    members: int
    failed_templates: Mapping[str, datetime]
    """Templates that failed to render an email within the last day, and when each last did."""


def status_of(club: Club) -> Status:
    """How a club stands; raises StorageUnavailable."""
    with reading(club) as work:
        return Status(
            now=work.now,
            schema=work.tallies.schema(),
            last_beat=work.service.last_beat(),
            intakes=tuple(_intake(work.service, each) for each in club.intakes),
            held_since=work.service.held_since(),
            backed_up=work.service.last_backup(),
            ahead=_ahead(club),
            mails=work.tallies.unfinished(),
            lines=_together(waiting(work)),
            put_off=work.tallies.put_off(work.now),
            failed=work.tallies.failed(work.now - DAY),
            jobs=work.tallies.jobs(),
            playing=work.tallies.playing(),
            members=work.tallies.members(),
            failed_templates=work.service.failed_templates(work.now - DAY),
        )


def _ahead(club: Club) -> timedelta | None:
    return None if club.witness is None else club.clock.now() - club.witness.now()


def _intake(log: ServiceLog, name: str) -> IntakeStatus:
    """Mail that is handed over is complete only once what waits elsewhere was tried again."""
    complete_until = log.last_poll((name,))
    seen_at = log.last_poll((LISTENS,)) if name == HANDED_OVER else complete_until
    return IntakeStatus(name, complete_until, seen_at)


def _together(lines: list[WaitingLine]) -> tuple[InLine, ...]:
    """Whatever domain they are to."""
    found: dict[tuple[Urgency, str], InLine] = {}
    for line, limit, _ in lines:
        key = line.urgency, limit
        before = found.get(key, InLine(*key, 0, line.since))
        mails, since = before.mails + line.mails, min(before.since, line.since)
        found[key] = InLine(*key, mails, since)
    return tuple(found[key] for key in sorted(found))
