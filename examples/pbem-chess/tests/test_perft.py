"""Lines of play counted through pbem's API equal the published numbers.

Sources: Chess Programming Wiki, "Perft Results" (usual chess) and "Chess960 Perft Results".
"""

from __future__ import annotations

import pytest

from pbem_chess import CHESS
from pbem_chess.position import ChessPosition

DEEP = 20_000
"""Lines up to which a number is part of the default run."""

USUAL = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20, 400, 8902, 197281),
    "kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        *(48, 2039, 97862, 4085603),
    ),
    "endgame": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 14, 191, 2812, 43238),
    "promotions": (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        *(6, 264, 9467, 422333),
    ),
    "talkchess": (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        *(44, 1486, 62379, 2103487),
    ),
    "edwards": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        *(46, 2079, 89890, 3894594),
    ),
}
CHESS960 = {
    "960-1": (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        *(21, 528, 12189, 326672),
    ),
    "960-2": (
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        *(21, 807, 18002, 667366),
    ),
    "960-3": (
        "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
        *(20, 479, 10471, 273318),
    ),
    "960-4": (
        "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
        *(22, 593, 13440, 382958),
    ),
    "960-5": (
        "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
        *(28, 1120, 31058, 1171749),
    ),
}


def perft(position: ChessPosition, depth: int) -> int:
    """Return the number of lines of play of a length."""
    actions = list(CHESS.legal_actions(position))
    if depth == 1:
        return len(actions)
    return sum(perft(CHESS.play(position, action), depth - 1) for action in actions)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", (*USUAL, *CHESS960))
def test_perft_numbers_are_right(name: str, every: bool) -> None:
    fen, *numbers = (USUAL | CHESS960)[name]
    position = ChessPosition(fen, chess960=name in CHESS960)
    for depth, number in enumerate(numbers, start=1):
        if every or int(number) <= DEEP:
            assert perft(position, depth) == number
