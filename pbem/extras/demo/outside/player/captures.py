"""Shortened captures: landings may be left out if the rest fits only one capture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations


def squares(move: str) -> list[str]:
    """Return the squares that a move names: its start and landings."""
    return re.split("[-:]", move.strip("[]").replace("(X)", "X"))


def meanings(short: Sequence[str], legal: Sequence[str]) -> list[str]:
    """Return the legal captures that a shortened one can mean."""
    found = []
    for move in legal:
        start, *landings = squares(move)
        rest = iter(landings)
        if ":" in move and start == short[0] and all(square in rest for square in short[1:]):
            found.append(move)
    return found


def shortened(legal: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield every way to shorten a capture, with all captures that it can mean."""
    full = [squares(move) for move in legal if ":" in move]
    for start, *landings in full:
        for length in range(1, len(landings)):
            for some in combinations(landings, length):
                short = [start, *some]
                if short not in full:
                    yield f"[{':'.join(short)}]", meanings(short, legal)


def ambiguous(legal: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return a shortened capture that can mean several, None if there is none."""
    return next(((text, found) for text, found in shortened(legal) if len(found) > 1), None)
