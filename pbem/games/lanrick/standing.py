"""How well each seat of Lanrick stands: a rough count, for opponents that look one step ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.api import Seat
from pbem.games.lanrick.board import bits

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
    return INSIDE * inside - sum(_distance(man, rendezvous) for man in bits(men & ~rendezvous))


def _distance(man: int, rendezvous: int) -> int:
    """Squares that a king would need to the nearest square of the rendezvous."""
    return min(
        max(abs(man // 8 - square // 8), abs(man % 8 - square % 8)) for square in bits(rendezvous)
    )
