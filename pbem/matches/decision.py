"""Decisions: what the director did to a match, as events with data and no sentence.

What goes into the history tells that it was done, to whom and with which effect. Who did it and why
is kept in the club's log, and told to the table: a reason may speak of people, who can take their
names away, and a history is for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pbem.games.api import Seat
from pbem.matches.match import PlayerId
from pbem.matches.quiet import write_span


@dataclass(frozen=True)
class Decision:
    """Something that the director did to a match."""

    turn: int
    """The turn that was being played."""
    reason: str
    """Why, in the director's words; may be empty."""

    @property
    def seat(self) -> Seat:
        """Whom it befell, by their first seat; empty: everybody."""
        return ""

    @property
    def text(self) -> str:
        """What a history tells of it beside its kind, turn and seat."""
        return ""


class Cancelled(Decision):
    """The match is as if it had not been."""


class Adjudged(Decision):
    """The director has decided how the match ends; that it counts for nobody, too."""


class Paused(Decision):
    """No time is charged, whoever's turn it is, until the director has the match go on."""


class Resumed(Decision):
    """Pauses of the match are over."""


@dataclass(frozen=True)
class OfPlayer(Decision):
    """A decision about one player."""

    player: PlayerId
    first_seat: Seat

    @property
    def seat(self) -> Seat:
        """Their first one."""
        return self.first_seat


class Forfeited(OfPlayer):
    """A player has lost by decision; where the others can play on, they do."""


class Directed(OfPlayer):
    """The director acts for a player: the actions that follow in the turn are the director's."""


@dataclass(frozen=True)
class Extended(OfPlayer):
    """The player to act has more time for the turn."""

    by: timedelta

    @property
    def text(self) -> str:
        """`3d`, `36h`."""
        return write_span(self.by)


@dataclass(frozen=True)
class BreakOrdered(Decision):
    """No time is charged for so long, whoever's turn it is."""

    span: timedelta

    @property
    def text(self) -> str:
        """`14d`, `36h`."""
        return write_span(self.span)


@dataclass(frozen=True)
class Replaced(OfPlayer):
    """Another member goes on in the place of a player."""

    successor: PlayerId
    name: str
    """Of the player, who is in the match no more."""

    @property
    def text(self) -> str:
        """Number of the player, then that of who goes on."""
        return f"{self.player} {self.successor}"


@dataclass(frozen=True)
class Undone(Decision):
    """What was played in a turn and after it is taken back."""

    to: int
    """The turn that is played again."""

    @property
    def text(self) -> str:
        """The number of the turn."""
        return str(self.to)
