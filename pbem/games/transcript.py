"""Transcripts: a match as programs outside exchange it, such as PGN in chess."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple


class TranscriptAction(NamedTuple):
    """An action in force, with what was said about it."""

    seat: str
    text: str
    """Canonical text. A reader may leave it as it found it."""
    taken: timedelta | None = None
    """Time since the action before it, None if unknown."""
    notes: tuple[str, ...] = ()
    """What the players said in this turn, each on one line with its author: `Anna: thanks`."""


@dataclass(frozen=True)
class Transcript:
    """A match with its public names and notes, running or ended."""

    game_key: str
    players: Mapping[str, str]
    """Names by seat."""
    actions: tuple[TranscriptAction, ...]
    options: Mapping[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] | None = None
    """Seats that won, empty for a draw, None while the match is running."""
    termination: str = ""
    """Why it ended, as a key of pbem. Empty if that is unknown."""
    club: str = ""
    match_id: int = 0
    competition: str = ""
    """The competition and the place in it, for example `tournament 3.7`."""
    started_at: datetime | None = None
    time: str = ""
    """The time control, as players write it."""


class RecordFormat(NamedTuple):
    """A format of records that programs for a game know."""

    title: str
    """Its name, for example `PGN`."""
    suffix: str
    """Suffix of its files without the dot, which also names it on the command line."""
    write: Callable[[Transcript], str]
    read: Callable[[str], Sequence[Transcript]]
    """Raises ValueError with a sentence for people. Does not check the rules."""


__all__ = ["RecordFormat", "Transcript", "TranscriptAction"]
