"""The text of a Lanko position, as FEN is one of chess.

Cells are characters in the order of `Board.labels`; squares are said by their labels.
"""

from __future__ import annotations

from pbem.games.lanko.board import SEATS, Board, Move
from pbem.games.lanko.position import Position, Terms
from pbem.games.lanko.shuttle import Shuttle
from pbem.games.position_text import fields_of, joined, written

FORM = "lanko 1"
"""Another number, and texts of before are read no more."""
NONE = "-"
DECLARES = "+++"


def write(position: Position) -> str:
    """Text of a position; what was agreed for the match is not in it."""
    board = position.terms.board
    return written(
        FORM,
        {
            "cells": position.cells,
            "middle": position.middle,
            "seat": position.seat,
            "turn": position.turn,
            "quiet": position.quiet,
            "seen": joined(f"{each[0]}:{each[1:]}" for each in position.seen),
            "shuttles": joined(_shuttle_text(board, each) for each in position.shuttles),
            "declared": joined(seat for seat in SEATS if seat in position.declared),
            "passed": joined(position.passed),
            "last": NONE if position.last is None else _move_text(board, position.last),
            "ending": position.ending or NONE,
        },
    )


def read(terms: Terms, text: str) -> Position:
    """The position of a text; raises ValueError or LookupError if it is none."""
    fields, board = fields_of(FORM, text), terms.board
    return Position(
        terms=terms,
        cells=fields["cells"],
        middle=fields["middle"],
        seat=fields["seat"],
        turn=int(fields["turn"]),
        quiet=int(fields["quiet"]),
        seen=tuple(each.replace(":", "") for each in fields["seen"].split()),
        shuttles=tuple(_shuttle(board, each) for each in fields["shuttles"].split()),
        declared=frozenset(fields["declared"].split()),
        passed=tuple(fields["passed"].split()),
        last=None if fields["last"] == NONE else _move(board, fields["last"]),
        ending=None if fields["ending"] == NONE else fields["ending"],
    )


def _shuttle_text(board: Board, shuttle: Shuttle | None) -> str:
    if shuttle is None:
        return NONE
    return f"{_labels(board, (shuttle.start, shuttle.to))},{shuttle.times}"


def _shuttle(board: Board, text: str) -> Shuttle | None:
    if text == NONE:
        return None
    squares, _, times = text.rpartition(",")
    start, to = _squares(board, squares)
    return Shuttle(start, to, int(times))


def _move_text(board: Board, move: Move) -> str:
    squares = (_labels(board, each) or NONE for each in (move.path, move.taken))
    return joined([move.seat, *squares, DECLARES if move.declares else NONE])


def _move(board: Board, text: str) -> Move:
    seat, path, taken, declares = text.split(" ")
    return Move(seat, _squares(board, path), _squares(board, taken), declares == DECLARES)


def _labels(board: Board, squares: tuple[int, ...]) -> str:
    return ",".join(board.labels[square] for square in squares)


def _squares(board: Board, labels: str) -> tuple[int, ...]:
    return () if labels == NONE else tuple(board.labelled[each] for each in labels.split(","))
