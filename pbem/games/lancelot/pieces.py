"""Lancelot's pieces: shields with charges that can be recognised without colours, and the sword."""

from __future__ import annotations

from pbem.games.lancelot.words import phrase
from pbem.games.pieces import PieceShape

PIECES = {
    "knight": PieceShape(
        outline="M-14-15h28v12c0 10-6 15-14 19c-8-4-14-9-14-19z",
        inside=(roundel := "M0-9a7 7 0 0 1 0 14a7 7 0 0 1 0-14z"),
        sign="\u25cf",
        variants={
            "red": ("M-3.5-14h7v9h9.5v7h-9.5v11l-3.5 2-3.5-2v-11h-9.5v-7h9.5z", "\u271a"),
            "blue": ("M-13-14h8l16.5 17.5-4.5 6.5-20-20z", "\u25c6"),
            "yellow": ("M0-10l13 13-3.5 6.5-9.5-9.5-9.5 9.5-3.5-6.5z", "\u25b2"),
            "green": (roundel, "\u25cf"),
            "violet": ("M-13-10h26v6h-26zM-12.5 1h25l-2.5 6h-20z", "\u25a0"),
        },
        named=lambda count, colour: phrase("piece.knight", count=count, colour=colour),
    ),
    "sword": PieceShape(
        outline="M-10 1h20v4.5h-7.5v7h-5v-7h-7.5zM0 11.5a3.5 3.5 0 0 1 0 7a3.5 3.5 0 0 1 0-7z",
        steel="M0-21l4 5v17h-8v-17z",
        sign="\u2020",
        named=lambda count, colour: phrase("piece.sword"),
    ),
}
