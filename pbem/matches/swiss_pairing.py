"""Swiss pairing: who meets whom in one round, as a matching of least cost.

Two never meet again. Everything else is a cost, and the costs are compared one after another. So
there is a pairing unless every pairing repeats a match or gives somebody a second bye.

docs/competitions.md states the rules. `networkx` finds the matching and is imported when it is
needed, as only clubs with Swiss tournaments need the extra `swiss`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.util import find_spec
from itertools import combinations

from pbem.matches.lots import lot

MOST_AHEAD = 2
"""Most by which the matches that a player began may outnumber the others, or be outnumbered."""
IN_A_ROW = 2
"""Most matches in a row that a player begins, or does not begin."""

MANY = 60
"""Most players for whom all pairs are considered at once."""
NEAR = 10
"""Most places from the ideal opponent at which pairs of more players are considered first."""

Pair = tuple[int, int]
"""Numbers of two players. The first one begins."""


@dataclass(frozen=True)
class Contender:
    """A player of a round, as the rounds before have left them."""

    number: int
    points: Fraction
    met: frozenset[int] = frozenset()
    """Numbers of the opponents."""
    begun: tuple[int, ...] = ()
    """1 for each match that the player began, -1 for each other one, in their order."""
    had_bye: bool = False
    """Whether they may have no other bye."""
    floated: int = 0
    """-1 if the last opponent had fewer points or there was none, 1 if they had more."""

    @property
    def ahead(self) -> int:
        """Number of matches that the player began, less the others."""
        return sum(self.begun)

    def may(self, begins: int) -> bool:
        """Return whether the player may begin the next match (1), or not begin it (-1)."""
        in_a_row = self.begun[-IN_A_ROW:] == (begins,) * IN_A_ROW
        return abs(self.ahead + begins) <= MOST_AHEAD and not in_a_row

    def dislike(self, begins: int) -> int:
        """Return 2 for the side that they had more often, 1 for that of the last match, or 0."""
        if self.ahead:
            return 2 * (self.ahead * begins > 0)
        return int(self.begun[-1:] == (begins,))


@dataclass(frozen=True)
class Paired:
    """The pairing of a round."""

    pairs: tuple[Pair, ...]
    """In the order of the boards."""
    bye: int | None = None
    """Number of the player without an opponent."""


def available() -> bool:
    """Return whether the library is installed that finds the matching."""
    return find_spec("networkx") is not None


Cost = tuple[int, ...]
"""Costs of a pair, the most important first."""
Rank = tuple[int, int]
"""A player's place among those with equal points, from 0, and how many these are."""


def costs(one: Contender, other: Contender, fold: int, chance: int) -> Cost:
    """Return what a pair costs: the rules in the order of docs/competitions.md."""
    first, second = beginning(one, other)
    upper, lower = (one, other) if one.points >= other.points else (other, one)
    apart = int(2 * (upper.points - lower.points))
    return (
        int(not (first.may(1) and second.may(-1))),
        0,
        apart**2,
        first.dislike(1) + second.dislike(-1),
        (apart > 0) * ((upper.floated < 0) + (lower.floated > 0)),
        fold,
        chance,
    )


def beginning(one: Contender, other: Contender, chance: int = 0) -> tuple[Contender, Contender]:
    """Return two players, the one who begins first.

    That is the order which breaks fewer rules, which is liked more, in which the player begins who
    began less often or did not in the last match in which the sides differed, or the higher one on
    points. In the first round, odd numbers begin against higher ones, or the other way round by
    `chance`.
    """

    def key(first: Contender, second: Contender) -> tuple[int, int, int, int]:
        broken = (not first.may(1)) + (not second.may(-1))
        disliked = first.dislike(1) + second.dislike(-1)
        return broken, disliked, first.ahead - second.ahead, _last_different(first, second)

    forth, back = key(one, other), key(other, one)
    if forth != back:
        return (one, other) if forth < back else (other, one)
    upper, lower = sorted((one, other), key=lambda each: (-each.points, each.number))
    if upper.begun or lower.begun:
        # Both had the same sides: the upper one changes.
        return (lower, upper) if upper.begun[-1:] == (1,) else (upper, lower)
    return (upper, lower) if (upper.number + chance) % 2 else (lower, upper)


def _last_different(first: Contender, second: Contender) -> int:
    """Return 1 if the first began in the last round in which just one of the two did, or -1."""
    sides = zip(reversed(first.begun), reversed(second.begun), strict=False)
    return next((one for one, other in sides if one != other), 0)


@lru_cache(maxsize=32)
def paired(
    players: tuple[Contender, ...], left: frozenset[int], seed: int, round_: int
) -> Paired | None:
    """Return the pairing of the players of a round whose numbers are `left`.

    The others have been paired already. Returns None if every pairing would repeat a match, or
    give a player a second bye.
    """
    waiting = [player for player in players if player.number in left]
    ranks, size = _ranks(players), len(waiting) + len(waiting) % 2
    pairs = None
    for near in (True, False) if len(players) > MANY else (False,):
        found = _possible(waiting, ranks, seed, round_, near=near)
        pairs = _matched(found, size)
        if pairs is not None and not any(found[pair][0] for pair in pairs):
            break
    if pairs is None:
        return None
    by_number = {player.number: player for player in waiting}
    bye = next((one for one, other in pairs if not other), None)
    chance = lot(seed, "first") % 2
    seated = (beginning(by_number[one], by_number[other], chance) for one, other in pairs if other)
    boards = sorted(seated, key=_board)
    return Paired(tuple((first.number, second.number) for first, second in boards), bye)


def _possible(
    waiting: Sequence[Contender],
    ranks: Mapping[int, Rank],
    seed: int,
    round_: int,
    *,
    near: bool,
) -> dict[Pair, Cost]:
    """Return all pairs that may meet with their costs, or only those near to the ideal."""
    found = {}
    for one, other in combinations(waiting, 2):
        fold = _fold(one, other, ranks)
        far = fold > NEAR**2 or abs(one.points - other.points) > 1
        if other.number not in one.met and not (near and far):
            chance = lot(seed, "pair", round_, one.number, other.number)
            found[one.number, other.number] = costs(one, other, fold, chance)
    if len(waiting) % 2:
        for each in waiting:
            if not each.had_bye:
                chance = lot(seed, "bye", round_, each.number)
                found[each.number, 0] = (0, int(2 * each.points), 0, 0, 0, 0, chance)
    return found


def _board(pair: tuple[Contender, Contender]) -> tuple[Fraction, Fraction, int]:
    """Return the place of a pair among the boards: by the higher and both points, then number."""
    points = [each.points for each in pair]
    return -max(points), -sum(points, Fraction()), min(each.number for each in pair)


def _ranks(players: Iterable[Contender]) -> Mapping[int, Rank]:
    groups = defaultdict[Fraction, list[int]](list)
    for player in players:
        groups[player.points].append(player.number)
    return {
        number: (at, len(group))
        for group in groups.values()
        for at, number in enumerate(sorted(group))
    }


def _fold(one: Contender, other: Contender, ranks: Mapping[int, Rank]) -> int:
    """Return how far a pair is from the ideal, squared.

    With equal points, the upper half meets the lower half in order. Otherwise the last player with
    more points meets the first with fewer.
    """
    (rank, size), (its_rank, its_size) = ranks[one.number], ranks[other.number]
    if one.points == other.points:
        return (abs(rank - its_rank) - size // 2) ** 2
    if one.points < other.points:
        (rank, size), (its_rank, its_size) = (its_rank, its_size), (rank, size)
    return (size - 1 - rank) ** 2 + its_rank**2


def _matched(found: Mapping[Pair, Cost], players: int) -> Sequence[Pair] | None:
    """Return the pairs of a whole matching with the least sum of costs, None if there is none."""
    import networkx

    graph = networkx.Graph()
    factor = _factors(found.values(), players)
    for pair, cost in found.items():
        weight = sum(value * by for value, by in zip(cost, factor, strict=True))
        graph.add_edge(*pair, weight=-weight)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) < players:
        return None
    return [(one, other) if (one, other) in found else (other, one) for one, other in matching]


def _factors(found: Iterable[Cost], players: int) -> list[int]:
    """Return weights by which no sum of less important costs outweighs a more important one."""
    most = [max(values) for values in zip(*found, strict=True)]
    factors = [1]
    for value in reversed(most[1:]):
        factors.append(factors[-1] * (value * players + 1))
    return factors[::-1]


def total(pairs: Iterable[Cost]) -> Cost:
    """Return the sums of the costs of a whole pairing. The least is best."""
    return tuple(map(sum, zip(*pairs, strict=True)))
