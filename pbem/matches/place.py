"""Place: where a match stands in the competition that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A place in a competition, which one match can have."""

    competition: int
    """Id of the competition."""
    round: int
    """From 1."""
    index: int
    """Number of the match in the competition, from 1."""
