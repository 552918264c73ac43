"""Matchmaking: members who wait for anybody, and the matches that start between those who fit.

`play anybody lanko-103 days=3` stores a search, which is an offer that nobody else sees. A job
groups the searches of members who fit each other. It locks them first and looks again, so that two
workers never put a member's search into two matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import permutations
from statistics import median_high
from typing import NamedTuple

from pbem.games import is_offered
from pbem.games.api import OptionError
from pbem.log import get_logger
from pbem.matches.match import Player
from pbem.matches.off_time import read_span
from pbem.matches.offer import Offer, OfferEntry, Search, State
from pbem.matches.offer_terms import OfferError
from pbem.matches.pairing import Seeker, groups
from pbem.matches.reliability import KEYS as CONDITIONS, read_conditions
from pbem.matches.words import phrase
from pbem.matches.zones import zone_named
from pbem.service.club import Club
from pbem.service.leave import budget_of
from pbem.service.offers.change import OfferChange, begin_offer
from pbem.service.offers.making import met_before, require_terms, terms_without_names
from pbem.service.offers.people import (
    are_playing,
    require_fit,
    require_no_ban,
    require_together,
)
from pbem.service.offers.reading import Wanted
from pbem.service.reliability import rating_in, reliability
from pbem.service.work import Work, reading, writing

ANYBODY = frozenset({"anybody", "anyone"})
log = get_logger(__name__)

USUAL_WAIT, LONGEST_WAIT = timedelta(weeks=2), timedelta(days=90)
SHORTEST_WAIT = timedelta(hours=12)
LATEST = 20
"""Number of waits for a game that say how long it usually takes."""


def is_search(wanted: Wanted) -> bool:
    """Return whether a request is for anybody who fits."""
    return any(name.casefold() in ANYBODY for name in wanted.names)


def search(work: Work, by: Player, wanted: Wanted) -> OfferChange:
    """Return a search for anybody who fits. Raises OfferError."""
    if len(wanted.names) > 1:
        raise OfferError(phrase("offer.search-alone"))
    require_terms(wanted, ("as", "series", "players", "met", "for", *CONDITIONS))
    terms = terms_without_names(work, by, wanted)
    found = Offer(
        terms=terms,
        entries=(OfferEntry(by.id, place=wanted.place(terms.players)),),
        created_at=work.now,
        expires_at=work.now + _wait(wanted),
        needs=read_conditions(wanted.terms),
        met=met_before(wanted),
        search=Search(),
    )
    return OfferChange(found, by=by)


def _wait(wanted: Wanted) -> timedelta:
    """Return how long a member waits at most."""
    if "for" not in wanted.terms:
        return USUAL_WAIT
    text = wanted.terms["for"]
    span = read_span(text)
    if span is None or not SHORTEST_WAIT <= span <= LONGEST_WAIT:
        raise OfferError(phrase("offer.search-for", text=repr(text), days=LONGEST_WAIT.days))
    return span


class Outlook(NamedTuple):
    """What a member can expect of a search."""

    waits: int
    """Number of earlier searches for the game that say how long it takes. 0 if there is none."""
    hours: int
    """Hours within which half of these ended."""
    alike: int
    """Number of others who wait for the same on the same terms."""
    otherwise: int
    """Number of others who wait for the same game on other terms."""


def outlook(work: Work, offer: Offer) -> Outlook | None:
    """Return what a member can expect of a search, None for any other offer."""
    if offer.search is None:
        return None
    key = offer.terms.game_key
    waits = [each.waited for each in work.offers.waits() if each.game_key == key][:LATEST]
    hours = -(-median_high(waits) // timedelta(hours=1)) if waits else 0
    others = [each for each in _searches(work) if each.owner != offer.owner]
    alike = sum(each.terms == offer.terms for each in others)
    return Outlook(
        len(waits), hours, alike, sum(each.terms.game_key == key for each in others) - alike
    )


def _searches(work: Work) -> list[Offer]:
    return [each for each in work.offers.standing() if each.search is not None]


def pair_all(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Start the matches of all members who wait and fit. Return how many matches started."""
    with reading(club) as work:
        found = [[each.number for each in group] for group in _groups(work, _searches(work))]
    started = 0
    for numbers in found:
        if stopping():
            break
        try:
            with writing(club) as work:
                started += _start(work, numbers)
        except (OfferError, OptionError):  # a newer version of the game refuses its terms
            log.exception("search cannot start", offers=numbers)
    return started


def _groups(work: Work, searches: Sequence[Offer]) -> Iterator[tuple[Seeker, ...]]:
    """Yield the groups of searches that can start now."""
    offers = {each.number: each for each in searches}
    alike = [each.terms for each in searches]
    enough = [each for each in searches if alike.count(each.terms) >= each.terms.players]
    seekers = [_seeker(work, each) for each in enough if _is_free(work, each)]

    def fits(one: Seeker, other: Seeker) -> bool:
        return _fit(work, offers[one.number], offers[other.number])

    return groups(seekers, fits)


def _seeker(work: Work, offer: Offer) -> Seeker:
    player = work.players.get(offer.owner)
    has = reliability(work, player, work.now)
    return Seeker(
        offer.number,
        player.id,
        offer.terms,
        waited=(work.now - offer.created_at) / (offer.expires_at - offer.created_at),
        rating=rating_in(work, player, offer.terms.game_key),
        pace=None if has.is_new else has.median,
        offset=_offset(player, work.now),
        place=offer.entries[0].place,
    )


def _offset(player: Player, now: datetime) -> timedelta:
    return now.astimezone(zone_named(player.time_zone)[0]).utcoffset() or timedelta()


def _is_free(work: Work, offer: Offer) -> bool:
    """Return whether a member can start a match now: neither on leave nor banned nor busy."""
    player = work.players.get(offer.owner)
    if not player.reachable or not is_offered(offer.terms.game_key):
        return False
    if budget_of(work, player, work.now).at(work.now) is not None:
        return False
    try:
        require_no_ban(work, player)
    except OfferError:
        return False
    return len(work.matches.of_player(player.id)) < work.club.policy.running_matches


def _fit(work: Work, one: Offer, other: Offer) -> bool:
    """Return whether two members may play each other, by blocks and by their conditions."""
    people = [work.players.get(each.owner) for each in (one, other)]
    try:
        require_together(work, people[0], [people[1].id])
        require_fit(work, people[0], other)
        require_fit(work, people[1], one)
    except OfferError:
        return False
    return (one.met and other.met) or not are_playing(work, one.owner, other.owner)


def _start(work: Work, numbers: Sequence[int]) -> bool:
    """Start the match of a group, unless something has changed. Return whether it started."""
    offers = [work.offers.lock(number) for number in sorted(numbers)]
    if not all(each.stands and each.expires_at > work.now for each in offers):
        return False
    for player in sorted(each.owner for each in offers):
        work.players.lock(player)
    if not all(_is_free(work, each) for each in offers):
        return False
    if not all(_fit(work, one, other) for one, other in permutations(offers, 2)):
        return False
    first = replace(offers[0], entries=tuple(each.entries[0] for each in offers))
    begun = begin_offer(work, first).begun
    for each in (first, *offers[1:]):
        waited = Search(waited=work.now - each.created_at)
        work.offers.save(replace(each, state=State.BEGUN, begun=begun, search=waited))
    return True
