"""Text of a Lanko position, like FEN in chess, and whether a match can reach it.

Cells are characters in the order of `Board.labels`. Squares are written as labels.
"""

from __future__ import annotations

from collections import Counter

from pbem.games.lanko.board import CASTLES, PIECES, SEATS, VACANT, LankoBoard, Move
from pbem.games.lanko.position import LankoPosition, LankoTerms, Shuttle
from pbem.games.lanko.rules import agreed, ending_by_pieces
from pbem.games.position_text import fields_of, joined, require, require_number, written

FORM = "lanko 1"
"""With a new number, older texts are no longer read."""
NONE = "-"
DECLARES = "+++"


def write(position: LankoPosition) -> str:
    """Return the text of a position, without the agreed terms."""
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


def read(terms: LankoTerms, text: str) -> LankoPosition:
    """Return the position of a text. Raises ValueError or LookupError if it is not one."""
    fields, board = fields_of(FORM, text), terms.board
    return LankoPosition(
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


def _shuttle_text(board: LankoBoard, shuttle: Shuttle | None) -> str:
    if shuttle is None:
        return NONE
    return f"{_labels(board, (shuttle.start, shuttle.to))},{shuttle.times}"


def _shuttle(board: LankoBoard, text: str) -> Shuttle | None:
    if text == NONE:
        return None
    squares, _, times = text.rpartition(",")
    start, to = _squares(board, squares)
    return Shuttle(start, to, int(times))


def _move_text(board: LankoBoard, move: Move) -> str:
    squares = (_labels(board, each) or NONE for each in (move.path, move.taken))
    return joined([move.seat, *squares, DECLARES if move.declares else NONE])


def _move(board: LankoBoard, text: str) -> Move:
    seat, path, taken, declares = text.split(" ")
    return Move(seat, _squares(board, path), _squares(board, taken), declares == DECLARES)


def _labels(board: LankoBoard, squares: tuple[int, ...]) -> str:
    return ",".join(board.labels[square] for square in squares)


def _squares(board: LankoBoard, labels: str) -> tuple[int, ...]:
    return () if labels == NONE else tuple(board.labelled[each] for each in labels.split(","))


ENDINGS = (
    *(None, "middle-full", "no-entry", "annihilated"),
    *("agreed", "shuttle", "repetition", "quiet"),
)
MOST_TIMES = 6
"""Number of moves back and forth that ends the match."""


def require_possible(position: LankoPosition) -> None:
    """Raise ImpossiblePosition unless a match can reach the position."""
    terms = position.terms
    _require_pieces(terms.board, position.cells, position.middle)
    require(position.seat in SEATS, f"there is no seat {position.seat!r}")
    require(set(position.passed) <= set(SEATS), "passed names a seat that does not play")
    require_number("turn", position.turn, 1)
    require_number("quiet", position.quiet, 0)
    _require_seen(position)
    _require_shuttles(position)
    for seat in position.declared:
        partners = position.declared.issuperset(terms.seats_with(seat))
        require(partners, "a player declares for all their seats")
    if position.last is not None:
        _require_last(position, position.last)
    _require_end(position)


def _require_pieces(board: LankoBoard, cells: str, middle: str) -> None:
    require(len(cells) == len(board.labels), f"cells needs {len(board.labels)} characters")
    require("".join(sorted(middle)) == middle, "the middle is sorted: B S b s")
    require(set(middle) <= set(CASTLES), "only castles are in the middle")
    most = 0 if board.middle is None else 4
    require(len(middle) <= most, f"the middle holds {most} castles at most")
    if board.middle is not None:
        require(cells[board.middle] == VACANT, "castles in the middle are in their own field")
    pieces, start = Counter(cells + middle), Counter(board.opening)
    for piece, count in pieces.items():
        require(piece in start, f"there is no piece {piece!r}")
        most = start[piece]
        require(piece == VACANT or count <= most, f"there are {count} {piece}, at most {most}")
    for square in board.standby:
        waiting = cells[square] in (VACANT, board.opening[square])
        require(waiting, f"{cells[square]} cannot stand on {board.labels[square]}")
    for square in board.ends:
        home = cells[square] in CASTLES + VACANT
        require(home, f"{cells[square]} cannot stand on {board.labels[square]}")


def _require_seen(position: LankoPosition) -> None:
    require(position.terms.repetition or not position.seen, "repetitions do not count")
    for each, times in Counter(position.seen).items():
        require(each[0] in SEATS, "a position that was seen has no such seat")
        _require_pieces(position.terms.board, each[1:], "")
        require(times <= 2, "a position was seen three times")


def _require_shuttles(position: LankoPosition) -> None:
    require(len(position.shuttles) == len(SEATS), f"shuttles needs {len(SEATS)} values")
    for each in position.shuttles:
        if each is not None:
            _require_shuttle(position, each)


def _require_shuttle(position: LankoPosition, shuttle: Shuttle) -> None:
    require(not position.terms.board.diagonal, "shuttles do not count on this board")
    require(shuttle.start != shuttle.to, "a shuttle needs two squares")
    most = MOST_TIMES if position.ending else MOST_TIMES - 1
    require_number("times of a shuttle", shuttle.times, 1, most)


def _require_last(position: LankoPosition, last: Move) -> None:
    board, cells = position.terms.board, position.cells
    require(last.seat in SEATS, "the last move is by a seat that does not play")
    require(len(last.path) > 1, "the last move has no way")
    start, to = last.path[0], last.path[-1]
    arrived = to == board.middle or cells[to] in PIECES[last.seat]
    left = start == to or cells[start] == VACANT
    taken = all(cells[square] == VACANT for square in last.taken)
    require(arrived and left and taken, "the last move is not on the board")


def _require_end(position: LankoPosition) -> None:
    terms, ending = position.terms, position.ending
    require(ending in ENDINGS, f"a match cannot end by {ending}")
    if ending is not None:
        return
    over = ending_by_pieces(terms.board, position.cells, position.middle)
    require(over is None, f"the match has ended: {over}")
    stands = position.declared and agreed(terms, position.cells, position.declared)
    require(not stands, "the match has ended: agreed")
    quiet = 0 < terms.quiet_limit <= position.quiet
    require(not quiet, "the match has ended: quiet")
