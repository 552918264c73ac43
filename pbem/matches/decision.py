"""Decisions of the director about a match, as events with data but no sentences.

The history holds the decision, its player and its effect. The director's name and the reason are in
the club's log and in emails to the players. A reason may mention people, who can later remove their
names, but a history never changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pbem.games.api import Seat
from pbem.matches.match import PlayerId
from pbem.matches.off_time import write_span


@dataclass(frozen=True)
class Decision:
    """A director's decision about a match."""

    turn: int
    """Current turn when it was made."""
    reason: str
    """The reason in the director's words, possibly empty."""

    @property
    def seat(self) -> Seat:
        """First seat of the player it affects. Empty if it affects everyone."""
        return ""

    @property
    def text(self) -> str:
        """Text in the history, besides its kind, turn and seat."""
        return ""


class Cancelled(Decision):
    """The match is treated as if it had never been played."""


class Adjudged(Decision):
    """The director decides how the match ends, or that it doesn't count."""


class Reopened(Decision):
    """The result no longer counts. The match continues where it stopped."""


class Paused(Decision):
    """Pause all clocks until the director resumes the match."""


class Resumed(Decision):
    """Pauses of the match end."""


@dataclass(frozen=True)
class OfPlayer(Decision):
    """A decision about one player."""

    player: PlayerId
    first_seat: Seat

    @property
    def seat(self) -> Seat:
        """First seat of the player."""
        return self.first_seat


class Forfeited(OfPlayer):
    """A player loses by decision. If the game allows it, the others continue."""


class Directed(OfPlayer):
    """The director acts for a player. The actions that follow in the turn are the director's."""


@dataclass(frozen=True)
class Extended(OfPlayer):
    """The player to act gets more time for the turn."""

    by: timedelta

    @property
    def text(self) -> str:
        """The time, for example `3d` or `36h`."""
        return write_span(self.by)


@dataclass(frozen=True)
class BreakOrdered(Decision):
    """Pause all clocks for a period."""

    span: timedelta

    @property
    def text(self) -> str:
        """The length, for example `14d` or `36h`."""
        return write_span(self.span)


@dataclass(frozen=True)
class Replaced(OfPlayer):
    """Another member takes over from a player."""

    successor: PlayerId
    name: str
    """Name of the player, who is no longer in the match."""

    @property
    def text(self) -> str:
        """Number of the player, then that of the successor."""
        return f"{self.player} {self.successor}"


@dataclass(frozen=True)
class Undone(Decision):
    """A turn and everything after it is taken back."""

    to: int
    """Turn that is played again."""

    @property
    def text(self) -> str:
        """Number of that turn."""
        return str(self.to)
