"""Answering: what members do with offers that stand; each raises OfferError where they may not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.matches.offer_terms import Begins, OfferError, Terms
from pbem.matches.words import phrase
from pbem.ports.process import StorageError
from pbem.service.tables.begin import require_playable
from pbem.service.tables.change import Change, carry_out
from pbem.service.tables.making import CHALLENGE_DAYS
from pbem.service.tables.options import options_from, read_number, read_place
from pbem.service.tables.people import (
    are_playing,
    bots_among,
    require_few_bots,
    require_few_matches,
    require_together,
)
from pbem.service.tables.reading import MOST_GAMES, USUAL_GAMES
from pbem.service.tables.words import is_term
from pbem.service.work import Work


def known(work: Work, number: int) -> Offer:
    """An offer, also one that is over; nobody else can answer it meanwhile."""
    try:
        return work.offers.lock(number)
    except StorageError as error:
        raise OfferError(phrase("offer.none", number=number)) from error


def the_one(work: Work, by: Player, command: str, fits: Callable[[Offer], bool]) -> Offer:
    """The only offer that somebody can mean who names none."""
    fitting = [offer for offer in work.offers.standing() if fits(offer)]
    if len(fitting) == 1:
        return known(work, fitting[0].number)
    numbers = [f"{command} {offer.number}" for offer in fitting]
    raise OfferError(phrase("offer.which") if numbers else phrase("offer.no-such"), numbers)


def accept(work: Work, by: Player, offer: Offer, seat: str = "") -> Change:
    """Yes to a challenge."""
    after = offer.accept(by.id, _place(offer, seat))
    _require_may_join(work, by, offer)
    return Change(after, offer, by)


def decline(work: Work, by: Player, offer: Offer, reason: str = "") -> Change:
    """No to a challenge."""
    return Change(offer.decline(by.id), offer, by, reason=reason)


def counter(work: Work, by: Player, offer: Offer, words: Sequence[str]) -> Change:
    """Yes on other terms, which the others are asked about."""
    wrong = next((word for word in words if not is_term(word)), None)
    if wrong is not None or not words:
        raise OfferError(phrase("offer.not-terms", text=repr(wrong or "")))
    pairs = {key.casefold(): value for key, _, value in (word.partition("=") for word in words)}
    place = _place(offer, pairs.pop("as", ""))
    terms = _other_terms(offer.terms, words, pairs)
    require_playable(work, terms)
    expires_at = work.now + timedelta(days=CHALLENGE_DAYS)
    after = offer.counter(by.id, terms, expires_at, place)
    _require_may_join(work, by, offer)
    return Change(after, offer, by)


def take(work: Work, by: Player, offer: Offer, seat: str = "") -> Change:
    """A seat at a table."""
    after = offer.take(by.id, _place(offer, seat))
    _require_may_join(work, by, offer)
    if not offer.met and are_playing(work, offer.owner, by.id):
        owner = work.players.get(offer.owner).name
        raise OfferError(phrase("offer.met", number=offer.number, owner=owner))
    return Change(after, offer, by)


def leave(work: Work, by: Player, offer: Offer) -> Change:
    """A seat that is free again."""
    return Change(offer.leave(by.id), offer, by)


def withdraw(work: Work, by: Player, offer: Offer) -> Change:
    """An offer taken back."""
    return Change(offer.withdraw(by.id), offer, by)


def lapse(work: Work, number: int) -> None:
    """The end of an offer whose time is over; nothing where somebody was just in time."""
    offer = work.offers.lock(number)
    if offer.stands and offer.expires_at <= work.now:
        carry_out(work, Change(offer.lapse(), offer))


def may_take(work: Work, player: Player, offer: Offer) -> bool:
    """Whether somebody could sit down at a table, as far as it is not their own matter."""
    try:
        offer.take(player.id)
        require_together(work, player, offer.players)
    except OfferError:
        return False
    return offer.met or not are_playing(work, offer.owner, player.id)


def _require_may_join(work: Work, by: Player, offer: Offer) -> None:
    require_together(work, by, (each for each in offer.players if each != by.id))
    require_few_matches(work, by)
    require_few_bots(work, by, bots_among(work, offer.players))


def _place(offer: Offer, seat: str) -> int | None:
    return read_place(offer.terms.game, offer.terms.begins, offer.terms.players, seat)


def _other_terms(terms: Terms, words: Sequence[str], pairs: dict[str, str]) -> Terms:
    if terms.begins is Begins.SERIES and ("series" in pairs or "games" in pairs):
        series = {"series": pairs.pop("series", pairs.pop("games", ""))}
        terms = replace(terms, games=read_number(series, "series", USUAL_GAMES, MOST_GAMES))
    return replace(terms, options=options_from(words, terms.game, pairs, terms.options))
