"""Emails about play: results of a player's email, and reminders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds.mail import Mail, MatchMail, Section
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.shown_match import ShownMatch
from pbem.mail.outgoing.time_view import DueTime
from pbem.mail.outgoing.typeset.page import Figure
from pbem.matches.event import Event, OfferMade, PauseAsked, PauseDeclined, Waited
from pbem.matches.match import MatchSummary
from pbem.matches.plans import Ending


class WaitingNote(NamedTuple):
    """A note from an email of which the reader received no copy."""

    author: str
    turn: int
    """The turn at that time."""
    lines: Sequence[str]
    private: bool = False
    """Whether only this reader gets it."""


class LapsedPlan(NamedTuple):
    """A plan of the reader that has ended without their doing."""

    number: int
    why: Ending


@dataclass(frozen=True)
class Progress(MatchMail):
    """The new state of a match."""

    urgency = Urgency.PLAY

    events: Sequence[Event] = ()
    """The events to report."""
    taken: Sequence[str] = ()
    """For their author: the commands as carried out."""
    counts: Sequence[Phrase] = ()
    """For their author: counts of their turn, in a game that limits it."""
    sections: Sequence[Section] = ()
    """For their author: answers to their other commands."""
    note: Sequence[str] = ()
    """For the other players: lines of their author."""
    said: Sequence[WaitingNote] = ()
    """For the other players: what their author says at once."""
    waiting: Sequence[WaitingNote] = ()
    """Earlier lines of others that the reader has not received."""
    noted: bool = False
    """Whether the reader wrote the note."""
    author: str = ""
    """Name of the author."""
    earlier: Sequence[str] = ()
    """News that waited for the reader's digest, as sentences."""
    lapsed: Sequence[LapsedPlan] = ()
    held: Sequence[str] = ()
    """Partners whose notes the reader gets after the match."""
    held_from: Sequence[str] = ()
    """For the author of the note: names of players who get it after the match."""

    @property
    def unasked(self) -> bool:
        """Whether it only reports offers. Everyone waits for moves."""
        return bool(self.events) and all(self._offers(event) for event in self.events)

    def _offers(self, event: Event) -> bool:
        """Return whether somebody makes an offer to the others, or withdraws it.

        A player who declines only answers another player's request.
        """
        if isinstance(event, PauseDeclined):
            offer = self.view.match.pause_offer
            return offer is not None and offer.by == event.player
        return isinstance(event, OfferMade | PauseAsked | Waited)


@dataclass(frozen=True)
class Turn(Progress):
    """To the player to move."""


@dataclass(frozen=True)
class Receipt(Progress):
    """To the author, if it is another player's turn."""


@dataclass(frozen=True)
class Position(Progress):
    """To everyone else."""


@dataclass(frozen=True)
class Talk(Progress):
    """To a player, about what another says between the turns."""


@dataclass(frozen=True)
class MatchOver(Progress):
    """To everyone after the end."""

    plans: int = 0
    """Number of plans that the reader had in the match."""


@dataclass(frozen=True)
class Watched(Mail):
    """To a member who watches a match: its new turns."""

    shown: ShownMatch
    turns: Figure | None
    """The new turns, None if there are none."""
    taken_back: bool
    """Whether turns that they have seen were taken back."""
    watched: Sequence[str]
    """What they watch, as they write it, if it leads to this match."""
    last: bool
    """Whether they get no more such emails today."""
    link: str
    """Address of the match in the reading room, empty if it has none."""

    @property
    def list_match(self) -> int:
        """The number of the match."""
        return self.shown.match.id


@dataclass(frozen=True)
class Reminder(MatchMail):
    """A player's time for a turn is running out."""

    urgency = Urgency.PLAY


class TurnDue(NamedTuple):
    """A turn of the reader in one of several matches."""

    match: MatchSummary
    others: Sequence[str]
    """Names of the other players."""
    due: DueTime | None
    """When the player runs out of time, None if the clock is paused."""


@dataclass(frozen=True)
class TurnsDue(Mail):
    """Time in several matches is running out. Combines the reminders of one day."""

    urgency = Urgency.PLAY

    turns: Sequence[TurnDue]
    """The turns in order of their deadlines."""


@dataclass(frozen=True)
class GamesMissing(Mail):
    """To a player whose matches wait, because their games are not installed."""

    urgency = Urgency.ANNOUNCEMENT

    turns: Sequence[TurnDue]
    """The matches, without deadlines."""


@dataclass(frozen=True)
class GamesBack(Mail):
    """To the same player, when the games are back."""

    urgency = Urgency.ANNOUNCEMENT

    turns: Sequence[TurnDue]
    """The matches, with a deadline where it is the player's turn."""


@dataclass(frozen=True)
class OutOfTime(MatchMail):
    """To a player who has run out of time but can still move."""

    urgency = Urgency.PLAY

    claimable: bool = False
    """Whether the others may claim the match. Otherwise the director decides."""
