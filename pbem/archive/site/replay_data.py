"""Data for the script of a match's page: squares in each view, and changes turn by turn.

Positions come from the engine, since the script knows no rules. Squares, pieces, grounds and
sentences are indices into lists, and each step holds only its changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from pbem.archive.site.replaying import Replayed, View, named
from pbem.games.api import Seat
from pbem.games.diagram import Cell, Diagram, Trail
from pbem.games.phrases import ENGLISH, capitalised
from pbem.matches.match import PlayerId
from pbem.painters.ground import SIDE, name_spot
from pbem.painters.palette import FRAME, GROUNDS, QUIET, paint_of
from pbem.painters.svg import spots
from pbem.painters.tokens import token_id

MOST_ON_A_SQUARE = 4
"""Castles in the middle of Lanko."""

Square = tuple[list[int], int]
"""Numbers of a square's pieces, and of its ground."""


def replay_data(
    match: Replayed, titles: Mapping[str, str], holders: Mapping[Seat, PlayerId]
) -> dict[str, Any]:
    """Return all of it. `titles` names the seats, `holders` says which of them belong together."""
    names, first = list(match.views[0].places), match.diagrams[0]
    lists = {each: _Numbered() for each in ("tokens", "grounds", "sentences")}
    return {
        "side": SIDE,
        "columns": first.columns,
        "rows": first.rows,
        "checkered": first.checkered,
        "name": [*name_spot(first), QUIET],
        "frame": FRAME,
        "spots": _spots(first),
        "holders": _in_turn(holders),
        "squares": names,
        "views": [_view(view, names, titles) for view in match.views],
        "seats": {seat: list(paint_of(first.colours.get(seat, "black"))) for seat in match.seats},
        "steps": list(_steps(match, names, lists)),
        **{name: each.known for name, each in lists.items()},
        "fills": [list(GROUNDS.get(each, GROUNDS["plain"])) for each in lists["grounds"].known],
    }


def _in_turn(holders: Mapping[Seat, PlayerId]) -> dict[Seat, int]:
    """Return players numbered in turn order. Their numbers in the club would identify them."""
    players = list(dict.fromkeys(holders.values()))
    return {seat: players.index(player) for seat, player in holders.items()}


class _Numbered:
    """Names, numbered as they occur."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    @property
    def known(self) -> list[str]:
        """All names, in the order of their numbers."""
        return list(self.numbers)

    def of(self, name: str) -> int:
        """Return the number of a name."""
        return self.numbers.setdefault(name, len(self.numbers))


def _spots(diagram: Diagram) -> list[list[list[float]]]:
    """Return the spots for one, two or more pieces: x and y from the square's corner, and size."""
    place = next(iter(diagram.cells))
    x, y = place[0] * SIDE, place[1] * SIDE
    return [
        [[right - x, below - y, size] for right, below, size in spots(diagram, place, number)]
        for number in range(1, MOST_ON_A_SQUARE + 1)
    ]


def _view(view: View, names: Sequence[str], titles: Mapping[str, str]) -> dict[str, Any]:
    return {
        "seats": view.seats,
        "title": ", ".join(titles[seat] for seat in view.seats),
        "at": [each for name in names for each in view.places[name]],
    }


def _steps(
    match: Replayed, names: Sequence[str], lists: Mapping[str, _Numbered]
) -> Iterator[list[Any]]:
    """Yield each step: turn, changed squares, the seat's paths, and sentences."""
    numbers = {name: number for number, name in enumerate(names)}
    cells, squares = dict[str, Cell](), dict[str, Square]()
    for step, diagram, trail in zip(match.steps, match.diagrams, match.trails, strict=True):
        changes = []
        for cell in diagram.cells.values():
            name = named(cell)
            if cells.get(name) == cell:
                continue
            cells[name], square = cell, _square(cell, lists)
            if squares.get(name) != square:
                squares[name] = square
                changes.append([numbers[name], *square])
        said = [lists["sentences"].of(each) for each in _said(diagram)]
        yield [step.turn, changes, _ways(trail, numbers), said]


def _square(cell: Cell, lists: Mapping[str, _Numbered]) -> Square:
    tokens = [lists["tokens"].of(token_id(each)) for each in cell.tokens]
    return tokens, lists["grounds"].of(cell.ground)


def _ways(trail: Trail | None, numbers: Mapping[str, int]) -> list[Any]:
    if trail is None:
        return []
    return [
        trail.seat,
        *([numbers[each] for each in path if each in numbers] for path in trail.paths),
    ]


def _said(diagram: Diagram) -> Iterator[str]:
    """Yield a short description of the position."""
    for group in diagram.groups:
        title = ENGLISH.text(group.title).rstrip(":.")
        yield f"{capitalised(title)}."
    for tray in diagram.trays:
        words = ", ".join(ENGLISH.text(each) for each in tray.said)
        yield f"{tray.token.colour.capitalize()}: {words}."


def in_page(data: object) -> Markup:
    """Return JSON that cannot end a script element or start a comment in it."""
    text = json.dumps(data, separators=(",", ":"))
    return Markup(text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026"))  # noqa: S704
