"""Open-ended competitions: they start matches until a day, or until a director closes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Self

from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, PlayerId


@dataclass(frozen=True)
class OpenEnded(Competition):
    """A competition that starts matches until it is closed. Members can enter until then."""

    takes_late_entries = True
    has_end = False

    until: str = field(default="", kw_only=True)
    """Last day on which matches start, as a date, or empty. `closed` has effect, not this date."""
    closed: bool = field(default=False, kw_only=True)
    """Whether no more matches start."""

    @property
    def ends_on(self) -> date | None:
        """The last day on which matches start."""
        return date.fromisoformat(self.until) if self.until else None

    def closed_now(self) -> Self | None:
        """Return the competition without further matches. None if it is closed already."""
        return None if self.closed else replace(self, closed=True)

    def may_enter(self, player: PlayerId, matches: Sequence[MatchSummary]) -> bool:
        """Return whether it is not closed."""
        return not self.closed
