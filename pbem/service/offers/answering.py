"""Answering: accept, decline, counter, take, leave or withdraw an offer, or ask for a rematch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.matches.competition import Competition
from pbem.matches.competitions.series import Series
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.offer import Offer, OfferEntry
from pbem.matches.offer_terms import Begins, OfferError, OfferTerms, is_begun_whole
from pbem.matches.words import phrase
from pbem.ports.process import StorageError
from pbem.service.club import Public
from pbem.service.offers.change import OfferChange, carry_out, require_playable
from pbem.service.offers.making import CHALLENGE_DAYS, require_room
from pbem.service.offers.options import is_term, options_from, read_number, read_place
from pbem.service.offers.people import (
    are_playing,
    bots_among,
    require_all_together,
    require_few_bots,
    require_few_matches,
    require_fit,
    require_no_ban,
    require_together,
)
from pbem.service.offers.reading import MOST_GAMES, USUAL_GAMES
from pbem.service.offers.reopening import is_banned, require_open
from pbem.service.work import Work


def known(work: Work, number: int) -> Offer:
    """Lock and return an offer, even one that is over. Raises OfferError if there is none."""
    try:
        return work.offers.lock(number)
    except StorageError as error:
        raise OfferError(phrase("offer.none", number=number)) from error


def the_one(work: Work, by: Player, command: str, fits: Callable[[Offer], bool]) -> Offer:
    """Lock and return the only offer that a command without a number can mean."""
    fitting = [offer for offer in work.offers.standing() if fits(offer)]
    if len(fitting) == 1:
        return known(work, fitting[0].number)
    numbers = [f"{command} {offer.number}" for offer in fitting]
    raise OfferError(phrase("offer.which") if numbers else phrase("offer.no-such"), numbers)


def accept(work: Work, by: Player, offer: Offer, seat: str = "") -> OfferChange:
    """Accept a challenge."""
    offer.terms.require_offered()
    after = offer.accept(by.id, _place(offer, seat))
    _require_may_join(work, by, offer)
    return OfferChange(after, offer, by)


def decline(work: Work, by: Player, offer: Offer, reason: str = "") -> OfferChange:
    """Decline a challenge."""
    return OfferChange(offer.decline(by.id), offer, by, reason=reason)


def counter(work: Work, by: Player, offer: Offer, words: Sequence[str]) -> OfferChange:
    """Accept a challenge on other terms, which the others are asked about."""
    wrong = next((word for word in words if not is_term(word)), None)
    if wrong is not None or not words:
        raise OfferError(phrase("offer.not-terms", text=repr(wrong or "")))
    pairs = {key.casefold(): value for key, _, value in (word.partition("=") for word in words)}
    offer.terms.require_offered()
    place = _place(offer, pairs.pop("as", ""))
    terms = _other_terms(offer.terms, words, pairs)
    require_playable(work, terms)
    expires_at = work.now + timedelta(days=CHALLENGE_DAYS)
    after = offer.counter(by.id, terms, expires_at, place)
    _require_may_join(work, by, offer)
    return OfferChange(after, offer, by)


def take(work: Work, by: Player, offer: Offer, seat: str = "") -> OfferChange:
    """Take a seat at a table."""
    offer.terms.require_offered()
    place = _place(offer, seat)
    needed = offer.free <= 1 or place in [each.place for each in offer.entries if each.place]
    table = without_banned(work, offer) if needed else offer
    after = table.take(by.id, place)
    require_open(work, by.id, offer)
    _require_may_join(work, by, table)
    if not offer.met and are_playing(work, offer.owner, by.id):
        owner = work.players.get(offer.owner).name
        raise OfferError(phrase("offer.met", number=offer.number, owner=owner))
    return OfferChange(after, offer, by)


def leave(work: Work, by: Player, offer: Offer) -> OfferChange:
    """Leave a table."""
    return OfferChange(offer.leave(by.id), offer, by)


def withdraw(work: Work, by: Player, offer: Offer) -> OfferChange:
    """Withdraw an offer."""
    return OfferChange(offer.withdraw(by.id), offer, by)


def lapse(work: Work, number: int) -> None:
    """End an offer that has expired, unless somebody answered just in time."""
    offer = work.offers.lock(number)
    if offer.stands and offer.expires_at <= work.now and not offer.rests:
        carry_out(work, OfferChange(offer.lapse(), offer))


def may_take(work: Work, player: Player, offer: Offer) -> bool:
    """Return whether somebody may take a seat at a table, apart from limits on their own games.

    The table is one without banned guests.
    """
    try:
        offer.terms.require_offered()
        offer.take(player.id)
        require_open(work, player.id, offer)
        require_together(work, player, offer.players)
        require_fit(work, player, offer)
    except OfferError:
        return False
    return offer.met or not are_playing(work, offer.owner, player.id)


def _require_may_join(work: Work, by: Player, offer: Offer) -> None:
    require_no_ban(work, by)
    require_together(work, by, (each for each in offer.players if each != by.id))
    require_fit(work, by, offer)
    require_few_matches(work, by)
    require_few_bots(work, by, bots_among(work, offer.players))


def without_banned(work: Work, table: Offer) -> Offer:
    """Return a table as others see it: guests who may start nothing now have no seat."""
    for guest in table.players[1:] if table.open else ():
        table = table.leave(guest) if is_banned(work, guest) else table
    return table


def _place(offer: Offer, seat: str) -> int | None:
    return read_place(offer.terms.game, offer.terms.begins, offer.terms.players, seat)


def _other_terms(terms: OfferTerms, words: Sequence[str], pairs: dict[str, str]) -> OfferTerms:
    if terms.begins is Begins.SERIES and ("series" in pairs or "games" in pairs):
        series = {"series": pairs.pop("series", pairs.pop("games", ""))}
        terms = replace(terms, games=read_number(series, "series", USUAL_GAMES, MOST_GAMES))
    return replace(terms, options=options_from(words, terms.game, pairs, terms.options))


def rematch(work: Work, by: Player, match: MatchSummary) -> OfferChange:
    """Return a challenge to everybody else in a match, series or set. Raises OfferError.

    A match of any other competition is offered alone. If another player has already asked for the
    same, it accepts that offer.
    """
    if by.id not in match.players:
        raise OfferError(phrase("offer.not-played"))
    terms, players = _played(work, match, _whole(work, match))
    terms.require_offered()
    for each in map(work.players.get, players):
        if each.former:
            raise OfferError(phrase("offer.unavailable", name=each.name))
    standing = work.offers.of_player(by.id)
    asked = next((each for each in standing if _same(each, terms, players, by)), None)
    if asked is not None:
        return accept(work, by, asked)
    require_room(work, by)
    require_few_bots(work, by, bots_among(work, players))
    require_all_together(work, map(work.players.get, players))
    expires_at = work.now + timedelta(days=CHALLENGE_DAYS)
    return OfferChange(Offer(terms, _entries(work, by, players), work.now, expires_at), by=by)


def _entries(work: Work, by: Player, players: Sequence[PlayerId]) -> tuple[OfferEntry, ...]:
    """Return the players moved on by one place, with the player who asks first in the list."""
    entries = [
        OfferEntry(player, _says_yes(work, by, player), (place + 1) % len(players))
        for place, player in enumerate(players)
    ]
    return tuple(sorted(entries, key=lambda entry: entry.player != by.id))


def _says_yes(work: Work, by: Player, player: PlayerId) -> bool:
    return player == by.id or bool(work.players.get(player).bot)


def _same(offer: Offer, terms: OfferTerms, players: Sequence[PlayerId], by: Player) -> bool:
    """Return whether an offer asks a player for exactly the same, with the same players."""
    agrees = offer.terms == terms and sorted(offer.players) == sorted(players)
    return agrees and by.id in offer.asked and not offer.open


def _whole(work: Work, match: MatchSummary) -> Competition | None:
    """Return the series or set of a match, None if it belongs to neither."""
    competition = work.competitions.get(match.place.competition) if match.place else None
    return competition if competition and is_begun_whole(competition.kind) else None


def _played(
    work: Work, match: MatchSummary, competition: Competition | None
) -> tuple[OfferTerms, tuple[PlayerId, ...]]:
    """Return the terms and the players in order of entry. Raises OfferError before the end."""
    private = match.public == Public.NEVER
    if competition is None:
        if match.result is None:
            raise OfferError(phrase("offer.no-rematch"))
        players = match.players
        return OfferTerms(match.game_key, len(players), match.options, private=private), players
    if not competition.standing(work.matches.of_competition(competition.id)).over:
        raise OfferError(phrase("offer.no-rematch-yet", kind=competition.kind))
    terms = OfferTerms(
        competition.game_key,
        len(competition.players),
        competition.options,
        Begins(competition.kind),
        competition.games if isinstance(competition, Series) else 0,
        private,
    )
    return terms, competition.players
