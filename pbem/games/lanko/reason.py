"""Why a well-formed move cannot be played in Lanko."""

from __future__ import annotations

from pbem.games.lanko.board import ADVERSE, CASTLES, PIECES, SEATS, VACANT
from pbem.games.lanko.position import Position
from pbem.games.lanko.words import phrase
from pbem.games.phrases import Phrase


def _start(position: Position, squares: set[int]) -> int:
    """Likeliest of the squares that a label may mean as a start: where the seat has a piece."""
    own, home = PIECES[position.seat], position.terms.board.home
    return min(squares, key=lambda square: (position.cells[square] not in own, square in home))


def reason(position: Position, starts: set[int], capture: bool | None, to: set[int]) -> Phrase:
    """What is wrong with a move from one of some squares to one of others."""
    start = _start(position, starts)
    board, cells, seat = position.terms.board, position.cells, position.seat
    label, piece = board.labels[start], cells[start]
    if start in board.home and (piece != VACANT or position.middle):
        return phrase("at-home")
    if piece == VACANT:
        return phrase("vacant", square=label)
    if piece in ADVERSE[seat]:
        return phrase("adversary", square=label)
    if start not in board.zone[seat]:
        partner = next(s for s in SEATS if s != seat and PIECES[s] == PIECES[seat])
        return phrase("partner", square=label, partner=partner)
    if bool(position.legal[0].taken) and not capture:
        return phrase("must-capture")
    if not capture and all(cells[square] != VACANT for square in to):
        return phrase("occupied", square=board.labels[min(to)])
    return _cannot(piece, label, bool(capture))


def _cannot(piece: str, square: str, capture: bool) -> Phrase:
    if piece in CASTLES:
        if capture:
            return phrase("cannot.castle-capture", square=square)
        return phrase("cannot.castle-move", square=square)
    if capture:
        return phrase("cannot.pawn-capture", square=square)
    return phrase("cannot.pawn-move", square=square)
