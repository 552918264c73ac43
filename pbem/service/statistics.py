"""Statistics of members, pairs and games, from the matches that a reader may know of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from pbem.games import game_of, keys
from pbem.mail.outgoing.statistics_view import LongMatch, MemberStatistics, ResultsView
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.reliability import YEAR
from pbem.matches.statistics import (
    LONGEST,
    PlayedMatch,
    Results,
    Statistics,
    Tally,
    statistics,
    tally,
)
from pbem.ports.room import Choices
from pbem.ports.storage import UnitOfWork
from pbem.service.club import AS_THE_CLUB, Club, Public
from pbem.service.reliability import reliability
from pbem.service.work import Work

_EVERY: Final = frozenset({AS_THE_CLUB, *map(str, Public)})
EVERYTHING: Final = Choices(_EVERY, _EVERY)
"""All matches, for their own players."""
NOT_PRIVATE: Final = Choices(_EVERY - {str(Public.NEVER)}, _EVERY - {str(Public.NEVER)})


def choices_for(club: Club, *, own: bool) -> Choices:
    """Return which matches a reader may know of. `own` matches are those of the reader."""
    if own:
        return EVERYTHING
    return NOT_PRIVATE if club.room is None else club.room.choices


def of_member(
    uow: UnitOfWork,
    which: Choices,
    player: PlayerId,
    game_key: str | None = None,
    against: PlayerId | None = None,
) -> list[Statistics]:
    """Return what a member's matches add up to, perhaps only those against another member."""
    matches = uow.shown.played(which, player, game_key)
    return statistics(each for each in matches if against is None or against in each.opponents)


def by_opponent(matches: Iterable[PlayedMatch]) -> dict[PlayerId, Tally]:
    """Return a member's results against each opponent, the most frequent first."""
    met = defaultdict[PlayerId, list[PlayedMatch]](list)
    for match in matches:
        for opponent in match.opponents:
            met[opponent].append(match)
    return {
        player: tally(own) for player, own in sorted(met.items(), key=lambda each: -len(each[1]))
    }


class GameStatistics(NamedTuple):
    """Statistics of a game."""

    results: Sequence[Results]
    longest: Sequence[MatchSummary]


def of_game(uow: UnitOfWork, which: Choices, game_key: str) -> GameStatistics:
    """Return the statistics of a game."""
    longest = uow.shown.longest(which, game_key, LONGEST)
    return GameStatistics(uow.shown.results(which, game_key), longest)


def subjects(
    words: Sequence[str], named: Callable[[str], Player | None]
) -> tuple[list[Player] | None, str | None]:
    """Return the members, at most two, and the game that words name.

    The members are None if somebody is unknown. `named` returns a member by name.
    """
    game = next((word.casefold() for word in words if word.casefold() in keys()), None)
    names = [word for word in words if word.casefold() != game]
    for split in range(len(names), -1, -1):
        texts = [" ".join(part) for part in (names[:split], names[split:]) if part]
        found = [named(text) for text in texts]
        if all(found):
            return [each for each in found if each is not None], game
    return None, game


def member_facts(
    work: Work, people: Sequence[Player], game: str | None, of: Iterable[Statistics]
) -> dict[str, Any]:
    """Return what `stats.txt.j2` shows of a member, perhaps against another or in one game.

    Reliability is not about a game or an opponent, so it is only shown without them.
    """
    narrowed = len(people) > 1 or game is not None
    words = work.club.club_renderer.words
    return {
        "called": people[0].name,
        "against": people[1].name if len(people) > 1 else "",
        "title": game_of(game).info.title if game else "",
        "has": None if narrowed or people[0].bot else reliability(work, people[0], work.now),
        "kinds": [MemberStatistics(each, words) for each in of],
    }


def game_facts(work: Work, game: str, of: GameStatistics) -> dict[str, Any]:
    """Return what `stats_of_game.txt.j2` shows of a game."""
    words = work.club.club_renderer.words
    return {
        "title": game_of(game).info.title,
        "results": [ResultsView(game, each, words) for each in of.results],
        "longest": [LongMatch(each.id, each.turn) for each in of.longest],
    }


MANY = 5
"""Matches of a pair that ended at once before directors are shown the pair."""


class EarlyPair(NamedTuple):
    """Two members whose matches often end soon after the start.

    One may be feeding the other, or both may be one person. It proves nothing.
    """

    names: tuple[str, str]
    matches: int
    won: tuple[int, int]
    """Matches that each of them won."""


def early_pairs(uow: UnitOfWork, now: datetime) -> tuple[EarlyPair, ...]:
    """Return the pairs of members with many such rated matches in the last year, worst first."""
    met, won = Counter[tuple[PlayerId, ...]](), Counter[tuple[PlayerId, ...]]()
    for match in uow.shown.ended_early(now - YEAR):
        pair = tuple(sorted(match.players))
        if match.counts and match.result and not match.options.unrated and len(pair) == 2:
            met[pair] += 1
            for player in {match.seats[seat] for seat in match.result.winners}:
                won[*pair, player] += not match.result.drawn
    found = list[EarlyPair]()
    for pair, matches in met.most_common():
        people = [uow.players.get(each) for each in pair]
        if matches >= MANY and not any(each.bot or each.former for each in people):
            one, other = people
            shares = won[*pair, one.id], won[*pair, other.id]
            found.append(EarlyPair((one.name, other.name), matches, shares))
    return tuple(found)
