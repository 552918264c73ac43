"""Blocking: people with whom a member does not want to play."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase
from pbem.service.tables.people import near
from pbem.service.work import Work


def someone(work: Work, player: Player, name: str) -> Player:
    """Another member by name; raises OfferError."""
    other = work.players.named(name)
    if other is None:
        raise OfferError(phrase("offer.no-member", name=name), near(work, player, name))
    if other.id == player.id:
        raise OfferError(phrase("offer.oneself"))
    return other


def blocked_by(work: Work, player: Player) -> list[str]:
    """Names of those whom a member blocks."""
    return [work.players.get(other).name for other in work.blocks.of(player.id)]
