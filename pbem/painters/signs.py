"""Pieces as characters that every client has in its fonts, and none shows as an emoji."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.diagram import Token

SIGNS: Mapping[str, tuple[str, str]] = {
    "pawn": ("\u25cb", "\u25cf"),
    "small-castle": ("\u25a1", "\u25a0"),
    "big-castle": ("\u2656", "\u265c"),
    "man": ("\u25cb", "\u25cf"),
    "sword": ("\u2020", "\u2020"),
}
"""Hollow for light pieces, full for dark ones: where colours are turned around, shapes stay."""
KNIGHTS: Mapping[str, str] = {
    "red": "\u271a",
    "blue": "\u25c6",
    "yellow": "\u25b2",
    "green": "\u25cf",
    "violet": "\u25a0",
}


def sign(token: Token) -> str:
    """The character of a piece."""
    if token.shape == "knight":
        return KNIGHTS.get(token.colour, "\u25cf")
    hollow, full = SIGNS.get(token.shape, SIGNS["man"])
    return full if token.colour == "black" else hollow
