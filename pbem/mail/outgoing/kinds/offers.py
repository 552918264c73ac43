"""Emails about offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.api import GameInfo
from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.offer_view import OfferView
from pbem.mail.outgoing.time_view import DueTime
from pbem.matches.offer import State
from pbem.matches.reliability import Reliability


@dataclass(frozen=True)
class OfferMail(Mail):
    """An email to one member about an offer."""

    offer: OfferView
    by: str
    """Name of the member who caused it, empty if it expired."""

    @property
    def heading(self) -> str:
        """Fixed part of the subject for all emails about the offer."""
        return f"{self.offer.game.info.title}, {self.offer.owner}"


@dataclass(frozen=True)
class Challenge(OfferMail):
    """To a member who is challenged, or asked about countered terms."""

    before: OfferView | None = None
    """The offer before it was countered."""
    has: Reliability | None = None
    """Reliability of the member who asks."""

    @property
    def unasked(self) -> bool:
        """True, since nobody asks to be challenged."""
        return True

    @property
    def replies(self) -> Sequence[str]:
        """Yes or no."""
        return ("accept", "decline")


@dataclass(frozen=True)
class Invitation(Mail):
    """To an address that a member named, perhaps another member's."""

    by: str
    """The member who invites."""
    view: MatchView
    """The match as it would start."""
    rules: str
    """The first paragraph of the rules, in Markdown."""
    called: str
    """The name they would have, empty if they are a member."""
    due: DueTime
    """When it expires."""

    @property
    def board(self) -> MatchView:
        """The board at the start."""
        return self.view

    @property
    def asks_address(self) -> bool:
        """Whether it goes to a stranger's mailbox, and counts there."""
        return bool(self.called)

    @property
    def replies(self) -> Sequence[str]:
        """Answers of a single word. A first move is written by hand."""
        return ("accept", "decline", "never") if self.called else ("accept", "decline")


@dataclass(frozen=True)
class InvitationDeclined(Mail):
    """To the member who invited somebody."""

    address: str
    game: GameInfo
    note: Sequence[str]
    """The text of the person who declined."""


@dataclass(frozen=True)
class OfferOver(OfferMail):
    """To members who were in an offer or asked, when it ends without a match."""

    reason: str = ""
    """Message of the member who ended it."""

    @property
    def unasked(self) -> bool:
        """True for a withdrawal. A refusal answers an earlier request."""
        return self.offer.offer.state is State.WITHDRAWN
