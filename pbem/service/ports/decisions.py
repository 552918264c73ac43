"""What directors did by their role, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pbem.matches.match import PlayerId


@dataclass(frozen=True)
class LoggedDecision:
    """Something that a director did by their role."""

    at: datetime
    by: PlayerId | None
    """The director; None: who sits at the shell."""
    match_id: int | None
    """The match that it is about."""
    line: str
    """What was asked for, members by number: `forfeit 12 {7}`. Names can be taken away."""
    reason: str
    """Why, in the director's words; may be empty."""
    id: int = 0


class Decisions(Protocol):
    """The log of what directors did."""

    def add(self, decision: LoggedDecision) -> None:
        """Logs it; raises StorageError if a member or a match is not stored."""

    def newest(self, limit: int, match_id: int | None = None) -> Sequence[LoggedDecision]:
        """The last so many, newest first; of one match, if it is named."""
