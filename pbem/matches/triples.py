"""Triples: rounds in which everybody sits with two others, with everybody equally often.

For many numbers of players there is a design from combinatorics. For others, and if players come
and go, a search with a fixed number of steps finds a schedule that is as even as it can.

Sources: D. K. Ray-Chaudhuri and R. M. Wilson, "Solution of Kirkman's schoolgirl problem", 1971;
C. J. Colbourn and J. H. Dinitz, Handbook of Combinatorial Designs, 2nd edition, II.2 and II.7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, combinations

from pbem.matches.lots import lot, shuffled

Triple = tuple[int, int, int]
"""Numbers of three players who sit together."""
Round = tuple[Triple, ...]
"""Triples without a common player. All others have a bye."""

STEPS = 10_000
"""Exchanges of two players that a search tries."""
BYE = 10
"""Cost of an uneven bye, compared with that of an uneven meeting."""


def design(players: int) -> tuple[Round, ...]:
    """Return rounds in which all pairs meet equally often, empty if none is known here.

    Everybody sits with everybody once for 3, 9, 15, 21, 27 and 39 players, which are Kirkman triple
    systems. They do so twice, and have one bye each, for 4 players and for any prime number of
    players that is one more than a multiple of three: near-resolvable designs.
    """
    if players == 3:
        return (((1, 2, 3),),)
    if players == 4:
        return ((((2, 3, 4)),), ((1, 3, 4),), ((1, 2, 4),), ((1, 2, 3),))
    if players == 9:
        return _plane()
    if players % 3 == 1 and _is_prime(players):
        return _near(players)
    for order, make in (((players - 1) // 2, _doubled), (players // 3, _tripled)):
        if players % 6 == 3 and order % 6 == 1 and _is_prime(order):
            rounds = make(order)
            if len(set(chain(*rounds[0]))) == players:
                return rounds
    return ()


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, int(number**0.5) + 1))


def _plane() -> tuple[Round, ...]:
    """Return the lines of the affine plane of order 3, by direction."""

    def line(direction: int, offset: int) -> Triple:
        if direction == 3:
            a, b, c = (3 * offset + y for y in range(3))
        else:
            a, b, c = (3 * x + (direction * x + offset) % 3 for x in range(3))
        return a + 1, b + 1, c + 1

    return tuple(
        tuple(line(direction, offset) for offset in range(3)) for direction in (3, 0, 1, 2)
    )


def _powers(order: int) -> list[int]:
    """Return the powers of a primitive root of a prime number."""
    for root in range(2, order):
        powers = [pow(root, exponent, order) for exponent in range(order - 1)]
        if len(set(powers)) == order - 1:
            return powers
    raise ValueError(f"{order} has no primitive root")


def _near(order: int) -> tuple[Round, ...]:
    """Return a near-resolvable design: the cosets of the cube roots of one, moved on."""
    powers, third = _powers(order), (order - 1) // 3
    base = [tuple(powers[at + third * k] for k in range(3)) for at in range(third)]
    return tuple(
        tuple(_triple((each + shift) % order + 1 for each in triple) for triple in base)
        for shift in range(order)
    )


def _triple(numbers: Iterable[int]) -> Triple:
    one, two, three = sorted(numbers)
    return one, two, three


def _doubled(order: int) -> tuple[Round, ...]:
    """Return a Kirkman triple system for twice a prime number 6t + 1, and one more."""
    powers, t = _powers(order), order // 6
    m = next(m for m in range(order - 1) if 2 * powers[m] % order == (powers[t] + 1) % order)
    infinity = 2 * order + 1

    def at(exponent: int) -> int:
        return powers[exponent % (order - 1)]

    first = [i for i in range(order - 1) if i // t in (0, 2, 4)]
    mixed = [((at(i), 0), (at(i + t), 0), (at(i + m), 1)) for i in first]
    second = [tuple((at(i + m + k * t), 1) for k in (1, 3, 5)) for i in range(t)]

    def rounds() -> Iterator[Round]:
        for shift in range(order):
            moved = [
                _triple((value + shift) % order + order * half + 1 for value, half in triple)
                for triple in (*mixed, *second)
            ]
            yield (_triple((shift + 1, shift + order + 1, infinity)), *moved)

    return tuple(rounds())


def _tripled(order: int) -> tuple[Round, ...]:
    """Return a Kirkman triple system for three times a prime number 6t + 1."""
    powers, t = _powers(order), order // 6

    def across(i: int) -> list[tuple[int, int]]:
        return [(powers[(i + 2 * t * k) % (order - 1)], k) for k in range(3)]

    def within(i: int, part: int) -> list[tuple[int, int]]:
        return [(powers[(i + 2 * t * k) % (order - 1)], part) for k in range(3)]

    def moved(triple: Iterable[tuple[int, int]], shift: int) -> Triple:
        return _triple((value + shift) % order + order * part + 1 for value, part in triple)

    base = [[(0, 0), (0, 1), (0, 2)]]
    base += [within(i, part) for i in range(t) for part in range(3)]
    base += [across(i + j * t) for i in range(t) for j in (1, 3, 5)]
    whole = [tuple(moved(triple, shift) for triple in base) for shift in range(order)]
    rest = [across(i + j * t) for i in range(t) for j in (0, 2, 4)]
    return (*whole, *(tuple(moved(each, shift) for shift in range(order)) for each in rest))


def usual_rounds(players: int) -> int:
    """Return the rounds of the design, otherwise as many as all pairs need to meet once."""
    if players < 3:
        return 1
    pairs, a_round = players * (players - 1) // 2, 3 * (players // 3)
    return len(design(players)) or -(-pairs // a_round)


@dataclass(frozen=True)
class Evenness:
    """How even a schedule is: fewest and most meetings of two players, byes and sets of one."""

    meetings: tuple[int, int]
    byes: tuple[int, int]
    sets: tuple[int, int]


def evenness(rounds: Sequence[Round], present: Sequence[Sequence[int]]) -> Evenness:
    """Return how even rounds are for the players present in all of them.

    `present` are the players of each round.
    """
    always = sorted(set.intersection(*map(set, present))) if present else []
    met, sat = _met(rounds), Counter(chain(*chain(*rounds)))
    pairs = [met[pair] for pair in combinations(always, 2)] or [0]
    sets = [sat[each] for each in always] or [0]
    byes = [len(rounds) - each for each in sets]
    return Evenness((min(pairs), max(pairs)), (min(byes), max(byes)), (min(sets), max(sets)))


def _met(rounds: Iterable[Round]) -> Counter[tuple[int, int]]:
    return Counter(pair for each in rounds for triple in each for pair in combinations(triple, 2))


@lru_cache(maxsize=64)
def schedule(present: tuple[tuple[int, ...], ...], seed: int) -> tuple[Round, ...]:
    """Return the triples of each round for the players present in it, in ascending order.

    Later changes leave earlier rounds as they were: each round is part of a whole schedule for
    the players present in it, given the meetings before.
    """
    done: list[Round] = []
    while len(done) < len(present):
        players, left = present[len(done)], len(present) - len(done)
        same = next((at for at in range(left) if present[len(done) + at] != players), left)
        done += _continued(players, left, tuple(done), seed)[:same]
    return tuple(done)


@lru_cache(maxsize=64)
def _continued(
    players: tuple[int, ...], count: int, before: tuple[Round, ...], seed: int
) -> tuple[Round, ...]:
    known = design(len(players))
    if known and not before:
        rounds = [
            tuple(
                _triple(players[each - 1] for each in triple) for triple in known[at % len(known)]
            )
            for at in range(count)
        ]
        if count % len(known) == 0:
            return tuple(rounds)
    else:
        rounds = [_drawn(players, seed, len(before) + at) for at in range(count)]
    search = _Search(players, before, rounds)
    search.run(seed)
    return search.rounds()


def _drawn(players: Sequence[int], seed: int, at: int) -> Round:
    order = shuffled(seed, f"round {at}", players)
    return tuple(_triple(order[k : k + 3]) for k in range(0, len(order) - 2, 3))


@dataclass
class _Search:
    """A search that exchanges two players of a round as long as that makes it no less even."""

    players: Sequence[int]
    before: Sequence[Round]
    start: Sequence[Round]
    tables: list[list[list[int]]] = field(default_factory=list)
    """By round: the triples, then the players with byes."""
    met: Counter[tuple[int, int]] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for each in self.before:
            seated = set(chain(*each))
            self.byes.update(player for player in self.players if player not in seated)
        for each in self.start:
            seated = set(chain(*each))
            out = [player for player in self.players if player not in seated]
            self.tables.append([*map(list, each), out])
            self.byes.update(out)
        self.met.update(_met((*self.before, *self.start)))

    def run(self, seed: int) -> None:
        """Try a fixed number of exchanges, drawn by a linear congruential generator."""
        state = lot(seed, "search")
        for _ in range(STEPS if len(self.players) > 3 else 0):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            drawn, picked = state >> 20, []
            drawn, at = divmod(drawn, len(self.tables))
            tables = self.tables[at]
            for _ in range(2):
                drawn, at = divmod(drawn, len(tables))
                drawn, seat = divmod(drawn, len(tables[at]) or 1)
                picked.append((tables[at], seat))
            (one, i), (other, j) = picked
            if one and other and one is not other:
                self._try(one, i, other, j, tables[-1])

    def _try(self, one: list[int], i: int, other: list[int], j: int, out: list[int]) -> None:
        before = self._cost(one, out) + self._cost(other, out)
        self._exchange(one, i, other, j, out)
        if self._cost(one, out) + self._cost(other, out) > before:
            self._exchange(one, i, other, j, out)

    def _cost(self, table: list[int], out: list[int]) -> int:
        """Return what a table adds to the sum of the cubes of all meetings and byes."""
        if table is out:
            return BYE * sum(_step(self.byes[each]) for each in table)
        return sum(_step(self.met[_pair(a, b)]) for a, b in combinations(table, 2))

    def _exchange(self, one: list[int], i: int, other: list[int], j: int, out: list[int]) -> None:
        for table in (one, other):
            self._count(table, out, -1)
        one[i], other[j] = other[j], one[i]
        for table in (one, other):
            self._count(table, out, 1)

    def _count(self, table: list[int], out: list[int], by: int) -> None:
        if table is out:
            for each in table:
                self.byes[each] += by
        else:
            for a, b in combinations(table, 2):
                self.met[_pair(a, b)] += by

    def rounds(self) -> tuple[Round, ...]:
        """Return the rounds as they are now."""
        return tuple(tuple(sorted(map(_triple, tables[:-1]))) for tables in self.tables)


def _step(count: int) -> int:
    """Return by how much the cube of a number exceeds that of the number before."""
    return int(count**3 - (count - 1) ** 3)


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def seats(rounds: Sequence[Round]) -> Mapping[int, tuple[int, Triple]]:
    """Return the round and the players of each set, by its number from 1."""
    sets = ((at, triple) for at, each in enumerate(rounds, 1) for triple in each)
    return dict(enumerate(sets, 1))
