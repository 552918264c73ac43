"""Lanko's pieces. Light ones have hollow signs and dark ones filled signs, for inverted colours."""

from __future__ import annotations

from pbem.games.lanko.words import phrase
from pbem.games.pieces import PieceShape

PIECES = {
    "pawn": PieceShape(
        outline=(
            "M0-12a6.5 6.5 0 0 1 4 11.6c.8 5 4 7.4 5.5 10.4h1.5v5h-22v-5h1.5"
            "c1.5-3 4.7-5.4 5.5-10.4a6.5 6.5 0 0 1 4-11.6z"
        ),
        sign="\u25cb",
        variants={"black": ("", "\u25cf")},
        named=lambda count, colour: phrase("piece.pawn", count=count, colour=colour),
    ),
    "small-castle": PieceShape(
        outline="M-10-11h5v4h3v-4h4v4h3v-4h5v8l-3 3v8h4v6h-22v-6h4v-8l-3-3z",
        sign="\u25a1",
        variants={"black": ("", "\u25a0")},
        named=lambda count, colour: phrase("piece.small-castle", count=count, colour=colour),
    ),
    "big-castle": PieceShape(
        outline=(
            "M-18-8h3.5v3.5h3v-3.5h3.5v-8h3.5v3.5h2.8v-3.5h3.4v3.5h2.8v-3.5h3.5v8"
            "h3.5v3.5h3v-3.5h3.5v23h-36z"
        ),
        inside=(gate := "M-4.5 15v-7a4.5 4.5 0 0 1 9 0v7z"),
        sign="\u2656",
        variants={"black": (gate, "\u265c")},
        named=lambda count, colour: phrase("piece.big-castle", count=count, colour=colour),
    ),
}
