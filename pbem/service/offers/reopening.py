"""Reopening: standing tables, which open again each time a match starts from them.

A table keeps its number, so a line `take 7` in an old list still works. While its owner is on leave
or banned, or plays as many of its matches as they want, it rests: nobody can take a seat, it is
listed only for its owner, and it does not expire.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games import is_offered
from pbem.matches.competitions import kinds
from pbem.matches.match import PlayerId
from pbem.matches.offer import Offer
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase
from pbem.ports.room import PageKind
from pbem.service.leave import budget_of
from pbem.service.reliability import banned_until
from pbem.service.work import Work


def opened_again(work: Work, offer: Offer, begun: str) -> Offer:
    """Return an offer after it has started something: over, or a standing table open again."""
    if offer.again is None:
        return offer.begin(begun)
    running = (*_running(work, offer, offer.owner), begun)
    rests = len(running) >= offer.again.most or _is_busy(work, offer.owner)
    return offer.begin_and_reopen(begun, running, work.now, rests=rests)


def require_open(work: Work, player: PlayerId, offer: Offer) -> None:
    """Raise OfferError if a table is closed for now, or the player still plays a match from it."""
    playing = _running(work, offer, player)
    if playing:
        raise OfferError(phrase("offer.plays-here", number=offer.number, begun=playing[0]))
    if must_rest(work, offer) or is_banned(work, offer.owner):
        raise OfferError(phrase("offer.rests", number=offer.number))


def is_banned(work: Work, player: PlayerId) -> bool:
    """Return whether a player may start nothing new, because they lost on time."""
    return banned_until(work, work.players.get(player)) is not None


def must_rest(work: Work, offer: Offer) -> bool:
    """Return whether no seat at a standing table can be taken now."""
    if offer.again is None:
        return False
    if not is_offered(offer.terms.game_key):
        return True
    running = _running(work, offer, offer.owner)
    return len(running) >= offer.again.most or _is_busy(work, offer.owner)


def is_stale(work: Work, offer: Offer) -> bool:
    """Return whether a standing table is stored as open but must rest, or the reverse."""
    return offer.again is not None and offer.rests != must_rest(work, offer)


def rest_or_open(work: Work, number: int) -> None:
    """Store whether a standing table rests. One that opens again has all its days again."""
    offer = work.offers.lock(number)
    if offer.stands and is_stale(work, offer):
        work.offers.save(offer.wake(work.now) if offer.rests else offer.rest())
        work.stale.mark(PageKind.CLUB, [""])
        work.jobs.enqueue("pages")


def _is_busy(work: Work, owner: PlayerId) -> bool:
    """Return whether an owner is on leave or banned, or plays as many matches as allowed."""
    playing = len(work.matches.of_player(owner))
    if playing >= work.club.policy.running_matches:
        return True
    if is_banned(work, owner):
        return True
    return budget_of(work, work.players.get(owner), work.now).at(work.now) is not None


def _running(work: Work, offer: Offer, player: PlayerId) -> Sequence[str]:
    """Return what started from a standing table and is still played by a player."""
    if offer.again is None or not offer.again.running:
        return ()
    playing = work.matches.of_player(player)
    matches = {match.id for match in playing}
    competitions = {match.place.competition for match in playing if match.place is not None}
    return [begun for begun in offer.again.running if _is_among(work, begun, matches, competitions)]


def _is_among(work: Work, begun: str, matches: set[int], competitions: set[int]) -> bool:
    kind, number = begun.rsplit(" ", 1)
    if kind == "match":
        return int(number) in matches
    competition = work.competitions.numbered(kinds()[kind].numbering, int(number))
    return competition is not None and competition.id in competitions
