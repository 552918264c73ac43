"""Withdrawing: what somebody who leaves has open comes to nothing, and the others hear of it."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.service.tables.answering import decline, leave, withdraw
from pbem.service.tables.change import Change, carry_out
from pbem.service.work import Work


def withdraw_all(work: Work, member: Player) -> None:
    """Takes back their challenges and tables, gives their seats back, and declines the rest."""
    for offer in work.offers.of_player(member.id):
        carry_out(work, _out_of(work, member, work.offers.lock(offer.number)))


def _out_of(work: Work, member: Player, offer: Offer) -> Change:
    if offer.owner == member.id:
        return withdraw(work, member, offer)
    return leave(work, member, offer) if offer.open else decline(work, member, offer)
