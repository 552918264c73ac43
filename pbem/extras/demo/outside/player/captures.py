"""Captures written short: landings may be left out, if what is left names one capture only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations


def squares(move: str) -> list[str]:
    """Squares that a move names: its start and where it lands."""
    return re.split("[-:]", move.strip("[]").replace("(X)", "X"))


def meanings(short: Sequence[str], legal: Sequence[str]) -> list[str]:
    """Legal captures that a shortened one can mean."""
    found = []
    for move in legal:
        start, *landings = squares(move)
        rest = iter(landings)
        if ":" in move and start == short[0] and all(square in rest for square in short[1:]):
            found.append(move)
    return found


def shortened(legal: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Every way to write a capture short, with all that it can mean."""
    full = [squares(move) for move in legal if ":" in move]
    for start, *landings in full:
        for length in range(1, len(landings)):
            for some in combinations(landings, length):
                short = [start, *some]
                if short not in full:
                    yield f"[{':'.join(short)}]", meanings(short, legal)


def ambiguous(legal: Sequence[str]) -> tuple[str, list[str]] | None:
    """A capture written so short that it can mean several, if there is one."""
    return next(((text, found) for text, found in shortened(legal) if len(found) > 1), None)
