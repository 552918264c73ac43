"""Withdrawing: what somebody who leaves has open comes to nothing, and the others hear of it."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.service.tables.answering import decline, leave, withdraw
from pbem.service.tables.change import Change, carry_out
from pbem.service.work import Work


def withdraw_all(work: Work, member: Player) -> None:
    """Takes back their challenges and tables, gives their seats back, and declines the rest.

    Nobody blocks them any more, either.
    """
    for each in work.offers.of_player(member.id):
        offer = work.offers.lock(each.number)
        if offer.stands and member.id in offer.players:  # as somebody else may have seen to
            carry_out(work, _out_of(work, member, offer))
    for other in work.blocks.around(member.id):
        work.blocks.remove(member.id, other)
        work.blocks.remove(other, member.id)


def _out_of(work: Work, member: Player, offer: Offer) -> Change:
    if offer.owner == member.id:
        return withdraw(work, member, offer)
    return leave(work, member, offer) if offer.open else decline(work, member, offer)
