"""Work: one unit of work, the club and one `now`; what a use case is given."""

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
from pbem.matches.history import Kind
from pbem.matches.match import Match, MatchSummary
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club


class ConcurrentChange(Exception):
    """What a change relied on was there when it was judged, and is not when it is written.

    Somebody else was faster: the last seat is taken, or the name. The mail is judged once more.
    """


class Cause(NamedTuple):
    """Whose email is the cause of everything that is done."""

    holder: Holder
    """A member, or the address of a stranger."""
    allowance: str = ""
    """What an answer to them counts against; empty if they have proved that they sent it."""
    answers_left: AnswersLeft | None = None
    """How many more answers they get today, if their answer says so."""
    limited: bool = True
    """Whether what they cause to be sent to others is counted."""


@dataclass(frozen=True)
class Work(UnitOfWork):
    """One transaction of a club, and the moment for which everything in it is done."""

    club: Club
    now: datetime
    """UTC; read once, when the transaction had begun or something else was begun in it."""
    received_at: datetime | None = None
    """When the mail was received upon which everything is done; None: upon none."""
    cause: Cause | None = None
    """Whose email is the cause; None if it is nobody's, or a computer opponent's."""
    entries: Counter[tuple[str, Kind]] = field(default_factory=Counter)
    """What has gone into the histories of matches, by game and kind."""
    faulty_templates: set[str] = field(default_factory=set)
    """Templates that failed to render an email."""

    @classmethod
    def of(cls, uow: UnitOfWork, club: Club, now: datetime) -> Work:
        """The work of a club in a transaction."""
        return cls(**vars(uow), club=club, now=now)

    def again(self) -> Work:
        """The same transaction for what is done next in it, at a moment of its own."""
        return replace(self, now=self.club.clock.now(), received_at=None)

    @cached_property
    def last_beat(self) -> datetime | None:
        """Last heartbeat, read once.

        What is done `again` reads it anew: before its match was locked another process may have
        credited an outage.
        """
        return self.service.last_beat()

    def match(self, match_id: int) -> Match:
        """A match with its position; raises StorageError if there is none, or ReplayError."""
        return self.whole(self.matches.get(match_id))

    def lock_match(self, match_id: int) -> Match:
        """Like match; nobody else can lock it until this unit of work ends."""
        return self.whole(self.matches.lock(match_id))

    def whole(self, summary: MatchSummary) -> Match:
        """A match with its position, which is kept in memory; raises ReplayError."""
        return Match.of(summary, self.club.positions.of(self, summary))


@contextmanager
def writing(club: Club) -> Iterator[Work]:
    """A piece of work that may change something: all of it is committed at the end, or nothing."""
    with club.storage.writing() as uow:
        work = Work.of(uow, club, club.clock.now())
        yield work
        # At the end and in order, so that two who write the same do not wait for each other.
        for template in sorted(work.faulty_templates):
            work.service.template_failed(template, work.now)
    for (game, kind), times in work.entries.items():
        club.meter.happened(game, kind, times)


@contextmanager
def reading(club: Club) -> Iterator[Work]:
    """A piece of work that changes nothing; what it reads is of one moment."""
    with club.storage.reading() as uow:
        yield Work.of(uow, club, club.clock.now())
