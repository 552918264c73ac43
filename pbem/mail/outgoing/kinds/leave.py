"""Mails about leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.time_view import DueTime


@dataclass(frozen=True)
class _MaybeOfMatch(Mail):
    """In the thread of a match, if it is about one alone."""

    view: MatchView | None

    @property
    def about(self) -> MatchView | None:
        """That match."""
        return self.view


@dataclass(frozen=True)
class _OfOther(_MaybeOfMatch):
    """To who plays along with somebody."""

    matches: Sequence[int]


@dataclass(frozen=True)
class OnLeave(_OfOther):
    """Somebody is on leave, or will be."""

    member: str
    first: date
    last: date | None
    """None: nobody knows, as it is taken day by day."""


@dataclass(frozen=True)
class BackFromLeave(_OfOther):
    """A leave that was told ends before it was to, or does not begin."""

    member: str
    first: date
    last: date
    """As it was told."""
    now: bool
    """Whether it ends; else it does not begin."""


@dataclass(frozen=True)
class LeaveTaken(_MaybeOfMatch):
    """To a member for whom leave was taken, not by their own line."""

    why: str
    """`flag`: their time was over; `absence`: their mailbox has said so; `director`: they have done
    it, or, `ended`, ended it."""
    first: date
    last: date
    year: int
    left: int
    """Days of that year that are left."""
    shorter: bool = False
    """Whether there were no days for all that the mailbox has said."""
    until: DueTime | None = None
    """When automatic leave ends, unless another day follows."""
    at_most: date | None = None
    """The last day that can follow automatically; None if there is no end to them."""
