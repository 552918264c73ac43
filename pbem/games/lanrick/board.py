"""Lanrick's chessboard: 64 squares as bits, a1 the lowest and h8 the highest, and its lines."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.lanrick.words import phrase

FILES = "abcdefgh"
NAMES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)
SQUARES = {name: square for square, name in enumerate(NAMES)}
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""File and rank steps, clockwise from north. Directions four apart share a line."""


def _ray(square: int, direction: tuple[int, int]) -> tuple[int, ...]:
    rank, file = divmod(square, 8)
    squares: list[int] = []
    while True:
        file, rank = file + direction[0], rank + direction[1]
        if not (0 <= file < 8 and 0 <= rank < 8):
            return tuple(squares)
        squares.append(8 * rank + file)


RAYS = tuple(tuple(_ray(square, way) for way in DIRECTIONS) for square in range(64))
"""Squares from each square to the edge in each direction, nearest first."""
WAYS = tuple(
    {to: (way, cost) for way, ray in enumerate(rays) for cost, to in enumerate(ray, start=1)}
    for rays in RAYS
)
"""For each square, the direction and distance of every square in line with it."""


def mask_of(squares: Iterator[int] | tuple[int, ...]) -> int:
    """Return the mask of some squares."""
    return sum(1 << square for square in squares)


BOARD = (1 << 64) - 1
BORDER = mask_of(tuple(s for s in range(64) if s % 8 in (0, 7) or s // 8 in (0, 7)))
FIELD = BOARD & ~BORDER
_NOT_A, _NOT_H = (BOARD & ~mask_of(tuple(range(file, 64, 8))) for file in (0, 7))
NEAR = tuple(
    1 << square | mask_of(tuple(ray[0] for ray in RAYS[square] if ray)) for square in range(64)
)
"""Each square with its neighbours."""


def bits(mask: int) -> Iterator[int]:
    """Yield the squares of a mask, a1 first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def subsets(mask: int) -> Iterator[int]:
    """Yield every submask of a mask, including 0 and the mask itself."""
    subset = mask
    while subset:
        yield subset
        subset = (subset - 1) & mask
    yield 0


def replaced(men: tuple[int, int], seat: int, own: int) -> tuple[int, int]:
    """Return both seats' men, with one seat's mask replaced."""
    return (men[0], own) if seat else (own, men[1])


def has_room(men: int, occupied: int) -> bool:
    """Return whether one of the men has a vacant neighbour."""
    beside = men | (men & _NOT_H) << 1 | (men & _NOT_A) >> 1
    return bool((beside | beside << 8 | beside >> 8) & BOARD & ~occupied)


def names(mask: int) -> list[str]:
    """Return the names of the squares of a mask."""
    return [NAMES[square] for square in bits(mask)]


def _around() -> Iterator[int]:
    yield from (8 * rank for rank in range(8))
    yield from (56 + file for file in range(1, 8))
    yield from (8 * rank + 7 for rank in range(6, -1, -1))
    yield from range(6, 0, -1)


RING = tuple(_around())
"""The border clockwise: a1, a8, h8, h1 and back."""
EDGES = (
    mask_of(tuple(range(8))),
    mask_of(tuple(range(56, 64))),
    mask_of(tuple(range(0, 64, 8))),
    mask_of(tuple(range(7, 64, 8))),
)


def along_an_edge(start: int, to: int) -> bool:
    """Return whether two squares share an edge of the board."""
    pair = 1 << start | 1 << to
    return any(edge & pair == pair for edge in EDGES)


def edge_way(start: int, to: int) -> str:
    """Return the direction along the edge that two squares share.

    `>` is clockwise, `<` anticlockwise. Empty if they share no edge.
    """
    if not along_an_edge(start, to):
        return ""
    clockwise = (RING.index(to) - RING.index(start)) % len(RING)
    return ">" if clockwise < len(RING) / 2 else "<"


SEAT_NAMES = {
    "white": phrase("seat.white"),
    "yellow": phrase("seat.yellow"),
    "black": phrase("seat.black"),
}
"""Seat names inside a sentence."""
SEAT_TITLES = {
    "white": phrase("title.white"),
    "yellow": phrase("title.yellow"),
    "black": phrase("title.black"),
}
"""Seat names on their own."""
