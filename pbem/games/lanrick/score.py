"""How well each seat of Lanrick stands: a rough count, for opponents that look one step ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import or_

from pbem.games.api import Seat
from pbem.games.lanrick.board import BOARD, NEAR, bits

MAN = 1000
"""A man taken or left against a man brought in."""
INSIDE = 10
"""A man in the rendezvous against a square of distance."""


def standing(
    seats: Sequence[Seat], men: tuple[int, int], won: tuple[int, int], rendezvous: int
) -> Mapping[Seat, int]:
    """Men taken or left, then men in the rendezvous and how near the others are to it."""
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
    """Masks of the squares that a king needs more than 0, 1, 2 ... steps from to the rendezvous.

    A man is in as many of them as there are squares between him and it.
    """
    masks, near = [], rendezvous
    while far := BOARD & ~near:
        masks.append(far)
        near = reduce(or_, (NEAR[square] for square in bits(near)))
    return tuple(masks)
