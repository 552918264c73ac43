"""Lists: which offers that stand a member sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.mail.outgoing.offer_view import OfferView
from pbem.matches.match import Player
from pbem.service.tables.answering import may_take
from pbem.service.tables.change import view
from pbem.service.work import Work


class ConcerningOffers(NamedTuple):
    """Offers that concern a member, oldest first."""

    asked: Sequence[OfferView] = ()
    """Challenges that wait for their answer."""
    own: Sequence[OfferView] = ()
    """What they have made or joined."""
    tables: Sequence[OfferView] = ()
    """Tables at which they can sit down."""


def standing_for(work: Work, player: Player) -> ConcerningOffers:
    """What stands and concerns a member; nothing of who blocks them or is blocked."""
    seen = list(work.offers.standing())
    around = work.blocks.around(player.id)
    asked = [each for each in seen if player.id in each.asked and not around & set(each.players)]
    own = [each for each in seen if player.id in each.accepted]
    tables = [each for each in seen if each.open and may_take(work, player, each)]
    return ConcerningOffers(
        *([view(work, each, player) for each in some] for some in (asked, own, tables))
    )


def tables_for_anybody(work: Work) -> list[OfferView]:
    """Tables at which a newcomer can sit down, oldest first; `one` of `_offer.txt.j2` says each."""
    return [view(work, each) for each in work.offers.standing() if each.for_anybody]
