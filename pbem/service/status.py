"""Status: the club's state as its database shows it, for people, programs and alerts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.games.phrases import Phrase
from pbem.mail.outgoing.letter import Urgency
from pbem.ports.inbound import InboundState
from pbem.ports.play import Pause
from pbem.ports.process import JobTally, Tally
from pbem.ports.storage import HANDED_OVER, LISTENS, FailedBot, Failures, ServiceLog
from pbem.service.clocks.schedule import club_pauses
from pbem.service.club import Club
from pbem.service.competitions.due import stuck
from pbem.service.delivery.claims import WaitingLine, waiting
from pbem.service.statistics import EarlyPair, early_pairs
from pbem.service.words import phrase
from pbem.service.work import Work, reading

DAY = timedelta(days=1)


class InLine(NamedTuple):
    """Emails of one urgency that could go now, and the limit that holds them."""

    urgency: Urgency
    limit: str
    """The setting in `[smtp]` that holds them, such as `rate`. Empty if they are about to go."""
    mails: int
    since: datetime
    """When the oldest was queued."""


class IntakeStatus(NamedTuple):
    """Status of a way by which email comes in."""

    name: str
    complete_until: datetime | None
    """All email that arrived before this is recorded. None if it was never read."""
    seen_at: datetime | None
    """When it was last read, or last known to listen."""

    @property
    def called(self) -> str:
        """Return its label in metrics. The first mailbox has no name of its own."""
        return self.name or "first"

    @property
    def place(self) -> Phrase:
        """Return where email comes from, in words."""
        if self.name == HANDED_OVER:
            return phrase("place.lmtp")
        return phrase("place.other", name=self.name) if self.name else phrase("place.first")


@dataclass(frozen=True)
class Status:
    """Status of a club at a moment."""

    now: datetime
    schema: str
    """Schema revision of the database."""
    last_beat: datetime | None
    """When due reminders and flags were last handled, None if never."""
    intakes: tuple[IntakeStatus, ...]
    held_since: datetime | None
    """When the club was restored, if its mail is still held. None if it is not held."""
    backed_up: datetime | None
    """When the last backup was made, None if never."""
    backup_tested: datetime | None
    """When a backup was last restored as a test, None if never."""
    ahead: timedelta | None
    """Lead of this machine's clock over the database's. None if they are the same clock."""
    mails: Mapping[InboundState, Tally]
    """Received emails that still need processing."""
    lines: tuple[InLine, ...]
    """Waiting emails, most urgent first."""
    put_off: Tally
    """Emails that will be tried again later."""
    failed: int
    """Undeliverable emails last tried within a day."""
    jobs: JobTally | None
    """State of the job queue. None if there is no queue."""
    playing: Counter[str]
    """Running matches by game."""
    members: int
    failed_templates: Mapping[str, datetime]
    """Templates that failed to render an email within the last day, and when each last did."""
    failed_bots: Mapping[FailedBot, Failures] = field(default_factory=dict)
    """Bots that failed and have not answered since."""
    stuck_competitions: Mapping[int, datetime] = field(default_factory=dict)
    """Competitions that fail to proceed, by number, and since when they should have."""
    webhook_fails_since: datetime | None = None
    """When the webhook first failed, None if it works or there is none."""
    paused: Pause | None = None
    """The director's pause of the whole club."""
    early_pairs: tuple[EarlyPair, ...] = ()
    """Pairs of members who may feed each other, if they were looked for."""

    @property
    def unfinished(self) -> int:
        """Number of received emails that still need processing."""
        return sum(tally.number for tally in self.mails.values())


def status_of(club: Club, *, pairs: bool = False) -> Status:
    """Return the status of a club. Raises StorageUnavailable."""
    with reading(club) as work:
        return status_in(work, pairs=pairs)


def status_in(work: Work, *, pairs: bool = False) -> Status:
    """Return the status of a club as a transaction sees it.

    `pairs` also looks for members who may feed each other, which takes longer.
    """
    return Status(
        now=work.now,
        schema=work.tallies.schema(),
        last_beat=work.service.last_beat(),
        intakes=tuple(_intake(work.service, each) for each in work.club.intakes),
        held_since=work.service.held_since(),
        backed_up=work.service.last_backup(),
        backup_tested=work.service.last_backup_test(),
        ahead=_ahead(work.club),
        mails=work.tallies.unfinished(),
        lines=_together(waiting(work)),
        put_off=work.tallies.put_off(work.now),
        failed=work.tallies.failed(work.now - DAY),
        jobs=work.tallies.jobs(),
        playing=work.tallies.playing(),
        members=work.tallies.members(),
        failed_templates=work.service.failed_templates(work.now - DAY),
        failed_bots=work.service.failed_bots(),
        stuck_competitions=stuck(work),
        webhook_fails_since=work.service.webhook_fails_since() if work.club.webhook else None,
        paused=next(iter(club_pauses(work)), None),
        early_pairs=early_pairs(work, work.now) if pairs else (),
    )


def _ahead(club: Club) -> timedelta | None:
    return None if club.witness is None else club.clock.now() - club.witness.now()


def _intake(log: ServiceLog, name: str) -> IntakeStatus:
    """Return an intake's status. LMTP is complete only once mail queued elsewhere was retried."""
    complete_until = log.last_poll((name,))
    seen_at = log.last_poll((LISTENS,)) if name == HANDED_OVER else complete_until
    return IntakeStatus(name, complete_until, seen_at)


def _together(lines: list[WaitingLine]) -> tuple[InLine, ...]:
    """Add up the lines of all domains."""
    found: dict[tuple[Urgency, str], InLine] = {}
    for line, limit, _ in lines:
        key = line.urgency, limit
        before = found.get(key, InLine(*key, 0, line.since))
        mails, since = before.mails + line.mails, min(before.since, line.since)
        found[key] = InLine(*key, mails, since)
    return tuple(found[key] for key in sorted(found))
