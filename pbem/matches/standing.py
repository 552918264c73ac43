"""Standing: the table of a competition as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pbem.matches.match import PlayerId


@dataclass(frozen=True)
class Scored:
    """A player's result from an ended match."""

    index: int
    against: tuple[PlayerId, ...]
    """Players on the opposing sides."""
    points: Fraction


class TieBreak(NamedTuple):
    """A value that orders players with equal points."""

    key: str
    value: Fraction


class StandingRow(NamedTuple):
    """Standing of one player."""

    player: PlayerId
    points: Fraction
    scored: tuple[Scored, ...] = ()
    """Ended matches only, in their order."""
    tie_breaks: tuple[TieBreak, ...] = ()
    withdrawn: bool = False
    """Whether they have withdrawn. Then they are below all others, and cannot win."""


@dataclass(frozen=True)
class Standing:
    """Standing of a competition. A kind may add fields."""

    rows: tuple[StandingRow, ...]
    """Rows in display order."""
    over: bool = False
    winners: tuple[PlayerId, ...] = ()
    """Players who share first place, once it is over."""


def leaders(rows: Sequence[StandingRow]) -> tuple[PlayerId, ...]:
    """Return the players level with the first on points and tie-breaks. Rows must be in order.

    Nobody, if all have withdrawn.
    """
    level = [row[1:2] + row[3:] for row in rows]
    return tuple(
        row.player
        for row, values in zip(rows, level, strict=True)
        if values == level[0] and not row.withdrawn
    )
