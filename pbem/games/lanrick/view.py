"""How a Lanrick position looks: the board, the rendezvous and the mark, the men by seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.api import Seat
from pbem.games.diagram import ARRIVED, LEFT, Cell, Diagram, Group, Place
from pbem.games.lanrick import rules_1881, rules_1893
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import FILES, NAMES, names

Position = rules_1881.Position | rules_1893.Position

RENDEZVOUS, MARK = ("[", "]"), ("{", "}")


def diagram(position: Position, seats: tuple[Seat, ...], letters: str, seat: Seat) -> Diagram:
    """The position with the seat's own edge at the bottom."""
    turned = seat == seats[1]
    order = range(7, -1, -1) if turned else range(8)
    ranks = [str(8 - row) for row in order]
    return Diagram(
        columns=8,
        rows=8,
        cells=dict(_cells(position, letters, turned)),
        column_names=tuple(FILES[::-1] if turned else FILES),
        row_names=tuple(ranks),
        groups=tuple(_groups(position, seats)),
        legend=tuple(_legend(seats, letters)),
    )


def _place(square: int, turned: bool) -> Place:
    rank, file = divmod(square, 8)
    return (7 - file, rank) if turned else (file, 7 - rank)


def _cells(position: Position, letters: str, turned: bool) -> Iterator[tuple[Place, Cell]]:
    rendezvous, mark = shown_rendezvous(position), shown_mark(position)
    marks = _marks(position.last)
    for square in range(64):
        bit = 1 << square
        piece = next((letters[i] for i, men in enumerate(position.men) if men & bit), ".")
        frame = MARK if mark == square else RENDEZVOUS if rendezvous & bit else None
        yield _place(square, turned), Cell("", piece, marks.get(square, ""), frame)


def _marks(last: tuple[Action, ...]) -> dict[int, str]:
    """Marks of the last turn by square: where its men came to stand, and what they left."""
    arrived, left = set(), set()
    for action in last:
        if action.sign in ("-", "~", ">"):
            start, to = action.squares
            left.add(start)
            arrived.discard(start)
            arrived.add(to)
        elif action.sign in ("", "*"):
            arrived.update(action.squares)
        elif action.sign == "x":
            left.update(action.squares)
    return dict.fromkeys(left, LEFT) | dict.fromkeys(arrived, ARRIVED)


SHOWN = {"play", "remove", "disperse", "interchange", "replace"}
"""Phases in which the rendezvous matters."""


def shown_rendezvous(position: Position) -> int:
    """Mask of the rendezvous in the phases in which it matters, else 0."""
    return position.rendezvous if position.phase in SHOWN else 0


def shown_mark(position: Position) -> int | None:
    """Square of the mark in these phases."""
    return position.mark if position.phase in SHOWN else None


def _groups(position: Position, seats: tuple[Seat, ...]) -> Iterator[Group]:
    lines = tuple(
        ((seat,), _men(men, position)) for seat, men in zip(seats, position.men, strict=True)
    )
    yield Group(_asked(position), lines)


def _men(men: int, position: Position) -> str:
    inside = names(men & shown_rendezvous(position))
    outside = names(men & ~shown_rendezvous(position))
    count = men.bit_count()
    head = f"{count} {'man' if count == 1 else 'men'}"
    if not shown_rendezvous(position):
        return f"{head} {' '.join(outside)}".rstrip()
    return f"{head}; in {' '.join(inside) or 'none'}; outside {' '.join(outside) or 'none'}"


def _asked(position: Position) -> str:
    mark = shown_mark(position)
    where = "" if mark is None else f" The mark is on {NAMES[mark]}."
    return ASKED[position.phase].format(seat=position.seat, budget=position.budget) + where


ASKED: Mapping[str, str] = {
    "place": "{seat} places a man on the border.",
    "mark": "{seat} sets the mark.",
    "play": "{seat} plays, up to {budget} squares.",
    "interchange": "{seat} chooses the squares of the interchange.",
    "replace": "{seat} replaces an adverse man outside the rendezvous.",
    "remove": "{seat} takes off an adverse man outside the rendezvous.",
    "disperse": "{seat} moves adverse men to the border.",
    "equalise": "{seat} moves men of his own to the border until numbers are equal.",
    "muster": "{seat} moves a man of his own to the border.",
}


def _legend(seats: tuple[Seat, ...], letters: str) -> Iterator[str]:
    men = ", ".join(f"{letter} {seat}" for letter, seat in zip(letters, seats, strict=True))
    yield f" {men}, . vacant; [ ] the rendezvous, {{ }} the mark."
    yield " < arrived last turn, > left then. You sit below."
