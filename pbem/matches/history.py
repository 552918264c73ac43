"""History: what happened in a match beside its actions, and decides it or may."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.matches.decision import (
    Adjudged,
    BreakOrdered,
    Cancelled,
    Decision,
    Directed,
    Extended,
    Forfeited,
    Paused,
    Replaced,
    Resumed,
    Undone,
)
from pbem.matches.event import (
    BreakAgreed,
    Claimed,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Event,
    FlagFell,
    LostOnTime,
    Resigned,
    Waited,
)
from pbem.matches.succession import GivenBack, HandedOn, KeptByBot, TakenOver


class Kind(StrEnum):
    """What an entry of a history is; the words stand in hashes and are for ever."""

    ACTION = "action"
    DRAW_OFFERED = "draw_offered"
    DRAW_ACCEPTED = "draw_accepted"
    DRAW_DECLINED = "draw_declined"
    RESIGNED = "resigned"
    """Of a side of two, each resigns apart."""
    FLAG_FELL = "flag_fell"
    LOST_ON_TIME = "lost_on_time"
    """Where the others play on, the action that follows is the club's, for the seat."""
    CLAIMED = "claimed"
    WAITED = "waited"
    """A player has given more time to the one to act."""
    ADJUDGED = "adjudged"
    CANCELLED = "cancelled"
    FORFEITED = "forfeited"
    EXTENDED = "extended"
    PAUSED = "paused"
    RESUMED = "resumed"
    BREAK_AGREED = "break_agreed"
    BREAK_ORDERED = "break_ordered"
    """No time counts for so long: as all players agreed, or as the director decided."""
    REPLACED = "replaced"
    """Somebody goes on for a player, who may be their partner."""
    KEPT = "kept"
    """A computer opponent holds the seats of a player until they write."""
    GIVEN_BACK = "given_back"
    """A player has written, and holds their seats again."""
    UNDONE = "undone"
    """Actions of a turn and after it are taken back; they stay in the history."""
    DIRECTED = "directed"
    """The actions that follow in the turn are the director's, for the seat."""


Happened = (
    DrawOffered
    | DrawAccepted
    | DrawDeclined
    | BreakAgreed
    | Resigned
    | FlagFell
    | LostOnTime
    | Claimed
    | Waited
    | Decision
    | HandedOn
)
"""The events that are entries of a history; actions are too, each one by itself."""
_KINDS: dict[type[Event], Kind] = {
    DrawOffered: Kind.DRAW_OFFERED,
    DrawAccepted: Kind.DRAW_ACCEPTED,
    DrawDeclined: Kind.DRAW_DECLINED,
    Resigned: Kind.RESIGNED,
    FlagFell: Kind.FLAG_FELL,
    LostOnTime: Kind.LOST_ON_TIME,
    Claimed: Kind.CLAIMED,
    Waited: Kind.WAITED,
    Adjudged: Kind.ADJUDGED,
    Cancelled: Kind.CANCELLED,
    Forfeited: Kind.FORFEITED,
    Extended: Kind.EXTENDED,
    Paused: Kind.PAUSED,
    Resumed: Kind.RESUMED,
    BreakAgreed: Kind.BREAK_AGREED,
    BreakOrdered: Kind.BREAK_ORDERED,
    Replaced: Kind.REPLACED,
    TakenOver: Kind.REPLACED,
    KeptByBot: Kind.KEPT,
    GivenBack: Kind.GIVEN_BACK,
    Undone: Kind.UNDONE,
    Directed: Kind.DIRECTED,
}
SUCCESSIONS = frozenset({Kind.REPLACED, Kind.KEPT, Kind.GIVEN_BACK})
"""Those by which seats go from one player to another; the text has their numbers, old and new."""
BREAKS = frozenset({Kind.BREAK_AGREED, Kind.BREAK_ORDERED})
WITH_TEXT = frozenset({Kind.ACTION, Kind.EXTENDED, Kind.UNDONE, Kind.WAITED}) | SUCCESSIONS | BREAKS
"""Entries that have a text beside their kind, turn and seat."""
NOBODY_S = frozenset(
    {
        Kind.ADJUDGED,
        Kind.CANCELLED,
        Kind.PAUSED,
        Kind.RESUMED,
        Kind.BREAK_AGREED,
        Kind.BREAK_ORDERED,
        Kind.UNDONE,
    }
)
"""What no seat does, and befalls all of them."""


def kind_of(event: Happened) -> Kind:
    """The word under which an event stands in a history."""
    return _KINDS[type(event)]


def text_of(event: Happened) -> str:
    """What a history tells of an event beside its kind, turn and seat."""
    return event.text if isinstance(event, Decision | HandedOn | Waited | BreakAgreed) else ""


class Happening(NamedTuple):
    """Such an event as it is stored."""

    entry: int
    """From 1 in the history, actions counted too."""
    turn: int
    """The turn that was being played."""
    seat: Seat
    """Whose doing it was, or whom it befell: the first seat of a player who holds several.

    Empty where it was the club's doing, and befell everybody.
    """
    kind: Kind
    at: datetime
    """UTC."""
    head: str = ""
    """Hash of the history up to it."""
    text: str = ""
    """What else there is to tell of it, as hashed: `3d` more time, turn `17` to be played again."""
