"""Emails about leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.time_view import DueTime


@dataclass(frozen=True)
class _MaybeOfMatch(Mail):
    """An email in the thread of a match, if it is about only one."""

    view: MatchView | None

    @property
    def about(self) -> MatchView | None:
        """The match, if it is only one."""
        return self.view


@dataclass(frozen=True)
class _OfOther(_MaybeOfMatch):
    """To someone who plays with the member on leave."""

    matches: Sequence[int]


@dataclass(frozen=True)
class OnLeave(_OfOther):
    """A member is or will be on leave."""

    member: str
    first: date
    last: date | None
    """Last day of leave. None if unknown, since leave is taken day by day."""


@dataclass(frozen=True)
class BackFromLeave(_OfOther):
    """Announced leave ends early or is cancelled."""

    member: str
    first: date
    last: date
    """The last day as announced."""
    now: bool
    """Whether it ends early. Otherwise, it is cancelled before it starts."""


@dataclass(frozen=True)
class LeaveTaken(_MaybeOfMatch):
    """To a member whose leave was not taken by their own command."""

    why: str
    """Why leave was taken.

    `flag`: they ran out of time. `absence`: their mailbox answered. `director`: a director took it.
    `ended`: a director ended it.
    """
    first: date
    last: date
    year: int
    left: int
    """Days left in that year."""
    shorter: bool = False
    """Whether there were too few days for the whole absence."""
    until: DueTime | None = None
    """When automatic leave ends, unless another day follows."""
    at_most: date | None = None
    """Last day that can follow automatically, None for no limit."""
