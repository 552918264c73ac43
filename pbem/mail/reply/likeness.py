"""Likeness: whether a text says in another form what a letter says at a place."""

from __future__ import annotations

_FAR = 1000
"""Characters of a letter among which a line in another form is looked for."""
_PIECE = 4
"""Characters by which texts are compared that are not the same."""


def is_like(text: str, other: str) -> bool:
    """Whether half of a text's pieces stand in the other."""
    pieces = _pieces(text[:_FAR])
    return bool(pieces) and 2 * len(pieces & _pieces(other[:_FAR])) >= len(pieces)


def _pieces(text: str) -> set[str]:
    return {text[at : at + _PIECE] for at in range(len(text) - _PIECE + 1)}
