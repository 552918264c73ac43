"""History: what happened in a match beside its actions, and decides it or may."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.matches.event import (
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    FlagFell,
    Resigned,
)


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


Happened = DrawOffered | DrawAccepted | DrawDeclined | Resigned | FlagFell
"""The events that are entries of a history; actions are too, each one by itself."""
_KINDS: dict[type[Event], Kind] = {
    DrawOffered: Kind.DRAW_OFFERED,
    DrawAccepted: Kind.DRAW_ACCEPTED,
    DrawDeclined: Kind.DRAW_DECLINED,
    Resigned: Kind.RESIGNED,
    FlagFell: Kind.FLAG_FELL,
}


def kind_of(event: Happened) -> Kind:
    """The word under which an event stands in a history."""
    return _KINDS[type(event)]


class Happening(NamedTuple):
    """Such an event as it is stored."""

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
