"""Shapes of pieces: how pieces of a shape are drawn, written and named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pbem.games.phrases import Phrase
from pbem.games.words import phrase


@dataclass(frozen=True, kw_only=True)
class PieceShape:
    """A shape of pieces. Drawings are SVG paths around the middle of a square of 48 units."""

    outline: str
    """Filled with the colour of the owner."""
    sign: str
    """Character of a piece beside its letter in tables, hollow for light pieces."""
    named: Callable[[int, Phrase], Phrase]
    """Name of a number of pieces in a colour, for example `2 white pawns`."""
    inside: str = ""
    """Drawn on the outline, in a colour that stands out."""
    variants: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Inside and sign by colour, where they differ."""
    steel: str = ""
    """Drawn below the outline, in the colour of steel."""

    def inside_of(self, colour: str) -> str:
        """Return what is drawn on pieces of a colour."""
        return self.variants.get(colour, (self.inside, ""))[0]

    def sign_of(self, colour: str) -> str:
        """Return the character of pieces of a colour."""
        return self.variants.get(colour, ("", self.sign))[1]


COLOURS: Mapping[str, Phrase] = {
    "white": phrase("colour.white"),
    "black": phrase("colour.black"),
    "yellow": phrase("colour.yellow"),
    "red": phrase("colour.red"),
    "blue": phrase("colour.blue"),
    "green": phrase("colour.green"),
    "violet": phrase("colour.violet"),
    "gold": phrase("colour.gold"),
}
"""Colours of owners by name."""

DISC = PieceShape(
    outline="M0-15a15 15 0 0 1 0 30a15 15 0 0 1 0-30z",
    inside="M0-10a10 10 0 0 1 0 20a10 10 0 0 1 0-20zM0-8a8 8 0 0 0 0 16a8 8 0 0 0 0-16z",
    sign="\u25cb",
    variants={"black": ("M0-7l7 7-7 7-7-7z", "\u25cf")},
    named=lambda count, colour: phrase("piece.man", count=count, colour=colour),
)
"""A draughtsman with a ring, or with a lozenge if it is black. Also any shape that is unknown."""
