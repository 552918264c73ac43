"""Parting: a member who goes is in no offer any more, and in nobody's way."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.service.tables import answering
from pbem.service.tables.change import Change, carry_out
from pbem.service.work import Work


def part(work: Work, player: Player) -> None:
    """Takes somebody out of all offers that stand, which the others are told; ends their blocks."""
    for offer in work.offers.of_player(player.id):
        locked = answering.known(work, offer.number)
        if locked.stands and player.id in locked.players:
            carry_out(work, _out(work, player, locked))
    for other in work.blocks.around(player.id):
        work.blocks.remove(player.id, other)
        work.blocks.remove(other, player.id)


def _out(work: Work, player: Player, offer: Offer) -> Change:
    if offer.owner == player.id:
        return answering.withdraw(work, player, offer)
    if offer.open:
        return answering.leave(work, player, offer)
    return answering.decline(work, player, offer)
