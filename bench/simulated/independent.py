"""Tables of competitions computed a second time, from the sentences of docs/competitions.md.

It knows players only by their numbers and imports nothing from pbem. In the simulation, nobody but
a substitute for the whole entry takes over a seat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple

HALF, NONE, ONE = Fraction(1, 2), Fraction(), Fraction(1)
EVERYBODY_MEETS = ("direct", "sonneborn-berger", "wins", "lots")
SOME_MEET = ("direct", "buchholz", "sonneborn-berger", "wins", "lots")


@dataclass(frozen=True)
class Game:
    """A match of a competition, with numbers of players."""

    round: int
    players: tuple[int, ...]
    """On a ladder, the challenger comes first."""
    ended_at: datetime | None = None
    counts: bool = True
    winner: int | None = None
    credits: Mapping[int, int] | None = None
    """In a set: the credits of each player."""
    solo: int = 0

    def points(self, player: int) -> Fraction:
        """Return what a player got: 1, 1/2 or 0."""
        if not self.counts:
            return NONE
        return HALF if self.winner is None else Fraction(self.winner == player)

    def other(self, player: int) -> int:
        """Return the opponent."""
        return self.players[self.players[0] == player]


@dataclass(frozen=True)
class Facts:
    """What decides a table."""

    kind: str
    seed: int
    players: int
    games: Sequence[Game]
    late: Mapping[int, int]
    withdrawn: Mapping[int, int]
    byes: Mapping[int, Sequence[int]]
    sizes: Sequence[int] = ()
    rounds: int = 0
    double: bool = False
    third_place: bool = False
    best_of: int = 1
    extra: int = 2

    def here(self, player: int, round_: int) -> bool:
        """Return whether a player takes part in a round."""
        return self.late.get(player, 1) <= round_ and not self.gone(player, round_)

    def gone(self, player: int, round_: int) -> bool:
        """Return whether a player has withdrawn from a round."""
        return player in self.withdrawn and round_ >= self.withdrawn[player]


class Got(NamedTuple):
    """What a player got in a round."""

    points: Fraction
    against: int | None = None
    absent: bool = False
    won: bool = False


Cells = Mapping[int, Sequence[Got]]


def table(facts: Facts) -> list[int]:
    """Return the players in the order of the table. In a team match, the winners only."""
    return _TABLES[facts.kind](facts)


def lot(seed: int, *labels: object) -> int:
    """Draw a lot."""
    text = ":".join(map(str, (seed, *labels)))
    return int(sha256(text.encode()).hexdigest()[:12], 16)


def _total(cells: Sequence[Got]) -> Fraction:
    return sum((each.points for each in cells), NONE)


def _score(cells: Sequence[Got]) -> Fraction:
    """Return what a player counts for opponents."""
    played = list(cells)
    while played and played[-1].absent:
        played.pop()
    return _total(played) + HALF * (len(cells) - len(played))


def _value(key: str, player: int, level: Sequence[int], cells: Cells, seed: int) -> Fraction:
    mine = cells[player]

    def worth(got: Got) -> Fraction:
        return _total(mine) if got.against is None else _score(cells[got.against])

    match key:
        case "direct":
            met = {frozenset((one, got.against)) for one in level for got in cells[one]}
            if not all(frozenset(pair) in met for pair in combinations(level, 2)):
                return NONE
            return _total([got for got in mine if got.against in level])
        case "buchholz":
            return sum(map(worth, mine), NONE)
        case "sonneborn-berger":
            return sum((got.points * worth(got) for got in mine), NONE)
        case "wins":
            return Fraction(sum(got.won for got in mine))
    drawn = sorted(cells, key=lambda each: lot(seed, "lots", each))
    return Fraction(-drawn.index(player))


def _ranked(cells: Cells, chain: Sequence[str], facts: Facts) -> list[int]:
    keys: dict[int, tuple[Fraction, ...]] = {
        n: (Fraction(n not in facts.withdrawn), _total(got)) for n, got in cells.items()
    }
    for key in chain:
        levels = defaultdict[tuple[Fraction, ...], list[int]](list)
        for player, values in keys.items():
            levels[values].append(player)
        for level in levels.values():
            for one in level:
                keys[one] += (_value(key, one, level, cells, facts.seed),)
    return sorted(keys, key=lambda player: keys[player], reverse=True)


def _of_game(game: Game, player: int) -> Got:
    points = game.points(player)
    return Got(points, game.other(player), won=points == 1)


def berger(players: int) -> Iterator[tuple[int, int, int]]:
    """Yield each round and pair of a round robin, whoever begins."""
    size = players + players % 2
    for round_ in range(1, size):
        for one, other in combinations(range(1, size), 2):
            if (one + other - round_ - 1) % (size - 1) == 0:
                yield round_, one, other
        last = next(n for n in range(1, size) if (2 * n - round_ - 1) % (size - 1) == 0)
        if size == players:
            yield round_, last, size


def _round_robin(facts: Facts) -> list[int]:
    started = {(each.round, frozenset(each.players)): each for each in facts.games}
    cells = defaultdict[int, list[Got]](list, {n: [] for n in range(1, facts.players + 1)})
    for round_, *pair in berger(facts.players):
        game = started.get((round_, frozenset(pair)))
        absent = [n for n in pair if facts.gone(n, round_)]
        for one, other in (pair, pair[::-1]):
            if game is not None and game.ended_at is not None:
                cells[one].append(_of_game(game, one))
            elif game is None and absent:
                cells[one].append(Got(Fraction(one not in absent), other))
    return _ranked(cells, EVERYBODY_MEETS, facts)


def _league(facts: Facts) -> list[int]:
    found, first = [], 0
    for size in facts.sizes:
        numbers = range(first + 1, first + size + 1)
        games = [
            replace(
                each,
                players=tuple(n - first for n in each.players),
                winner=None if each.winner is None else each.winner - first,
            )
            for each in facts.games
            if each.players[0] in numbers
        ]
        withdrawn = {n - first: at for n, at in facts.withdrawn.items()}
        division = replace(facts, players=size, games=games, withdrawn=withdrawn)
        found += [first + n for n in _round_robin(division)]
        first += size
    return found


def _swiss(facts: Facts) -> list[int]:
    games = {(each.round, n): each for each in facts.games for n in each.players}
    cells: dict[int, list[Got]] = {n: [] for n in range(1, facts.players + 1)}
    for round_ in range(1, max((each.round for each in facts.games), default=0) + 1):
        for player, got in cells.items():
            game = games.get((round_, player))
            if game is not None:
                got.extend([_of_game(game, player)] if game.ended_at is not None else [])
            elif not facts.here(player, round_):
                got.append(Got(NONE, absent=True))
            elif round_ in facts.byes.get(player, ()):
                counts = round_ in sorted(facts.byes[player])[:2] and round_ < facts.rounds
                got.append(Got(HALF if counts else NONE, absent=True))
            else:
                got.append(Got(ONE))
    return _ranked(cells, SOME_MEET, facts)


def _open_house(facts: Facts) -> list[int]:
    ended = [each for each in facts.games if each.ended_at is not None]
    cells = {
        n: [_of_game(each, n) for each in ended if n in each.players]
        for n in range(1, facts.players + 1)
    }
    return _ranked(cells, SOME_MEET, facts)


def _ladder(facts: Facts) -> list[int]:
    rungs = list(range(1, facts.players + 1))
    ended = [(each.ended_at, at) for at, each in enumerate(facts.games) if each.ended_at]
    for game in (facts.games[at] for _, at in sorted(ended)):
        challenger, challenged = game.players
        upper, lower = rungs.index(challenged), rungs.index(challenger)
        if game.counts and game.winner == challenger and lower > upper:
            rungs.insert(upper, rungs.pop(lower))
    return [n for n in rungs if n not in facts.withdrawn]


def _team_match(facts: Facts) -> list[int]:
    boards = facts.players // 2
    points = defaultdict[int, Fraction](Fraction)
    started = set()
    for game in facts.games:
        started.add((game.round, frozenset(game.players)))
        for n in game.players if game.ended_at is not None else ():
            points[n] += game.points(n)
    for round_ in (1, 2) if facts.double else (1,):
        for pair in ((n, n + boards) for n in range(1, boards + 1)):
            here = [n for n in pair if not facts.gone(n, round_)]
            if (round_, frozenset(pair)) not in started and len(here) == 1:
                points[here[0]] += 1
    teams = [list(range(1, boards + 1)), list(range(boards + 1, 2 * boards + 1))]
    sums = [sum((points[n] for n in team), NONE) for team in teams]
    weighed = [sum((points[n] * (boards - at) for at, n in enumerate(t)), NONE) for t in teams]
    best = (sums[1], weighed[1]) > (sums[0], weighed[0])
    if (sums[0], weighed[0]) == (sums[1], weighed[1]):
        best = lot(facts.seed, "team", 1) % 2 == 1
    return [n for n in teams[best] if n not in facts.withdrawn]


def _set_league(facts: Facts) -> list[int]:
    ended = [each for each in facts.games if each.ended_at is not None and each.counts]

    def credits(player: int, of: Sequence[Game]) -> list[int]:
        return [each.credits[player] for each in of if each.credits and player in each.credits]

    def key(player: int) -> tuple[int, int, int, int, int]:
        own = credits(player, ended)
        alone = credits(player, [each for each in ended if each.solo == player])
        wins = sum(each > 0 for each in own)
        return (player not in facts.withdrawn, sum(own), wins, sum(alone), -places.index(player))

    places = sorted(range(1, facts.players + 1), key=lambda n: lot(facts.seed, "lots", n))
    return sorted(places, key=key, reverse=True)


class _Tie:
    """A tie of a knock-out, with the players who have reached it."""

    def __init__(self, facts: Facts, round_: int, sides: Sequence[_Tie | int | None]) -> None:
        self.facts, self.round = facts, round_
        known = all(not isinstance(each, _Tie) or each.decided for each in sides)
        self.players = [each.winner if isinstance(each, _Tie) else each for each in sides]
        self.decided: bool = False
        self.winner: int | None = self._through() if known else None

    def _through(self) -> int | None:
        """Return who goes through, None for nobody or if it is open."""
        facts, (one, other) = self.facts, self.players
        self.decided = one is None or other is None
        if one is None or other is None:
            return one if other is None else other
        games = [e for e in facts.games if e.round == self.round and {*e.players} == {one, other}]
        ended = [each for each in games if each.ended_at is not None]
        gone = [n for n in (one, other) if facts.gone(n, self.round)]
        last = gone and self.round == (facts.players - 1).bit_length()
        lead, played = 0, 0
        for game in ended if not last else ():
            played += 1
            lead += 0 if game.winner is None or not game.counts else 1 if game.winner == one else -1
            if abs(lead) > max(facts.best_of - played, 0):
                self.decided = True
                return one if lead > 0 else other
        self.decided = played >= facts.best_of + facts.extra
        if self.decided:
            return min(one, other)
        self.decided = bool(gone) and len(games) == len(ended)
        staying = [n for n in (one, other) if n not in gone]
        return staying[0] if self.decided and staying else None

    @property
    def loser(self) -> int | None:
        """The player who lost it, None if there is none."""
        lost = [each for each in self.players if each != self.winner]
        return lost[0] if self.winner is not None and len(lost) == 1 else None


def _knock_out(facts: Facts) -> list[int]:
    order = [1]
    while len(order) < facts.players:
        order = [n for seed in order for n in (seed, 2 * len(order) + 1 - seed)]
    sides: list[_Tie | int | None] = [n if n <= facts.players else None for n in order]
    survived = dict.fromkeys(range(1, facts.players + 1), 0)
    round_, third = 0, None
    while len(sides) > 1:
        round_ += 1
        ties = [_Tie(facts, round_, pair) for pair in zip(sides[::2], sides[1::2], strict=True)]
        if len(ties) == 1 and facts.third_place and round_ > 1:
            halves = [each for each in sides if isinstance(each, _Tie)]
            if all(each.decided for each in halves):
                third = _Tie(facts, round_, [each.loser for each in halves]).winner
        for tie in ties:
            if tie.decided and tie.winner is not None:
                survived[tie.winner] += 1
        sides = [*ties]
    won = {n: sum(e.counts and e.winner == n for e in facts.games) for n in survived}
    return sorted(survived, key=lambda n: (-survived[n], n != third, -won[n], n))


_TABLES = {
    "tournament": _round_robin,
    "league": _league,
    "swiss": _swiss,
    "knock-out": _knock_out,
    "set-league": _set_league,
    "team-match": _team_match,
    "ladder": _ladder,
    "open-house": _open_house,
}
