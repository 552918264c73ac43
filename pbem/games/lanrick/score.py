"""A rough rating of each seat of Lanrick, for opponents that look one step ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import or_

from pbem.games.api import Seat
from pbem.games.lanrick.board import BOARD, NEAR, bits

MAN = 1000
"""Value of a man taken or left, in men brought in."""
INSIDE = 10
"""Value of a man in the rendezvous, in squares of distance."""


def standing(
    seats: Sequence[Seat], men: tuple[int, int], won: tuple[int, int], rendezvous: int
) -> Mapping[Seat, int]:
    """Rate each seat by men taken or left, then by men in the rendezvous or near it."""
    first, second = (
        MAN * count + _gathered(own, rendezvous) for own, count in zip(men, won, strict=True)
    )
    return dict(zip(seats, (first - second, second - first), strict=True))


def _gathered(men: int, rendezvous: int) -> int:
    if not rendezvous:
        return 0
    inside = (men & rendezvous).bit_count()
    return INSIDE * inside - sum((men & far).bit_count() for far in _beyond(rendezvous))


@cache
def _beyond(rendezvous: int) -> tuple[int, ...]:
    """Return masks of the squares that are more than 0, 1, 2 … king's steps from the rendezvous.

    A man is in as many of these masks as there are steps between it and the rendezvous.
    """
    masks, near = [], rendezvous
    while far := BOARD & ~near:
        masks.append(far)
        near = reduce(or_, (NEAR[square] for square in bits(near)))
    return tuple(masks)
