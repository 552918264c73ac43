"""What is legal in chess, and how a match ends. Articles are those of the FIDE Laws of Chess."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import chess

from pbem.games.api import IllegalActionError, Outcome, Seat
from pbem.games.values import changed
from pbem.games.words import phrase as common
from pbem_chess.position import SEATS, ChessAction, ChessPosition, seat_of
from pbem_chess.words import phrase

FIFTY = 100
"""Moves of both sides without a capture or a move of a pawn, after which a draw may be claimed."""


def legal_actions(position: ChessPosition) -> Iterator[ChessAction]:
    """Yield the moves by square, then the claims of a draw."""
    if position.ending is not None:
        return
    seat, moves = position.seat, sorted(position.board.legal_moves, key=_order)
    for move in moves:
        yield ChessAction(seat, move)
    if claim_now(position):
        yield ChessAction(seat, None, claims=True)
    if _claims_may_follow(position):
        for move in moves:
            if claim_after(position, move):
                yield ChessAction(seat, move, claims=True)


def _order(move: chess.Move) -> tuple[int, int, int]:
    return move.from_square, move.to_square, -(move.promotion or 0)


def play(position: ChessPosition, action: ChessAction) -> ChessPosition:
    """Return the position after an action. Raises IllegalActionError."""
    if position.ending is not None:
        raise IllegalActionError(common("match-over"))
    seat, move, claims = action
    if seat != position.seat or (move is not None and not position.board.is_legal(move)):
        raise IllegalActionError(common("not-legal"))
    claimed = claim(position, move) if claims else ""
    if claimed is None or (move is None and not claims):
        raise IllegalActionError(phrase("no-claim"))
    after = position if move is None else position.after(move)
    return _ended(after, claimed) if claimed else after


def _ended(position: ChessPosition, claimed: str) -> ChessPosition:
    after = changed(position, claimed=claimed)
    after.__dict__["board"] = position.board
    return after


def claim(position: ChessPosition, move: chess.Move | None) -> str | None:
    """Return why the player to move may claim a draw, now or with a legal move, if they may."""
    return claim_now(position) if move is None else claim_after(position, move)


def claim_now(position: ChessPosition) -> str | None:
    """Return why a draw may be claimed in a position, None if it may not (9.2.1.2, 9.3.2)."""
    if position.seen.count(position.seen[-1]) >= 3:
        return "threefold"
    return "fifty" if position.board.halfmove_clock >= FIFTY else None


def _claims_may_follow(position: ChessPosition) -> bool:
    seen = position.seen
    return position.board.halfmove_clock >= FIFTY - 1 or len(set(seen)) < len(seen)


def claim_after(position: ChessPosition, move: chess.Move) -> str | None:
    """Return why a draw may be claimed with a legal move (9.2.1.1, 9.3.1).

    None if it may not, or if the move itself ends the match.
    """
    if position.board.is_zeroing(move):
        return None
    after = position.after(move)
    return claim_now(after) if after.ending is None else None


def outcome(position: ChessPosition) -> Outcome | None:
    """Return a win by checkmate or a draw, None before the end."""
    ended = position.ending
    if ended is None:
        return None
    winners = (seat_of(not position.board.turn),) if ended == "checkmate" else ()
    return Outcome(winners, ended, scores(winners))


def can_win(position: ChessPosition, seat: Seat) -> bool:
    """Return whether a seat has enough pieces to give checkmate, if the other side helps (6.9).

    Only the pieces count. A blocked position in which nobody can win is for the players to see.
    """
    return not position.board.has_insufficient_material(seat == "white")


def scores(winners: tuple[Seat, ...]) -> dict[Seat, int]:
    """Return a point for a winner. A draw has none, like every agreed draw of pbem."""
    return {seat: int(seat in winners) for seat in SEATS}


WORTH: Mapping[chess.PieceType, int] = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}
CENTRE: Mapping[chess.PieceType, int] = {chess.PAWN: 4, chess.KNIGHT: 8, chess.BISHOP: 4}
"""What a step towards the middle is worth."""


def standing(position: ChessPosition) -> dict[Seat, int]:
    """Rate each seat by its pieces, then by how near they are to the middle. A draw is even."""
    ended = position.ending
    if ended is not None and ended != "checkmate":
        return dict.fromkeys(SEATS, 0)
    lead = sum(
        _worth(square, piece) if piece.color else -_worth(square, piece)
        for square, piece in position.board.piece_map().items()
    )
    return {"white": lead, "black": -lead}


def _worth(square: chess.Square, piece: chess.Piece) -> int:
    away = max(abs(2 * at - 7) // 2 for at in divmod(square, 8))
    return WORTH[piece.piece_type] + CENTRE.get(piece.piece_type, 0) * (3 - away)
