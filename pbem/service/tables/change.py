"""Change: what somebody does to an offer, worked out by reading, and then written.

Between the two somebody else may have been quicker: then nothing is written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbem.matches.match import Player
from pbem.matches.offer import Entry, Offer
from pbem.service.play.bots import bots_for_match
from pbem.service.ports import PageKind
from pbem.service.tables.begin import begin_offer
from pbem.service.tables.notices import tell
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
