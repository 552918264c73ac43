"""The text of a Lancelot position, as FEN is one of chess."""

from __future__ import annotations

from pbem.games.lancelot.board import bits, name_of, square_of
from pbem.games.lancelot.position import Placement, Position, Terms
from pbem.games.position_text import fields_of, joined, numbers, written

FORM = "lancelot 1"
"""Another number, and texts of before are read no more."""
NONE = "-"
FIRST, SECOND = "first", "second"
"""Whether Excalibur was placed before the knight or after it."""


def write(position: Position) -> str:
    """Text of a position; what was agreed for the match is not in it."""
    seats = position.terms.seats
    return written(
        FORM,
        {
            "knights": joined(_squares_text(mask) for mask in position.knights),
            "placed": joined(position.placed),
            "defeated": joined(position.defeated),
            "to-act": position.seat,
            "sword": _squares_text(position.sword),
            "called": joined(seats[index] for index in position.called),
            "resigned": joined(seats[index] for index in sorted(position.resigned)),
            "turn": position.turn,
            "idle": position.idle,
            "passed": joined(position.passed),
            "last": NONE if position.last is None else _placement_text(position.last),
            "ending": position.ending or NONE,
        },
    )


def read(terms: Terms, text: str) -> Position:
    """The position of a text; raises ValueError or LookupError if it is none."""
    fields, seats = fields_of(FORM, text), terms.seats
    return Position(
        terms=terms,
        knights=tuple(map(_mask, fields["knights"].split())),
        placed=numbers(fields["placed"]),
        defeated=numbers(fields["defeated"]),
        to_act=seats.index(fields["to-act"]),
        sword=_mask(fields["sword"]),
        called=tuple(map(seats.index, fields["called"].split())),
        resigned=frozenset(map(seats.index, fields["resigned"].split())),
        turn=int(fields["turn"]),
        idle=int(fields["idle"]),
        passed=tuple(fields["passed"].split()),
        last=None if fields["last"] == NONE else _placement(fields["last"]),
        ending=None if fields["ending"] == NONE else fields["ending"],
    )


def _squares_text(mask: int) -> str:
    return ",".join(map(name_of, bits(mask))) or NONE


def _mask(text: str) -> int:
    return 0 if text == NONE else sum(1 << _square(name) for name in text.split(","))


def _placement_text(placement: Placement) -> str:
    squares = (placement.knight, placement.sword)
    named = (NONE if square is None else name_of(square) for square in squares)
    return joined([placement.seat, *named, FIRST if placement.sword_first else SECOND])


def _placement(text: str) -> Placement:
    seat, *named, sword = text.split(" ")
    knight, to = (None if name == NONE else _square(name) for name in named)
    return Placement(seat, knight, to, sword_first=sword == FIRST)


def _square(name: str) -> int:
    square = square_of(name)
    if square is None:
        raise ValueError(f"there is no square {name!r}")
    return square
