"""Emails about takeovers: seats that change hands, or may."""

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
    """To a player whose seat a bot keeps until they write."""

    match_id: int
    you: str
    bot: str


@dataclass(frozen=True)
class SeatWanted(Mail):
    """To a player who stopped playing, when a substitute applies and the others are asked."""

    match_id: int
    you: str
    substitute: str

    @property
    def unasked(self) -> bool:
        """True, since a substitute causes it."""
        return True


@dataclass(frozen=True)
class SeatOffered(Mail):
    """To a substitute, when a player stopped playing and their seat is offered."""

    you: str
    match: MatchSummary
    seats: Sequence[Seat]
    """Seats that are offered together."""
    whose: str
    """Name of the player who stopped."""
    others: Sequence[str]
    """Names of the other players."""
    to_act: bool
    answer_by: DueTime
    """When the director is asked, if nobody takes the seat."""

    @property
    def replies(self) -> Sequence[str]:
        """The command to take over the seat."""
        return (f"takeover {self.match.id} {self.seats[0]}",)


@dataclass(frozen=True)
class NotHandedOver(Mail):
    """To a substitute who applied for a seat and does not get it."""

    match_id: int
    you: str


@dataclass(frozen=True)
class AskedToHandOver(MatchMail):
    """Asks a player to agree that a substitute takes over another player's seat."""

    urgency = Urgency.PLAY

    player: str
    """Name of the player who stopped."""
    substitute: str
    """Name of the substitute."""
    answer_by: DueTime
    """When the question expires."""

    @property
    def unasked(self) -> bool:
        """True, since a substitute causes it."""
        return True

    @property
    def replies(self) -> Sequence[str]:
        """Yes or no."""
        return ("takeover yes", "takeover no")


@dataclass(frozen=True)
class PartnerAsked(MatchMail):
    """To the partner of a player who stopped, who can play their seats too."""

    urgency = Urgency.PLAY

    player: str
    """Name of the player who stopped."""
    seat: Seat
    """The first of their seats."""

    @property
    def replies(self) -> Sequence[str]:
        """The command to take over the seats."""
        return (f"takeover {self.view.match.id} {self.seat}",)
