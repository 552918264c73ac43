"""Certain: which players are sure of a place, and which have lost every chance of it.

If few matches remain, all their results are tried with the tie-breaks. Otherwise only points
count, in bounds that never say too much. Both suppose that every match that remains ends as a win
or a draw, and that no director changes what has ended.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from pbem.games import game_of
from pbem.matches.competition import Competition, Pairing, index_of
from pbem.matches.competitions.knock_out import KnockOut
from pbem.matches.competitions.league import League
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.swiss import Swiss
from pbem.matches.match import MatchSummary, PlayerId, Result, new_match
from pbem.matches.standing import Standing

TRIED = 5
"""Most remaining matches whose results are all tried: 243 tables."""
SEARCHED = 40
"""Most players for whom a flow decides whether somebody is out."""


@dataclass(frozen=True)
class Certain:
    """Players who are sure of a place among the first, and players who cannot reach one."""

    sure: tuple[PlayerId, ...] = ()
    out: tuple[PlayerId, ...] = ()


@dataclass(frozen=True)
class Race:
    """Points so far, and what can still be won."""

    points: Mapping[PlayerId, Fraction]
    left: Sequence[tuple[PlayerId, PlayerId]] = ()
    """Players of the matches that remain, as far as their players are known."""
    more: Fraction = Fraction()
    """Most points that each player can get from matches whose players are not known."""
    gone: Sequence[PlayerId] = ()
    """Players without points here, as they have withdrawn and cannot win."""

    def most(self, player: PlayerId) -> Fraction:
        """Return the most points that a player can have in the end."""
        return self.points[player] + self.more + sum(player in pair for pair in self.left)


def certain(competition: Competition, matches: Sequence[MatchSummary], places: int = 1) -> Certain:
    """Return who is sure of one of the first places, and who cannot reach one.

    In a league, this is about its highest division. Nothing is certain in a kind whose points have
    no limit, until it is over.
    """
    standing = competition.standing(matches)
    if standing.over:
        first = [row.player for row in standing.rows[:places]]
        if places == 1:
            first = list(standing.winners)
        return Certain(
            tuple(first), tuple(r.player for r in standing.rows if r.player not in first)
        )
    if isinstance(competition, KnockOut):
        return _knock_out(competition, matches) if places == 1 else Certain()
    if isinstance(competition, League):
        division, length = next((each, each.length) for each, _ in competition.divisions())
        return certain(division, [m for m in matches if index_of(m) <= length], places)
    if isinstance(competition, RoundRobin | Series):
        race, left = _known(competition, matches, standing)
        if len(left) <= TRIED:
            return _tried(competition, matches, left, places)
        return _bounds(race, places)
    if isinstance(competition, Swiss):
        return _swiss(competition, matches, standing, places)
    return Certain()


def _knock_out(of: KnockOut, matches: Sequence[MatchSummary]) -> Certain:
    """Return the players who have lost a tie, or withdrawn from the next one."""
    final = of.bracket(matches)[-1][-1]
    sure = (final.winner,) if final.winner is not None else ()
    lost = {tie.loser for round_ in of.bracket(matches) for tie in round_ if not tie.third_place}
    out = [player for player in of.players if player in lost]
    return Certain(sure, tuple(out))


def _known(
    of: RoundRobin | Series, matches: Sequence[MatchSummary], standing: Standing
) -> tuple[Race, list[Pairing]]:
    """Return the race of a kind that knows all its matches, and those that remain."""
    over = {index_of(match) for match in matches if match.result is not None}
    begun = {index_of(match) for match in matches}
    left = [
        pairing
        for pairing in of.pairings()
        if pairing.index not in over
        and (pairing.index in begun or not isinstance(of, RoundRobin) or not of.absent(pairing))
    ]
    pairs = [(pairing.players[0], pairing.players[1]) for pairing in left]
    return _race(standing, pairs), left


def _race(
    standing: Standing, left: Sequence[tuple[PlayerId, PlayerId]], more: Fraction = Fraction()
) -> Race:
    points = {row.player: row.points for row in standing.rows if not row.withdrawn}
    gone = [row.player for row in standing.rows if row.withdrawn]
    return Race(points, left, more, gone)


def _swiss(of: Swiss, matches: Sequence[MatchSummary], standing: Standing, places: int) -> Certain:
    """Return what the rest of the current round and the points of later rounds allow."""
    running = [match for match in matches if match.result is None]
    last = max((match.place.round for match in matches if match.place), default=0)
    left = [
        Pairing(last, index_of(match), of.entrants(match, index_of(match))) for match in running
    ]
    if last == of.rounds and len(left) <= TRIED:
        return _tried(of, matches, left, places)
    pairs = [(each.players[0], each.players[1]) for each in left]
    return _bounds(_race(standing, pairs, Fraction(of.rounds - last)), places)


def _tried(
    of: Competition, matches: Sequence[MatchSummary], left: Sequence[Pairing], places: int
) -> Certain:
    """Return what holds in the tables of all possible results."""
    above = [
        frozenset(row.player for row in table.rows[:places]) if places > 1 else {*table.winners}
        for table in _tables(of, matches, left)
    ]
    sure = frozenset.intersection(*map(frozenset, above))
    reached = frozenset[PlayerId]().union(*above)
    return Certain(
        tuple(player for player in of.players if player in sure),
        tuple(player for player in of.players if player not in reached),
    )


def _tables(
    of: Competition, matches: Sequence[MatchSummary], left: Sequence[Pairing]
) -> Iterator[Standing]:
    known = {index_of(match): match for match in matches}
    for pairing in left:
        if pairing.index not in known:
            seated, place = of.seated(pairing), of.place(pairing)
            game = new_match(game_of(of.game_key), seated, of.options, of.created_at, place)
            known[pairing.index] = game
    for results in product((0, 1, None), repeat=len(left)):
        decided = {
            pairing.index: _decided(known[pairing.index], winner)
            for pairing, winner in zip(left, results, strict=True)
        }
        yield of.standing([{**known, **decided}[index] for index in sorted(known)])


def _decided(match: MatchSummary, winner: int | None) -> MatchSummary:
    """Return a match won by the player who entered first (0) or second (1), or drawn."""
    held = match.game.info.holders[match.player_count]
    seats, ending = ((), "draw") if winner is None else (held[winner], "resignation")
    return replace(match, result=Result(tuple(seats), ending, {}, match.started_at))


def _bounds(race: Race, places: int) -> Certain:
    """Return what points alone make certain. Players level on points are not."""
    most = {player: race.most(player) for player in race.points}
    search = places == 1 and len(most) <= SEARCHED
    sure, out = [], [*race.gone]
    for player, points in race.points.items():
        others = [other for other in race.points if other != player]
        if sum(most[other] >= points for other in others) < places:
            sure.append(player)
        beaten = sum(race.points[other] > most[player] for other in others) >= places
        if beaten or (search and _exceeded(race, player, most[player])):
            out.append(player)
    return Certain(tuple(sure), tuple(out))


def _exceeded(race: Race, player: PlayerId, most: Fraction) -> bool:
    """Return whether somebody must get more points than a player can.

    Each remaining match of two others gives them two half points in all. They find a place below
    the limit just if a flow of that size exists from the matches to the players.
    """
    room = {each: int(2 * (most - points)) for each, points in race.points.items()}
    matches = [pair for pair in race.left if player not in pair]
    given: dict[PlayerId, list[int]] = defaultdict(list)
    for at in range(len(matches)):
        for _ in range(2):
            if not _placed(at, matches, room, given, set()):
                return True
    return False


def _placed(
    at: int,
    matches: Sequence[tuple[PlayerId, PlayerId]],
    room: Mapping[PlayerId, int],
    given: dict[PlayerId, list[int]],
    seen: set[PlayerId],
) -> bool:
    """Give half a point of a match to one of its players, moving others to make room."""
    for each in matches[at]:
        if each in seen:
            continue
        seen.add(each)
        if each not in room or len(given[each]) < room[each]:
            given[each].append(at)
            return True
        for slot, other in enumerate(given[each]):
            if _placed(other, matches, room, given, seen):
                given[each][slot] = at
                return True
    return False
