"""Views: offers as members see them."""

from __future__ import annotations

from pbem.mail.outgoing.offer_view import OfferView
from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.service.work import Work


def view(work: Work, offer: Offer, reader: Player | None = None) -> OfferView:
    """An offer as somebody sees it, or anybody."""
    return OfferView(
        offer=offer,
        names={player: work.players.get(player).name for player in offer.players},
        words=work.club.renderer_for(reader).words,
        now=work.now,
        you=reader.id if reader else None,
        time_zone=reader.time_zone if reader else "UTC",
    )
