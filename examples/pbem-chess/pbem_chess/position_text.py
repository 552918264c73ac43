"""Text of a chess position: FEN, the moves since the last irreversible one, and a claim."""

from __future__ import annotations

import chess

from pbem.games.position_text import fields_of, require, written
from pbem_chess.position import ChessPosition
from pbem_chess.rules import claim_now

FORM = "chess 1"
"""With a new number, older texts are no longer read."""
NONE = "-"


def write(position: ChessPosition) -> str:
    """Return the text of a position, without the agreed terms."""
    return written(
        FORM,
        {
            "fen": position.base,
            "moves": " ".join(position.moves) or NONE,
            "recent": " ".join(position.recent) or NONE,
            "claimed": position.claimed or NONE,
        },
    )


def read(text: str, *, chess960: bool) -> ChessPosition:
    """Return the position of a text. Raises ValueError or LookupError if it is not one."""
    fields = fields_of(FORM, text)
    position = ChessPosition(
        fields["fen"],
        _listed(fields["moves"]),
        chess960,
        _listed(fields["recent"]),
        "" if fields["claimed"] == NONE else fields["claimed"],
    )
    position.board.fen()  # raises ValueError if a move cannot be played
    return position


def _listed(text: str) -> tuple[str, ...]:
    return () if text == NONE else tuple(text.split(" "))


def require_possible(position: ChessPosition) -> None:
    """Raise ImpossiblePosition unless a match can reach the position."""
    base = chess.Board(position.base, chess960=position.chess960)
    require(base.is_valid(), "the position of the FEN cannot occur")
    require(base.fen() == position.base, f"the FEN of that position is {base.fen()}")
    for move in map(chess.Move.from_uci, position.moves):
        require(not base.is_irreversible(move), f"{move} cannot be undone: write the FEN after it")
        base.push(move)
    require(len(position.recent) <= min(2, base.ply()), "recent has the last two moves at most")
    for way in position.recent:
        for square in way.split("-"):
            require(square in chess.SQUARE_NAMES, f"{square} is not a square")
    if position.claimed:
        require(claim_now(position) == position.claimed, "no draw can be claimed")
