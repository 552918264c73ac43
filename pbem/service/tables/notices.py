"""Notices: who hears of what becomes of an offer; as few mails as will do.

That something has begun is told by the first mail of the match, and whoever is asked nothing and
loses nothing hears of nothing: `offers` shows it.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.mail.outgoing.kinds import Challenge, OfferOver
from pbem.mail.topic import OfferTopic
from pbem.matches.match import Player, PlayerId
from pbem.matches.offer import Offer, State
from pbem.service.post.post import post
from pbem.service.tables.views import view
from pbem.service.work import Work


def tell(
    work: Work, before: Offer | None, offer: Offer, by: Player | None, reason: str = ""
) -> None:
    """Queues the mails that a change of an offer takes."""
    if offer.state in (State.DECLINED, State.WITHDRAWN, State.LAPSED):
        _tell_over(work, offer, by, reason)
    elif by is not None and (before is None or before.revision != offer.revision):
        _ask(work, before, offer, by)


def _ask(work: Work, before: Offer | None, offer: Offer, by: Player) -> None:
    for player in _people(work, offer.asked):
        old = None if before is None else view(work, before, player)
        mail = Challenge(view(work, offer, player), by.name, old)
        post(work, mail, player, topic=_topic(offer))


def _tell_over(work: Work, offer: Offer, by: Player | None, reason: str) -> None:
    """Who had nothing to do with a challenge that lapsed in silence hears no more of it."""
    concerned = offer.accepted if by is None else offer.players
    for player in _people(work, concerned):
        if by is None or player.id != by.id:
            mail = OfferOver(view(work, offer, player), by.name if by else "", reason)
            post(work, mail, player, topic=_topic(offer))


def _people(work: Work, players: Iterable[PlayerId]) -> Iterable[Player]:
    return (player for player in map(work.players.get, players) if not player.bot)


def _topic(offer: Offer) -> OfferTopic:
    return OfferTopic(offer.number, offer.revision)
