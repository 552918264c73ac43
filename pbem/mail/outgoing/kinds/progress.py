"""Mails by which a match is played: what has come of somebody's mail, and reminders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds.mail import Mail, MatchMail, Section
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.time_view import DueTime
from pbem.matches.event import DrawOffered, Event, PauseAsked, PauseDeclined, Waited
from pbem.matches.match import MatchSummary


class WaitingNote(NamedTuple):
    """What somebody wrote in a mail of which the reader got none."""

    author: str
    turn: int
    """That was being played then."""
    lines: Sequence[str]


@dataclass(frozen=True)
class Progress(MatchMail):
    """A match as it has become."""

    urgency = Urgency.PLAY

    events: Sequence[Event] = ()
    """What happened."""
    taken: Sequence[str] = ()
    """To who did it: their commands as they were carried out."""
    counts: Sequence[Phrase] = ()
    """Likewise: what their turn counts, in a game that limits it."""
    sections: Sequence[Section] = ()
    """Likewise: answers to their other commands."""
    note: Sequence[str] = ()
    """Lines for the other players, of who did it."""
    waiting: Sequence[WaitingNote] = ()
    """Earlier lines of others that were not mailed to the reader."""
    noted: bool = False
    """Whether the reader wrote them."""
    author: str = ""
    """Name of who did it."""
    held: Sequence[str] = ()
    """Names of partners who wrote a note that the reader gets when the match is over."""
    held_from: Sequence[str] = ()
    """To who wrote the note: names of those who get it only then."""

    @property
    def unasked(self) -> bool:
        """Whether it brings offers and no more: a move is news that everybody waits for."""
        return bool(self.events) and all(self._offers(event) for event in self.events)

    def _offers(self, event: Event) -> bool:
        """Whether somebody offers something to the others, or takes that back.

        A player who declines answers what another player asked.
        """
        if isinstance(event, PauseDeclined):
            offer = self.view.match.pause_offer
            return offer is not None and offer.by == event.player
        return isinstance(event, DrawOffered | PauseAsked | Waited)


@dataclass(frozen=True)
class Turn(Progress):
    """To the player to act."""


@dataclass(frozen=True)
class Receipt(Progress):
    """To who did it, if another is to act."""


@dataclass(frozen=True)
class Position(Progress):
    """To all others."""


@dataclass(frozen=True)
class MatchOver(Progress):
    """To everybody, after the end."""


@dataclass(frozen=True)
class Reminder(MatchMail):
    """Time for a turn is running out."""

    urgency = Urgency.PLAY


class TurnDue(NamedTuple):
    """A turn of the reader in one of several matches."""

    match: MatchSummary
    others: Sequence[str]
    """Names of those whom they play with."""
    due: DueTime | None
    """When the flag falls; None if the clock is paused."""


@dataclass(frozen=True)
class TurnsDue(Mail):
    """Time for turns in several matches is running out, by reminders of the same day."""

    urgency = Urgency.PLAY

    turns: Sequence[TurnDue]
    """The one whose flag falls first leads."""


@dataclass(frozen=True)
class OutOfTime(MatchMail):
    """To the player to act: their flag has fallen, and a late turn still counts."""

    urgency = Urgency.PLAY
