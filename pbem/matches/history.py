"""History: what happened in a match beside its actions, and decides it or may."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pbem.games.api import Seat


class Kind(StrEnum):
    """What an entry of a history is; the words stand in hashes and are for ever."""

    ACTION = "action"
    DRAW_OFFERED = "draw_offered"
    DRAW_ACCEPTED = "draw_accepted"
    DRAW_DECLINED = "draw_declined"
    RESIGNED = "resigned"
    """Of a side of two, each resigns apart."""
    FLAG_FELL = "flag_fell"
    ADJUDGED = "adjudged"
    CHAINED = "chained"
    """What stands before it had been recorded without hashes, and was hashed later."""


class Happened(NamedTuple):
    """Something that has just happened in a match and is no action."""

    kind: Kind
    turn: int
    seat: Seat


class Happening(NamedTuple):
    """The same as it is stored."""

    entry: int
    """From 1 in the history, actions counted too."""
    turn: int
    """The turn that was being played."""
    seat: Seat
    """Whose doing it was: the first seat of a player who holds several; empty for the club's."""
    kind: Kind
    at: datetime
    """UTC."""
    head: str = ""
    """Hash of the history up to it."""
