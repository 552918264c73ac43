"""What is said of a picture to those who cannot see it."""

from __future__ import annotations

from pbem.games.diagram import Diagram
from pbem.games.phrases import ENGLISH, Words
from pbem.painters.words import phrase


def alt(diagram: Diagram, match: int, turn: int, seat: str, *, words: Words = ENGLISH) -> str:
    """One line: which board it is, when, and who sits below."""
    return words.text(phrase("alt", match=match, turn=turn, seat=diagram.name_of(seat)))
