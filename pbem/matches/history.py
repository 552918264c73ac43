"""History: what happened in a match besides its actions and may decide it."""

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
    Reopened,
    Replaced,
    Resumed,
    Undone,
)
from pbem.matches.event import (
    BreakAgreed,
    Claimed,
    Event,
    FlagFell,
    Forced,
    LostOnTime,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    OfKind,
    Planned,
    Resigned,
    TakenBack,
    Waited,
)
from pbem.matches.seat_changes import GivenBack, HandedOn, KeptByBot, TakenOver


class Kind(StrEnum):
    """Kind of a history entry. The words are part of hashes, so they can never change."""

    ACTION = "action"
    DRAW_OFFERED = "draw_offered"
    DRAW_ACCEPTED = "draw_accepted"
    DRAW_DECLINED = "draw_declined"
    TAKEBACK_OFFERED = "takeback_offered"
    TAKEBACK_ACCEPTED = "takeback_accepted"
    """`UNDONE` follows once everyone asked has accepted."""
    TAKEBACK_DECLINED = "takeback_declined"
    ABANDON_OFFERED = "abandon_offered"
    ABANDON_ACCEPTED = "abandon_accepted"
    ABANDON_DECLINED = "abandon_declined"
    RESIGNED = "resigned"
    """Players of a side of two resign separately."""
    FLAG_FELL = "flag_fell"
    LOST_ON_TIME = "lost_on_time"
    """If the others continue, the club plays the action that follows for the seat."""
    CLAIMED = "claimed"
    WAITED = "waited"
    """A player gave more time to the player to act."""
    ADJUDGED = "adjudged"
    CANCELLED = "cancelled"
    FORFEITED = "forfeited"
    EXTENDED = "extended"
    PAUSED = "paused"
    RESUMED = "resumed"
    BREAK_AGREED = "break_agreed"
    BREAK_ORDERED = "break_ordered"
    """All clocks are paused for a period, by agreement of all players or by a director."""
    REPLACED = "replaced"
    """Another player, possibly the partner, takes over."""
    KEPT = "kept"
    """A bot holds the seats of a player until they write."""
    GIVEN_BACK = "given_back"
    """A player has written and holds their seats again."""
    UNDONE = "undone"
    """A turn and everything after it is taken back. The actions stay in the history.

    It is a director's decision unless `TAKEBACK_ACCEPTED` comes just before.
    """
    DIRECTED = "directed"
    """The director plays the actions that follow in the turn, for the seat."""
    PLANNED = "planned"
    """The player of the seat planned the next entries of the turn, and the club played them."""
    FORCED = "forced"
    """The action that follows was the only legal one, and the club played it for the player."""
    RESULT = "result"
    """A result that no longer counts. `REOPENED` follows. The last result is in the match."""
    REOPENED = "reopened"
    """The match continues as it was before the result."""


Happened = (
    OfferMade
    | OfferAccepted
    | OfferDeclined
    | TakenBack
    | BreakAgreed
    | Resigned
    | FlagFell
    | LostOnTime
    | Claimed
    | Waited
    | Planned
    | Forced
    | Decision
    | HandedOn
)
"""Events that are history entries. Each action is an entry too."""
_KINDS: dict[type[Event], Kind] = {
    TakenBack: Kind.UNDONE,
    Resigned: Kind.RESIGNED,
    FlagFell: Kind.FLAG_FELL,
    LostOnTime: Kind.LOST_ON_TIME,
    Claimed: Kind.CLAIMED,
    Waited: Kind.WAITED,
    Planned: Kind.PLANNED,
    Forced: Kind.FORCED,
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
    Reopened: Kind.REOPENED,
}
_ANSWERS: dict[type[Event], str] = {
    OfferMade: "offered",
    OfferAccepted: "accepted",
    OfferDeclined: "declined",
}
SUCCESSIONS = frozenset({Kind.REPLACED, Kind.KEPT, Kind.GIVEN_BACK})
"""Kinds that move seats between players. Their text is the old and the new player's number."""
BREAKS = frozenset({Kind.BREAK_AGREED, Kind.BREAK_ORDERED})
WITH_TEXT = (
    frozenset({Kind.ACTION, Kind.EXTENDED, Kind.UNDONE, Kind.WAITED, Kind.RESULT})
    | SUCCESSIONS
    | BREAKS
)
"""Kinds with a text besides turn and seat."""
NOBODY_S = frozenset(
    {
        Kind.ADJUDGED,
        Kind.CANCELLED,
        Kind.PAUSED,
        Kind.RESUMED,
        Kind.BREAK_AGREED,
        Kind.BREAK_ORDERED,
        Kind.UNDONE,
        Kind.RESULT,
        Kind.REOPENED,
    }
)
"""Kinds that no seat causes and that affect all seats."""


def kind_of(event: Happened) -> Kind:
    """Return the word for an event in a history."""
    if isinstance(event, OfKind):
        return Kind(f"{event.kind}_{_ANSWERS[type(event)]}")
    return _KINDS[type(event)]


def text_of(event: Happened) -> str:
    """Return the text of an event in a history, besides its kind, turn and seat."""
    if isinstance(event, Decision | HandedOn | TakenBack | Waited | BreakAgreed):
        return event.text
    return ""


class Happening(NamedTuple):
    """A history event as it is stored."""

    entry: int
    """Number in the history from 1, including actions."""
    turn: int
    """Current turn when it happened."""
    seat: Seat
    """First seat of the player who caused it, or whom it affects.

    Empty if the club caused it and it affects everyone.
    """
    kind: Kind
    at: datetime
    """In UTC."""
    head: str = ""
    """Hash of the history up to this entry."""
    text: str = ""
    """Further text, as hashed: `3d` more time, turn `17` to be played again."""

    def takes_back(self, turn: int) -> bool:
        """Return whether it takes back what happened in a turn, or the result in that turn."""
        if self.kind is Kind.UNDONE:
            return int(self.text) <= turn
        return self.kind is Kind.REOPENED and self.turn <= turn
