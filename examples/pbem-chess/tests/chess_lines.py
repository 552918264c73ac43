"""Positions for the tests, by the moves that lead there or by their FEN."""

from __future__ import annotations

from pbem.games.replay import replay
from pbem_chess import CHESS
from pbem_chess.position import SEATS, ChessPosition


def after(*texts: str, **options: int) -> ChessPosition:
    """Return the position after some moves of both sides."""
    position = CHESS.initial(2, options)
    pairs = [(SEATS[number % 2], text) for number, text in enumerate(texts)]
    for played in replay(CHESS, 2, options, pairs):
        position = played.position
    return position


def from_fen(fen: str, *, chess960: bool = False) -> ChessPosition:
    """Return a position without a history."""
    return ChessPosition(fen, chess960=chess960)


def played(position: ChessPosition, *texts: str) -> ChessPosition:
    """Return the position after some texts of whoever is to move."""
    for text in texts:
        action = CHESS.parse(position, text, position.seat)
        position = CHESS.play(position, action)
    return position


def meaning(position: ChessPosition, text: str) -> str:
    """Return the canonical text of what the player to move writes."""
    return CHESS.format(position, CHESS.parse(position, text, position.seat))
