"""Rematch: the same people once more, each a seat further on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pbem.matches.competition import Competition
from pbem.matches.competitions.series import Series
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.offer import Entry, Offer
from pbem.matches.offer_terms import Begins, OfferError, Terms, is_begun_whole
from pbem.matches.words import phrase
from pbem.service.room.room import Public
from pbem.service.tables.answering import accept
from pbem.service.tables.change import Change
from pbem.service.tables.making import CHALLENGE_DAYS, require_room
from pbem.service.tables.people import bots_among, require_all_together, require_few_bots
from pbem.service.work import Work


def rematch(work: Work, by: Player, match: MatchSummary) -> Change:
    """A challenge to all others of a match, series or set; raises OfferError.

    A match of another competition is played again by itself.

    Where one of them has asked for the same already, it is a yes to that.
    """
    if by.id not in match.players:
        raise OfferError(phrase("offer.not-played"))
    terms, players = _played(work, match, _whole(work, match))
    standing = work.offers.of_player(by.id)
    asked = next((each for each in standing if _same(each, terms, players, by)), None)
    if asked is not None:
        return accept(work, by, asked)
    require_room(work, by)
    require_few_bots(work, by, bots_among(work, players))
    require_all_together(work, map(work.players.get, players))
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


def _same(offer: Offer, terms: Terms, players: Sequence[PlayerId], by: Player) -> bool:
    """Whether it asks somebody for the same, and nobody else."""
    agrees = offer.terms == terms and sorted(offer.players) == sorted(players)
    return agrees and by.id in offer.asked and not offer.open


def _whole(work: Work, match: MatchSummary) -> Competition | None:
    """The series or the set that a match belongs to."""
    competition = work.competitions.get(match.place.competition) if match.place else None
    return competition if competition and is_begun_whole(competition.kind) else None


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
    terms = Terms(
        competition.game_key,
        len(competition.players),
        competition.options,
        Begins(competition.kind),
        competition.games if isinstance(competition, Series) else 0,
        private,
    )
    return terms, competition.players
