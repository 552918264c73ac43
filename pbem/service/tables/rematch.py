"""Rematch: the same people once more, each a seat further on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pbem.matches.competition import Competition
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.offer import Entry, Offer
from pbem.matches.offer_terms import Begins, OfferError, Terms
from pbem.matches.words import phrase
from pbem.service.room.room import Public
from pbem.service.tables.answering import accept
from pbem.service.tables.change import Change
from pbem.service.tables.making import CHALLENGE_DAYS, require_room
from pbem.service.tables.people import require_together
from pbem.service.work import Work


def rematch(work: Work, by: Player, match: MatchSummary) -> Change:
    """A challenge to all others of a match, series or set; raises OfferError.

    Where one of them has asked for the same already, it is a yes to that.
    """
    if by.id not in match.players:
        raise OfferError(phrase("offer.not-played"))
    competition = work.competitions.get(match.place.competition) if match.place else None
    terms, players = _played(work, match, competition)
    asked = next((each for each in work.offers.of_player(by.id) if _same(each, terms, by)), None)
    if asked is not None:
        return accept(work, by, asked)
    require_room(work, by)
    require_together(work, by, (player for player in players if player != by.id))
    expires_at = work.now + timedelta(days=CHALLENGE_DAYS)
    return Change(Offer(terms, _entries(work, by, players), work.now, expires_at), by=by)


def _entries(work: Work, by: Player, players: Sequence[PlayerId]) -> tuple[Entry, ...]:
    """Everybody a place further on, who asks for it first."""
    entries = [
        Entry(player, _says_yes(work, by, player), (place + 1) % len(players))
        for place, player in enumerate(players)
    ]
    return tuple(sorted(entries, key=lambda entry: entry.player != by.id))


def _says_yes(work: Work, by: Player, player: PlayerId) -> bool:
    return player == by.id or bool(work.players.get(player).bot)


def _same(offer: Offer, terms: Terms, by: Player) -> bool:
    return offer.terms == terms and by.id in offer.asked and not offer.open


def _played(
    work: Work, match: MatchSummary, competition: Competition | None
) -> tuple[Terms, tuple[PlayerId, ...]]:
    """What was played, and by whom in the order of entry; raises OfferError before its end."""
    private = match.public == Public.NEVER
    if competition is None:
        if match.result is None:
            raise OfferError(phrase("offer.no-rematch"))
        players = match.players
        return Terms(match.game_key, len(players), match.options, private=private), players
    if not competition.standing(work.matches.of_competition(competition.id)).over:
        raise OfferError(phrase("offer.no-rematch-yet", kind=competition.kind))
    games = competition.games if isinstance(competition, Series) else 0
    terms = Terms(
        competition.game_key,
        len(competition.players),
        competition.options,
        _begins(competition),
        games,
        private,
    )
    return terms, competition.players


def _begins(competition: Competition) -> Begins:
    if isinstance(competition, Series):
        return Begins.SERIES
    if isinstance(competition, MatchSet):
        return Begins.SET
    raise OfferError(phrase("offer.no-rematch-of", kind=competition.kind))
