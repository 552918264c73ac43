"""Work: one transaction with its club and its moment, given to every use case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from pbem.mail.outgoing.look import AnswersLeft
from pbem.mail.topic import Holder
from pbem.matches.forecast import Paces
from pbem.matches.history import Kind
from pbem.matches.match import Match, MatchSummary, PlayerId
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club


class ConcurrentChange(Exception):
    """Raised if the facts for a change no longer hold when it is written.

    Somebody else was faster and took the last seat or the name. The email is then judged again.
    """


class Cause(NamedTuple):
    """The email that caused everything in a transaction, and its sender."""

    holder: Holder
    """A member, or the address of a stranger."""
    allowance: str = ""
    """The allowance that an answer counts against. Empty if the sender is proven."""
    answers_left: AnswersLeft | None = None
    """Number of further answers they get today, if the answer says so."""
    limited: bool = True
    """Whether emails to others that they cause are counted."""


@dataclass(frozen=True)
class Work(UnitOfWork):
    """One transaction of a club, and the moment at which everything in it happens."""

    club: Club
    now: datetime
    """In UTC. Read when the transaction began, or when the latest `again` did."""
    received_at: datetime | None = None
    """When the email that caused this was received, None if no email did."""
    cause: Cause | None = None
    """The email that caused this, None if no email or a bot did."""
    entries: Counter[tuple[str, Kind]] = field(default_factory=Counter)
    """New entries of match histories by game and kind."""
    faulty_templates: set[str] = field(default_factory=set)
    """Templates that failed to render an email."""
    paces: dict[int, Paces | None] = field(default_factory=dict)
    """How fast the players of competitions play, by its id. Read once."""
    director_turns: dict[PlayerId, int] = field(default_factory=dict)
    """The turn in the tokens of emails to each director that this step superseded others with."""

    @classmethod
    def of(cls, uow: UnitOfWork, club: Club, now: datetime) -> Work:
        """Return the work of a club in a transaction."""
        return cls(**vars(uow), club=club, now=now)

    def again(self) -> Work:
        """Return work in the same transaction for the next step, at the current moment."""
        now = self.club.clock.now()
        return replace(self, now=now, received_at=None, director_turns={})

    @cached_property
    def last_beat(self) -> datetime | None:
        """Return the last heartbeat, read once.

        Work from `again` re-reads it, since another process may have credited an outage before the
        match was locked.
        """
        return self.service.last_beat()

    def match(self, match_id: int) -> Match:
        """Return a match with its position. Raises StorageError or ReplayError."""
        return self.whole(self.matches.get(match_id))

    def lock_match(self, match_id: int) -> Match:
        """Return a match and lock it until this unit of work ends. Raises as `match` does."""
        return self.whole(self.matches.lock(match_id))

    def whole(self, summary: MatchSummary) -> Match:
        """Return a match with its position, which stays in memory. Raises ReplayError."""
        return Match.of(summary, self.club.positions.of(self, summary))


@contextmanager
def writing(club: Club) -> Iterator[Work]:
    """Open a transaction that may change data and is committed as a whole at the end."""
    with club.storage.writing() as uow:
        work = Work.of(uow, club, club.clock.now())
        yield work
        # At the end and sorted, so that two transactions that write the same rows never deadlock.
        for template in sorted(work.faulty_templates):
            work.service.template_failed(template, work.now)
    for (game, kind), times in work.entries.items():
        club.meter.happened(game, kind, times)


@contextmanager
def reading(club: Club) -> Iterator[Work]:
    """Open a transaction that only reads, all as of one moment."""
    with club.storage.reading() as uow:
        yield Work.of(uow, club, club.clock.now())
