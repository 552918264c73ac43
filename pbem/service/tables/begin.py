"""Begin: what an offer becomes once its players are complete."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.api import OptionError
from pbem.matches.competition import Competition
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.event import BEGUN, MatchBegun
from pbem.matches.match import PlayerId
from pbem.matches.offer import Offer
from pbem.matches.offer_terms import Begins, OfferError, Terms
from pbem.service.play.start import start_competition, start_match
from pbem.service.room.room import AS_THE_CLUB, Public
from pbem.service.work import Work


def begin_offer(work: Work, offer: Offer) -> Offer:
    """The offer, with the match, series or set begun that was agreed."""
    # Who goes back to a backup plays the same mails again: by the same seats, or they are in vain.
    lots = work.club.signer.lots(f"offer {offer.number}")
    terms, players = offer.terms, offer.seated(lots)
    public = Public.NEVER if terms.private else AS_THE_CLUB
    competition = _competition(work, terms, players)
    people = [work.players.get(player) for player in players]
    known = sum(not each.bot for each in people) > 1  # against bots alone it begins at once
    told = MatchBegun(offer.number, offer.open) if known else BEGUN
    if competition is None:
        match = start_match(work, terms.game, people, terms.options, public, told)
        return offer.begin(f"match {match.id}")
    begun = start_competition(work, competition, public, told)
    return offer.begin(f"{begun.kind} {begun.number}")


def require_playable(work: Work, terms: Terms) -> None:
    """Raises OfferError if so many players cannot play that game on such terms."""
    try:
        terms.game.info.seats_of(terms.players)
        competition = _competition(work, terms, range(terms.players))
        if competition is not None:
            competition.require_playable()
    except OptionError as error:
        raise OfferError(error.reason) from error


def _competition(work: Work, terms: Terms, players: Sequence[PlayerId]) -> Competition | None:
    common = (terms.game_key, tuple(players), terms.options, work.now)
    match terms.begins:
        case Begins.SERIES:
            return Series(*common, games=terms.games)
        case Begins.SET:
            return MatchSet(*common)
        case Begins.MATCH:
            return None
