"""The database: one transaction over all repositories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from pbem.ports.inbound import Inbound
from pbem.ports.keeping import Erasures, Exposures, Retention
from pbem.ports.outbox import Outbox
from pbem.ports.people import Absences, Blocks, Leaves, Offers, Players, Questions
from pbem.ports.play import Competitions, Deadlines, Decisions, Matches, Pauses, Snapshots
from pbem.ports.process import Jobs, Tallies
from pbem.ports.room import Notes, ShownMatches, StalePages, WaitingNotes

FIRST_INTAKE = ""
"""Name of the way by which mail comes in where nothing else is configured: a mailbox."""
HANDED_OVER = "lmtp"
"""Name of the way that needs no mailbox."""
LISTENS = "lmtp, listening"
"""Under this name it stands when somebody listened last, whether all mail was complete or not."""


class ServiceLog(Protocol):
    """When the service was last alive."""

    def last_beat(self) -> datetime | None:
        """Last heartbeat."""

    def lock(self) -> datetime | None:
        """Like last_beat; nobody else can lock it until this unit of work ends."""

    def beat(self, at: datetime) -> None:
        """Heartbeat; never goes back."""

    def last_poll(self, intakes: Collection[str] = (FIRST_INTAKE,)) -> datetime | None:
        """Until when all mail that came by some intakes is recorded; None if one never has."""

    def polled(self, at: datetime, intake: str = FIRST_INTAKE) -> None:
        """All that came by an intake until then is recorded: a poll began then, and has ended."""

    def last_backup(self) -> datetime | None:
        """Which moment the newest backup is of; None if there is none."""

    def backed_up(self, at: datetime) -> None:
        """A backup of that moment is complete; never goes back."""

    def kept_from(self) -> datetime | None:
        """Since when mails are kept, by what was told last; None if nothing ever was."""

    def keep_from(self, at: datetime) -> None:
        """Older ones need not be kept; never goes back."""

    def template_failed(self, template: str, at: datetime) -> None:
        """Record that a template failed to render an email. Never goes back."""

    def failed_templates(self, since: datetime) -> Mapping[str, datetime]:
        """Return the templates that failed since then, by name, with when each last did."""

    def held_since(self) -> datetime | None:
        """When the club was restored, if its mail is held since; None: it goes as usual."""

    def hold(self, at: datetime) -> None:
        """No mail goes and no time counts, until the club goes on."""

    def go_on(self) -> None:
        """Nothing is held any more."""

    def set_back(self, by: timedelta, now: datetime) -> None:
        """The clock has gone back by so much, and it is now as told.

        What goes on goes back with it: when a turn began, until when a question waits, the last
        poll. So does what waits, is held or has been later than now. Clocks are set back by
        themselves.
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
    inbound: Inbound
    outbox: Outbox
    questions: Questions
    exposures: Exposures
    erasures: Erasures
    retention: Retention
    deadlines: Deadlines
    decisions: Decisions
    pauses: Pauses
    snapshots: Snapshots
    notes: Notes
    waiting_notes: WaitingNotes
    shown: ShownMatches
    stale: StalePages
    service: ServiceLog
    tallies: Tallies
    jobs: Jobs


class Storage(Protocol):
    """The database."""

    def writing(self) -> AbstractContextManager[UnitOfWork]:
        """A transaction that may write: commits at the end of the block, rolls back on an error.

        On SQLite it holds the write lock from its beginning; on PostgreSQL it reads what is
        committed, and `lock` methods take row locks.
        """

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        """A transaction that writes nothing."""

    def wake_by(self, wake: Callable[[str], None]) -> None:
        """Who hears, after a commit, of each job that was enqueued in it; nobody at first."""

    def wipe(self) -> bool:
        """Leaves nothing of what was deleted in the files of the database, as far as it owns them.

        False if somebody is reading just now: it is to be tried again.
        """

    def close(self) -> None:
        """Gives the connections back."""
