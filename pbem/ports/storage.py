"""The database: one transaction over all repositories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from pbem.ports.imported import ImportedMatches
from pbem.ports.inbound import Inbound
from pbem.ports.keeping import Erasures, Exposures, Retention
from pbem.ports.outbox import Outbox
from pbem.ports.people import (
    Absences,
    Blocks,
    InvitedMailboxes,
    Leaves,
    Mutes,
    Offers,
    Players,
    Questions,
)
from pbem.ports.play import (
    Competitions,
    Deadlines,
    Decisions,
    Digests,
    Matches,
    Pauses,
    Plans,
    Snapshots,
    WaitingNews,
)
from pbem.ports.process import Jobs, Tallies
from pbem.ports.ratings import Ratings
from pbem.ports.room import (
    Announcements,
    Notes,
    ShownMatches,
    StalePages,
    WaitingNotes,
    Watches,
)

FIRST_INTAKE = ""
"""Name of the only intake if none is configured: a mailbox."""
HANDED_OVER = "lmtp"
"""Name of the intake that needs no mailbox."""
LISTENS = "lmtp, listening"
"""Name under which the last time of listening is stored, even if some emails are missing."""


class FailedBot(NamedTuple):
    """A kind of bot in a match."""

    bot: str
    match_id: int


class Failures(NamedTuple):
    """When something first failed, and when it last did."""

    since: datetime
    last: datetime


class ServiceLog(Protocol):
    """Times at which the service was alive, and its other persistent state."""

    def last_beat(self) -> datetime | None:
        """Return the last heartbeat."""

    def lock(self) -> datetime | None:
        """Return the last heartbeat and lock it until this unit of work ends."""

    def beat(self, at: datetime) -> None:
        """Store a heartbeat, unless a later one is stored."""

    def last_poll(self, intakes: Collection[str] = (FIRST_INTAKE,)) -> datetime | None:
        """Return the time up to which some intakes are recorded, None if one was never polled."""

    def polled(self, at: datetime, intake: str = FIRST_INTAKE) -> None:
        """Note the moment before which all email of an intake is recorded.

        That is when a finished poll started.
        """

    def last_backup(self) -> datetime | None:
        """Return the time of the newest backup, None if there is none."""

    def backed_up(self, at: datetime) -> None:
        """Note a complete backup of a moment, unless a later one is stored."""

    def last_backup_test(self) -> datetime | None:
        """Return when a backup was last restored as a test without problems, None if never."""

    def backup_tested(self, at: datetime) -> None:
        """Note such a test, unless a later one is stored."""

    def kept_from(self) -> datetime | None:
        """Return the time from which emails are kept, None if never set."""

    def keep_from(self, at: datetime) -> None:
        """Note that emails older than a moment need not be kept, unless a later one is stored."""

    def template_failed(self, template: str, at: datetime) -> None:
        """Record that a template failed to render an email. Never goes back."""

    def failed_templates(self, since: datetime) -> Mapping[str, datetime]:
        """Return the templates that failed since then, by name, with when each last did."""

    def bot_failed(self, bot: str, match_id: int, at: datetime) -> None:
        """Note that a kind of bot failed to answer in a match."""

    def failed_bots(self) -> Mapping[FailedBot, Failures]:
        """Return the bots that failed and have not answered since."""

    def bot_works(self, bot: str, match_id: int) -> None:
        """Forget the failures of a kind of bot in a match."""

    def webhook_fails_since(self) -> datetime | None:
        """Return when the webhook first failed. None if it last succeeded, or was never called."""

    def webhook_failed(self, at: datetime) -> None:
        """Note that the webhook failed, unless it did so before."""

    def webhook_works(self) -> None:
        """Note that the webhook succeeded."""

    def held_since(self) -> datetime | None:
        """Return when the club was restored if its email is still held, otherwise None."""

    def hold(self, at: datetime) -> None:
        """Hold all email and stop all clocks until `go_on`."""

    def go_on(self) -> None:
        """Release held email and start the clocks."""

    def set_back(self, by: timedelta, now: datetime) -> None:
        """Correct stored times after the machine's clock went back by `by`, to `now`.

        Moves back the start of turns, the expiry of questions, the last poll, and the times of
        anything waiting, held or in the future. Match clocks are corrected separately.
        """


@dataclass(frozen=True)
class UnitOfWork:
    """Repositories over one transaction."""

    players: Players
    absences: Absences
    leaves: Leaves
    matches: Matches
    competitions: Competitions
    offers: Offers
    blocks: Blocks
    mutes: Mutes
    invited: InvitedMailboxes
    inbound: Inbound
    outbox: Outbox
    questions: Questions
    exposures: Exposures
    erasures: Erasures
    retention: Retention
    deadlines: Deadlines
    decisions: Decisions
    pauses: Pauses
    plans: Plans
    digests: Digests
    waiting_news: WaitingNews
    snapshots: Snapshots
    notes: Notes
    waiting_notes: WaitingNotes
    imported: ImportedMatches
    ratings: Ratings
    shown: ShownMatches
    stale: StalePages
    watches: Watches
    announcements: Announcements
    service: ServiceLog
    tallies: Tallies
    jobs: Jobs


class Storage(Protocol):
    """The database."""

    def writing(self) -> AbstractContextManager[UnitOfWork]:
        """Open a transaction that may write.

        Commits at the end of the block, and rolls back on an error. On SQLite it holds the write
        lock from its beginning. On PostgreSQL it reads committed data, and `lock` methods take row
        locks.
        """

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        """Open a transaction that only reads."""

    def wake_by(self, wake: Callable[[str], None]) -> None:
        """Call `wake` with the name of each enqueued job after its commit.

        Nothing is called by default.
        """

    def wipe(self) -> bool:
        """Remove deleted data from the files of the database, as far as it owns them.

        Returns False if a reader prevents it. Try again later.
        """

    def close(self) -> None:
        """Close the connections."""
