"""Place: the position of a match in its competition."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A place in a competition, for one match."""

    competition: int
    """Id of the competition."""
    round: int
    """Number of the round, from 1."""
    index: int
    """Number of the match in the competition, from 1."""
