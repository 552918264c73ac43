"""A chess position, the actions in it, and the repetitions behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import chess

from pbem.games.api import Seat
from pbem.games.values import once, value

SEATS: tuple[Seat, ...] = ("white", "black")
USUAL = 518
"""Number of the usual starting position among the 960 (Scharnagl's numbering)."""

SEVENTY_FIVE = 150
"""Moves of both sides without a capture or a move of a pawn, after which the match is drawn."""

Key = tuple[int | bool | None, ...]
"""What makes two positions the same (FIDE 9.2.3): pieces, side to move, castling, en passant."""


class ChessAction(NamedTuple):
    """A move, the claim of a draw, or a move together with the claim that it gives a right to."""

    seat: Seat
    move: chess.Move | None
    claims: bool = False

    @property
    def declaration(self) -> bool:
        """Always False: only the player to move may claim a draw (FIDE 9.2 and 9.3)."""
        return False


@value
class ChessPosition:
    """Everything the rules of chess need to continue, like `position fen ... moves ...` in UCI.

    Nothing before the last irreversible move can occur again, so that is where it starts.
    """

    base: str
    """FEN after the last irreversible move."""
    moves: tuple[str, ...] = ()
    """Moves since then, in UCI."""
    chess960: bool = False
    """Whether castling follows the rules of Chess960."""
    recent: tuple[str, ...] = ()
    """The last move of each side as `path_of` it, oldest first, for marks on the board."""
    claimed: str = ""
    """Termination by which a draw was claimed, empty if none was."""
    passed: tuple[Seat, ...] = ()

    @once
    def board(self) -> chess.Board:
        """The position as python-chess has it. Never changed: copy it first."""
        board = chess.Board(self.base, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board

    @once
    def seen(self) -> tuple[Key, ...]:
        """The positions since the last irreversible move, with this one at the end."""
        board = chess.Board(self.base, chess960=self.chess960)
        return (key_of(board), *self._keys(board))

    def _keys(self, board: chess.Board) -> Iterator[Key]:
        for move in self.moves:
            board.push_uci(move)
            yield key_of(board)

    @once
    def ending(self) -> str | None:
        """Termination of the match, None if it continues (FIDE 5.1, 5.2, 9.6)."""
        board = self.board
        if self.claimed:
            return self.claimed
        if not any(board.generate_legal_moves()):
            return "checkmate" if board.is_check() else "stalemate"
        if board.is_insufficient_material():
            return "insufficient"
        if self.seen.count(self.seen[-1]) >= 5:
            return "fivefold"
        return "seventyfive" if board.halfmove_clock >= SEVENTY_FIVE else None

    @property
    def turn(self) -> int:
        """Number of the turn: 1 is White's first, 2 Black's first."""
        return self.board.ply() + 1

    @property
    def seat(self) -> Seat:
        """Seat whose turn it is. After the end, the one whose turn it would be."""
        return seat_of(self.board.turn)

    def after(self, move: chess.Move) -> ChessPosition:
        """Return the position after a legal move."""
        text, forgets = move.uci(), self.board.is_irreversible(move)
        board = self.board.copy(stack=False)
        board.push(move)
        key = key_of(board)
        new = ChessPosition(
            board.fen() if forgets else self.base,
            () if forgets else (*self.moves, text),
            self.chess960,
            (*self.recent[-1:], "-".join(path_of(self.board, move))),
        )
        new.__dict__["board"] = board
        new.__dict__["seen"] = (key,) if forgets else (*self.seen, key)
        return new


def path_of(board: chess.Board, move: chess.Move) -> tuple[str, ...]:
    """Return where the moving piece starts and ends. When castling, that is the king, or the rook
    if the king stays.
    """
    way = (move.from_square, move.to_square)
    if board.is_castling(move):
        king, rook = castled(board, move)
        way = (move.from_square, king) if move.from_square != king else (move.to_square, rook)
    return tuple(map(chess.square_name, way))


def castled(board: chess.Board, move: chess.Move) -> tuple[chess.Square, chess.Square]:
    """Return where king and rook stand after castling."""
    rank = chess.square_rank(move.from_square)
    king, rook = (2, 3) if board.is_queenside_castling(move) else (6, 5)
    return chess.square(king, rank), chess.square(rook, rank)


def rook_of(board: chess.Board, move: chess.Move) -> chess.Square:
    """Return where the rook stands before castling."""
    if board.chess960:
        return move.to_square
    file = 0 if board.is_queenside_castling(move) else 7
    return chess.square(file, chess.square_rank(move.from_square))


def seat_of(colour: chess.Color) -> Seat:
    """Return the seat of a colour."""
    return "white" if colour else "black"


def key_of(board: chess.Board) -> Key:
    """Return what a position must share with another to be the same."""
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.turn,
        board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


def start(number: int) -> ChessPosition:
    """Return a starting position by its number, 0 to 959."""
    return ChessPosition(chess.Board.from_chess960_pos(number).fen(), chess960=number != USUAL)
