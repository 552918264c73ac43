"""Points of a Lanko position, and what its end is worth (rulebook, Lanko, "End of the game")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.api import Outcome, Seat
from pbem.games.lanko.board import ADVERSE, BLACK, CASTLES, PIECES, WHITE
from pbem.games.lanko.position import Position

VALUES = {"B": 12, "S": 6, "P": 2}


def points(position: Position, colour: str) -> int:
    """Points of a colour on the board, castles at home threefold."""
    board, cells = position.terms.board, position.cells
    home = position.middle + "".join(cells[end] for end in board.ends)
    return _worth(cells, colour) + _worth(home, colour) * (3 if board.middle is not None else 2)


def _worth(pieces: str, colour: str) -> int:
    return sum(VALUES[piece.upper()] for piece in pieces if piece in colour)


def outcome(position: Position) -> Outcome | None:
    """Result and reason once the game has ended; scores are White's points minus Black's."""
    if position.ending is None:
        return None
    balance = points(position, WHITE) - points(position, BLACK)
    winners = ("S", "N") if balance > 0 else ("W", "E") if balance < 0 else ()
    return Outcome(winners, position.ending, scores(balance))


def forfeit(position: Position, seats: Sequence[Seat]) -> Mapping[Seat, int]:
    """Scores if the side of these seats gives up (rulebook, Three-person sets, ruling).

    The other side's castles outside count threefold, the loser's as they stand, and at least one
    point lies between them.
    """
    loser, winner = PIECES[seats[0]], ADVERSE[seats[0]]
    outside = [p for i, p in enumerate(position.cells) if i not in position.terms.board.home]
    castles = "".join(piece for piece in outside if piece in CASTLES)
    bonus = 2 * _worth(castles, winner)
    lead = max(1, points(position, winner) + bonus - points(position, loser))
    return scores(lead if winner == WHITE else -lead)


def scores(balance: int) -> dict[Seat, int]:
    """White's points minus Black's, as each seat sees it."""
    return {"S": balance, "W": -balance, "N": balance, "E": -balance}
