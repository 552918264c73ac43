"""The map files of Lanko: `boards/*.txt`, one a board."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from pbem.games.lanko.board import Board, Point


@lru_cache
def load_board(key: str) -> Board:
    """Board of `boards/<key>.txt`."""
    text = files(__package__).joinpath("boards", f"{key}.txt").read_text("utf-8")
    return read_board(key, text)


def read_board(key: str, text: str) -> Board:
    """Board of the text of a map file."""
    head, labels, opening = text.replace("opening\n", "labels\n").split("labels\n")
    settings = dict(
        line.split(": ", 1) for line in head.splitlines() if ": " in line and line[0] != "#"
    )
    cells = [(label, point) for label, point in _grid(labels) if label not in "_."]
    start = {point: piece for piece, point in _grid(opening)}
    points = dict(cells)
    pairs = (pair.split("|") for pair in settings.get("barriers", "").split())
    return Board(
        key=key,
        labels=tuple(label for label, _ in cells),
        points=tuple(point for _, point in cells),
        opening="".join(start[point] for _, point in cells),
        diagonal=settings["play"] == "diagonal",
        barriers=frozenset(frozenset({points[a], points[b]}) for a, b in pairs),
        manoeuvre=frozenset(settings.get("manoeuvre", "").split()),
    )


def _grid(text: str) -> Iterator[tuple[str, Point]]:
    rows = [line.split() for line in text.splitlines() if line.strip()]
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            yield token, (c - len(row) // 2, len(rows) // 2 - r)
