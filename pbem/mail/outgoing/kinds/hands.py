"""Mails about seats that change hands, or might."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.api import Seat
from pbem.mail.outgoing.kinds.mail import Mail, MatchMail
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.time_view import DueTime
from pbem.matches.match import MatchSummary


@dataclass(frozen=True)
class SeatKept(Mail):
    """To who played a match, and will again as soon as they write: a bot plays for them."""

    match_id: int
    you: str
    bot: str


@dataclass(frozen=True)
class SeatWanted(Mail):
    """To a player who does not go on: a substitute would, and the others are asked."""

    match_id: int
    you: str
    substitute: str

    @property
    def unasked(self) -> bool:
        """A substitute is the cause."""
        return True


@dataclass(frozen=True)
class SeatOffered(Mail):
    """To a substitute: a player does not go on, and somebody else may."""

    you: str
    match: MatchSummary
    seats: Sequence[Seat]
    """Those that go together."""
    whose: str
    """Name of the player."""
    others: Sequence[str]
    """Names of those against or with whom one plays."""
    to_act: bool
    answer_by: DueTime
    """When the director is asked, if nobody has taken the seat."""

    @property
    def replies(self) -> Sequence[str]:
        """To be the first."""
        return (f"takeover {self.match.id} {self.seats[0]}",)


@dataclass(frozen=True)
class NotHandedOver(Mail):
    """To a substitute who asked for a seat: they do not get it."""

    match_id: int
    you: str


@dataclass(frozen=True)
class AskedToHandOver(MatchMail):
    """Whether a player agrees that a substitute goes on for another one."""

    urgency = Urgency.PLAY

    player: str
    """Name of who does not go on."""
    substitute: str
    """Name of who would."""
    answer_by: DueTime
    """When the question expires."""

    @property
    def unasked(self) -> bool:
        """A substitute is the cause."""
        return True

    @property
    def replies(self) -> Sequence[str]:
        """Either."""
        return ("takeover yes", "takeover no")


@dataclass(frozen=True)
class PartnerAsked(MatchMail):
    """To a partner of somebody who does not go on: they can play their seats, too."""

    urgency = Urgency.PLAY

    player: str
    """Name of who does not go on."""
    seat: Seat
    """The first of theirs."""

    @property
    def replies(self) -> Sequence[str]:
        """What does it."""
        return (f"takeover {self.view.match.id} {self.seat}",)
