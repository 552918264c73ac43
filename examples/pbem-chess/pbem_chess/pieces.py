"""The six shapes of chess pieces. Each can be recognised by its outline alone."""

from __future__ import annotations

from pbem.games.pieces import PieceShape
from pbem_chess.words import phrase

BASE = "h2v4h-22v-4h2"
CROSS = "M-1-7h2v3h3v2h-3v5h-2v-5h-3v-2h3z"
FACE = (
    "M-4.5-8.5a1.9 1.9 0 0 1 0 3.8a1.9 1.9 0 0 1 0-3.8z"
    "M2.5-10c4.3 2.4 5.5 9 4.8 18.5h-2c.4-9-.6-14.5-2.8-18.5z"
)
BAND = "M-9 6h18v2.2h-18z"
ROBE = "M-1-5.5h2v10.5h-2zM-9 6.8h18v2.2h-18z"
WALL = "M-7-2h14v2.2h-14zM-6 7h12v2.2h-12z"
PEARLS = "".join(
    f"M{x} {y}a2.5 2.5 0 0 1 0 5a2.5 2.5 0 0 1 0-5z"
    for x, y in ((-13.5, -11.5), (-7.2, -16), (0, -17.5), (7.2, -16), (13.5, -11.5))
)

PIECES = {
    "chess-king": PieceShape(
        outline=(
            "M-1.4-19h2.8v2.6h2.6v2.8h-2.6v3.1c3.6-2 11.1.5 11.1 7c0 5.5-3 8.5-3.5 12V11"
            f"{BASE}V8.5c-.5-3.5-3.5-6.5-3.5-12c0-6.5 7.5-9 11.1-7v-3.1h-2.6v-2.8h2.6z"
        ),
        inside=ROBE,
        sign="\u2654",
        variants={"black": (ROBE, "\u265a")},
        named=lambda count, colour: phrase("piece.king", count=count, colour=colour),
    ),
    "chess-queen": PieceShape(
        outline=(
            "M-13-7l4.5 6.5l1.5-11l4.4 10l2.6-11.5l2.6 11.5l4.4-10l1.5 11l4.5-6.5l-4 15.5V11"
            f"{BASE}V8.5z{PEARLS}"
        ),
        inside=BAND,
        sign="\u2655",
        variants={"black": (BAND, "\u265b")},
        named=lambda count, colour: phrase("piece.queen", count=count, colour=colour),
    ),
    "chess-rook": PieceShape(
        outline=f"M-10-12h5v4h3v-4h4v4h3v-4h5v7l-3 3v13h2{BASE}h2v-13l-3-3z",
        inside=WALL,
        sign="\u2656",
        variants={"black": (WALL, "\u265c")},
        named=lambda count, colour: phrase("piece.rook", count=count, colour=colour),
    ),
    "chess-bishop": PieceShape(
        outline=(
            "M0-17a2.6 2.6 0 0 1 1.8 4.5c4.7 3.2 7.7 7.5 7.7 11.7c0 3.4-1.7 5.8-4 7.3l1.5 4.5h2"
            f"{BASE}h2l1.5-4.5c-2.3-1.5-4-3.9-4-7.3c0-4.2 3-8.5 7.7-11.7a2.6 2.6 0 0 1 1.8-4.5z"
        ),
        inside=CROSS,
        sign="\u2657",
        variants={"black": (CROSS, "\u265d")},
        named=lambda count, colour: phrase("piece.bishop", count=count, colour=colour),
    ),
    "chess-knight": PieceShape(
        outline=(
            "M-9 11c0-5 4-7 6.5-11l-3.5 1.5l-4.5 3l-2.5-3l2-5c1-5 4-8 8-9.5l1-4l4 4"
            f"c6.5 1.5 8 10 7 24{BASE}z"
        ),
        inside=FACE,
        sign="\u2658",
        variants={"black": (FACE, "\u265e")},
        named=lambda count, colour: phrase("piece.knight", count=count, colour=colour),
    ),
    "chess-pawn": PieceShape(
        outline=(
            f"M0-11a6 6 0 0 1 3.8 10.6c.8 5 3.8 7.4 5.2 11.4{BASE}"
            "c1.4-4 4.4-6.4 5.2-11.4a6 6 0 0 1 3.8-10.6z"
        ),
        sign="\u2659",
        variants={"black": ("", "\u265f")},
        named=lambda count, colour: phrase("piece.pawn", count=count, colour=colour),
    ),
}
