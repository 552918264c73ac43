"""Pairing: which members who wait for anybody fit each other best, and when that is good enough.

The cost of a pair adds up three distances. It is a distance in rating of 200 points, in pace of a
factor of four, or in time zone of twelve hours that costs 1. A group costs what its worst pair
does. The longer somebody waits, the more a pair of theirs may cost: after a quarter of the time
that they give for it, anybody will do. Both members of a pair must accept its cost, so nobody's
haste decides for another. The result depends on nothing but the seekers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from math import log2

from pbem.matches.match import PlayerId
from pbem.matches.offer_terms import OfferTerms

POINTS, MOST_BY_RATING, UNRATED = 200, 2.0, 0.25
"""Rating distance that costs 1, the highest cost, and the cost if one is unrated."""
OCTAVES, MOST_BY_PACE, UNPACED = 2, 1.0, 0.125
"""Doublings of the pace that cost 1, the highest cost, and the cost if one is new."""
QUICKEST = timedelta(hours=1)
"""A faster pace makes no difference."""
DAY, HALF = timedelta(days=1), timedelta(hours=12)
AT_ONCE = 0.5
"""Cost of a pair that need not wait for a better one."""
ENOUGH = 0.25
"""Share of the time that a seeker gives after which any cost will do."""
DEAREST = MOST_BY_RATING + MOST_BY_PACE + 1.0


@dataclass(frozen=True)
class Seeker:
    """A member who waits for anybody who fits."""

    number: int
    """Number of their search."""
    player: PlayerId
    terms: OfferTerms
    waited: float = 0.0
    """How much of the time has passed that they give, from 0 to 1."""
    rating: int | None = None
    """None if they are unrated."""
    pace: timedelta | None = None
    """Their median time per turn. None if they are new."""
    offset: timedelta = timedelta()
    """Their time zone's distance from UTC now."""
    place: int | None = None
    """The requested place in the order of entry."""

    @property
    def tolerance(self) -> float:
        """The highest cost of a pair that they are put into now."""
        return AT_ONCE + (DEAREST - AT_ONCE) * min(1.0, self.waited / ENOUGH)


def cost(one: Seeker, other: Seeker) -> float:
    """Return the cost of a pair, 0 for members who are alike."""
    by_rating, by_pace = UNRATED, UNPACED
    if one.rating is not None and other.rating is not None:
        by_rating = min(abs(one.rating - other.rating) / POINTS, MOST_BY_RATING)
    if one.pace is not None and other.pace is not None:
        ratio = max(one.pace, QUICKEST) / max(other.pace, QUICKEST)
        by_pace = min(abs(log2(ratio)) / OCTAVES, MOST_BY_PACE)
    apart = (one.offset - other.offset) % DAY
    return by_rating + by_pace + min(apart, DAY - apart) / HALF


Costs = Mapping[tuple[int, int], float]
"""Costs of pairs of seekers who accept each other, by their numbers in order."""
Fits = Callable[[Seeker, Seeker], bool]
"""Function that returns whether two members may play each other at all."""


def groups(seekers: Sequence[Seeker], fits: Fits) -> Iterator[tuple[Seeker, ...]]:
    """Yield the groups that start now, the best first. No seeker is in two of them."""
    left = sorted(seekers, key=lambda each: each.number)
    costs = {
        (one.number, other.number): each
        for one, other in combinations(left, 2)
        if _agree(one, other)
        and (each := cost(one, other)) <= min(one.tolerance, other.tolerance)
        and fits(one, other)
    }
    while found := _best(left, costs):
        yield found
        left = [each for each in left if each not in found]


def _best(seekers: Sequence[Seeker], costs: Costs) -> tuple[Seeker, ...]:
    """Return the group of the lowest cost, empty if there is none."""
    by_number = {each.number: each for each in seekers}
    whole = list[tuple[float, tuple[int, ...]]]()
    for pair in costs:
        if pair[0] in by_number and pair[1] in by_number:
            worst, group = _around(pair, by_number, costs)
            if group:
                whole.append((worst, group))
    return tuple(by_number[each] for each in min(whole)[1]) if whole else ()


def _agree(one: Seeker, other: Seeker) -> bool:
    """Return whether two seekers want the same, in different seats."""
    alike = one.terms == other.terms and one.player != other.player
    return alike and (one.place is None or one.place != other.place)


def _around(
    pair: tuple[int, int], seekers: Mapping[int, Seeker], costs: Costs
) -> tuple[float, tuple[int, ...]]:
    """Return a group of a pair and those who fit it best, with its cost. Empty if too few do."""
    group, worst = list(pair), costs[pair]
    while len(group) < seekers[pair[0]].terms.players:
        further = [
            (max(with_each), number)
            for number in seekers
            if number not in group and (with_each := _costs_with(number, group, costs))
        ]
        if not further:
            return worst, ()
        most, number = min(further)
        group.append(number)
        worst = max(worst, most)
    return worst, tuple(sorted(group))


def _costs_with(number: int, group: Sequence[int], costs: Costs) -> list[float]:
    """Return the costs of a seeker with everybody in a group, empty if they don't all fit."""
    keys = [(min(number, each), max(number, each)) for each in group]
    return [costs[key] for key in keys] if all(key in costs for key in keys) else []
