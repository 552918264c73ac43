"""Which squares are a rendezvous by the rules of 1893 (rulebook, "Rendezvous")."""

from __future__ import annotations

from functools import cache

from pbem.games.lanrick.board import NEAR, RAYS

LINES = {"-": (2, 6), "|": (0, 4), "/": (1, 5), "\\": (3, 7)}
"""Directions of a mark for three squares, both ways, as indices of RAYS."""
_DIAGONALS, _RANK = (1, 3, 5, 7), (2, 6)


@cache
def rendezvous_of(mark: int, size: int, line: str = "") -> int:
    """Mask of the rendezvous of so many squares round a mark."""
    rays = RAYS[mark]
    beside = {way: 1 << rays[way][0] if rays[way] else 0 for way in range(8)}
    ends = {way: 1 << rays[way][-1] if rays[way] else 0 for way in range(8)}
    if size == 3:
        return 1 << mark | beside[LINES[line][0]] | beside[LINES[line][1]]
    return {
        9: NEAR[mark],
        8: sum(ends.values()),
        7: NEAR[mark] & ~(beside[2] | beside[6]),
        6: sum(end for way, end in ends.items() if way not in _RANK),
        5: 1 << mark | sum(beside[way] for way in _DIAGONALS),
        4: sum(ends[way] for way in _DIAGONALS),
    }[size]
