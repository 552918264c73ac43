"""Views: offers as members see them."""

from __future__ import annotations

from pbem.mail.outgoing.offer_view import OfferView
from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.service.room.people import together
from pbem.service.work import Work


def view(work: Work, offer: Offer, reader: Player | None = None) -> OfferView:
    """An offer as somebody sees it, or anybody: who hides is named to who is in it, too."""
    people = [work.players.get(player) for player in offer.players]
    known = reader is not None and reader.id in offer.players
    names = {each.id: each.name for each in (people if known else together(people).values())}
    return OfferView(
        offer=offer,
        names=names,
        words=work.club.club_renderer.words,
        now=work.now,
        you=reader.id if reader else None,
        time_zone=reader.time_zone if reader else "UTC",
    )
