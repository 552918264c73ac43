"""Count lines of play on bits, without the rules of pbem_morris: `python tests/count_lines.py`.

The points are places in three rings of eight, 0 at the bottom left of the outer ring and then
clockwise. Even places are corners. A mill is a side of a ring or, through odd places, all rings.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
NAMES = tuple("abcdefg"[3 + x * r] + str(4 + y * r) for r in (3, 2, 1) for x, y in RING)
BIT = {name: 1 << place for place, name in enumerate(NAMES)}


def geometry(diagonals: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the masks of mills, and for each place the mask of its neighbours."""
    mills, near = [], [0] * 24
    for ring in range(3):
        for place in range(8):
            here, after = ring * 8 + place, ring * 8 + (place + 1) % 8
            near[here] |= 1 << after
            near[after] |= 1 << here
            if place % 2 == 0:
                mills.append(sum(1 << ring * 8 + (place + step) % 8 for step in range(3)))
    for place in range(8):
        if place % 2 or diagonals:
            mills.append(sum(1 << place + 8 * ring for ring in range(3)))
            for ring in range(2):
                near[place + 8 * ring] |= 1 << place + 8 * ring + 8
                near[place + 8 * ring + 8] |= 1 << place + 8 * ring
    return tuple(mills), tuple(near)


class Count:
    """Counts of one set of options."""

    def __init__(self, twelve: bool, flying: bool) -> None:
        """Prepare the board."""
        self.mills, self.near = geometry(twelve)
        self.each, self.flying = 12 if twelve else 9, flying

    def milled(self, men: int) -> int:
        """Return the men that are in mills."""
        inside = 0
        for mill in self.mills:
            if men & mill == mill:
                inside |= mill
        return inside

    def next(self, own: int, other: int, placed: int) -> list[tuple[str, int, int]]:
        """Return each move with the men of both sides after it; `placed` are turns of the mover."""
        if placed >= self.each and own.bit_count() < 3:
            return []
        found = []
        free = ~(own | other) & 0xFFFFFF
        if placed < self.each:
            ways = [(0, free)]
        else:
            fly = self.flying and own.bit_count() == 3
            ways = [
                (1 << man, free if fly else free & self.near[man])
                for man in range(24)
                if own >> man & 1
            ]
        for start, ends in ways:
            for end in range(24):
                if not ends >> end & 1:
                    continue
                after = own & ~start | 1 << end
                text = (NAMES[start.bit_length() - 1] + "-" if start else "") + NAMES[end]
                targets = 0
                if any(mill >> end & 1 and after & mill == mill for mill in self.mills):
                    targets = other & ~self.milled(other) or other
                if not targets:
                    found.append((text, after, other))
                found += [
                    (f"{text}x{NAMES[man]}", after, other & ~(1 << man))
                    for man in range(24)
                    if targets >> man & 1
                ]
        return found

    def nodes(self, own: int, other: int, turn: int, depth: int) -> int:
        """Return how many lines of play of a length there are."""
        following = self.next(own, other, (turn - 1) // 2)
        if depth == 1:
            return len(following)
        return sum(self.nodes(b, a, turn + 1, depth - 1) for _, a, b in following)

    def after(self, texts: list[str]) -> tuple[int, int, int]:
        """Return the men of the side to move, of the other side, and the turn after moves."""
        own = other = 0
        for number, text in enumerate(texts):
            (pair,) = [(a, b) for each, a, b in self.next(own, other, number // 2) if each == text]
            other, own = pair
        return own, other, len(texts) + 1


def main(paths: list[str]) -> None:
    """Print the counts of files, each to the depth that it gives."""
    for path in paths:
        text = Path(path).read_text()
        count = Count("twelve=on" in text, "flying=off" not in text)
        start = count.after(re.findall(r"^turn .* (\S+)$", text, re.MULTILINE))
        (line,) = re.findall(r"^nodes: (.*)$", text, re.MULTILINE)
        found = [str(count.nodes(*start, depth + 1)) for depth in range(len(line.split()))]
        print(Path(path).name, *found)


if __name__ == "__main__":
    main(sys.argv[1:])
