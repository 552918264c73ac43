"""Change: what somebody does to an offer, worked out by reading, and then written.

Between the two somebody else may have been quicker: then nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pbem.mail.outgoing.kinds import Challenge, OfferOver
from pbem.mail.topic import OfferTopic
from pbem.matches.match import Player, PlayerId
from pbem.matches.offer import Entry, Offer, State
from pbem.ports.room import PageKind
from pbem.service.play.bots import bots_for_match
from pbem.service.post.post import post
from pbem.service.tables.begin import begin_offer
from pbem.service.tables.views import view
from pbem.service.work import Overtaken, Work


@dataclass(frozen=True)
class Change:
    """An offer as it was read, and as it is to become."""

    after: Offer
    before: Offer | None = None
    """None where it is new."""
    by: Player | None = None
    """None where time did it."""
    bots: tuple[str, ...] = ()
    """Computer opponents who are to be in it, by kind."""
    reason: str = ""
    """What its author says to it."""


def carry_out(work: Work, change: Change) -> Offer:
    """Stores a change, begins what is complete, and tells who is to know; returns the offer.

    Raises Overtaken if the offer is another one by now.
    """
    offer = _stored(work, change)
    if offer.complete:
        offer = begin_offer(work, offer)
        work.offers.save(offer)
    tell(work, change.before, offer, change.by, change.reason)
    if offer.open:
        work.stale.mark(PageKind.CLUB, [""])
        work.jobs.enqueue("pages")
    return offer


def _stored(work: Work, change: Change) -> Offer:
    if change.before is not None:
        if work.offers.lock(change.before.number) != change.before:
            raise Overtaken
        work.offers.save(change.after)
        return change.after
    bots = tuple(Entry(bot.id) for bot in bots_for_match(work, change.bots))
    return work.offers.add(replace(change.after, entries=(*change.after.entries, *bots)))


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
