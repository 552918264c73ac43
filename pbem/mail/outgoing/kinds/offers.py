"""Offers: mails by which members find their games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.offer_view import OfferView
from pbem.matches.offer import State


@dataclass(frozen=True)
class OfferMail(Mail):
    """A mail to one member about an offer."""

    offer: OfferView
    by: str
    """Who did what it tells; empty: time did."""

    @property
    def heading(self) -> str:
        """What is the same in all mails of the offer, whatever becomes of it."""
        return f"{self.offer.game.info.title}, {self.offer.owner}"


@dataclass(frozen=True)
class Challenge(OfferMail):
    """To who is asked to play, or asked about other terms."""

    before: OfferView | None = None
    """The offer on the terms that somebody has countered."""

    @property
    def unasked(self) -> bool:
        """Nobody asks to be challenged."""
        return True

    @property
    def replies(self) -> Sequence[str]:
        """Yes and no."""
        return ("accept", "decline")


@dataclass(frozen=True)
class OfferOver(OfferMail):
    """To who was in, or was asked: nothing comes of it."""

    reason: str = ""
    """What its author says to it."""

    @property
    def unasked(self) -> bool:
        """A withdrawal is; a refusal answers what somebody asked."""
        return self.offer.offer.state is State.WITHDRAWN
