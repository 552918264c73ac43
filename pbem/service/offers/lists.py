"""Lists: which open offers a member sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.mail.outgoing.offer_view import OfferView
from pbem.matches.match import Player
from pbem.service.offers.answering import may_take, without_banned
from pbem.service.offers.change import view
from pbem.service.offers.reopening import is_banned
from pbem.service.work import Work


class ConcerningOffers(NamedTuple):
    """Offers that concern a member, oldest first."""

    asked: Sequence[OfferView] = ()
    """Challenges that wait for their answer."""
    own: Sequence[OfferView] = ()
    """Offers that they made or joined."""
    tables: Sequence[OfferView] = ()
    """Tables that they can join."""


def standing_for(work: Work, player: Player) -> ConcerningOffers:
    """Return the open offers for a member, without players blocked either way."""
    seen = list(work.offers.standing())
    around = work.blocks.around(player.id)
    asked = [each for each in seen if player.id in each.asked and not around & set(each.players)]
    own = [each for each in seen if player.id in each.accepted]
    others = [each for each in seen if each.open and player.id not in each.players]
    tables = [
        each
        for each in (without_banned(work, each) for each in others)
        if may_take(work, player, each)
    ]
    return ConcerningOffers(
        *([view(work, each, player) for each in some] for some in (asked, own, tables))
    )


def tables_for_anybody(work: Work) -> list[OfferView]:
    """Return the tables that a newcomer can join, oldest first, for `one` in `_offer.txt.j2`."""
    return [
        view(work, without_banned(work, each))
        for each in work.offers.standing()
        if each.for_anybody and each.needs.new and not is_banned(work, each.owner)
    ]
