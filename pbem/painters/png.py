"""SVG as PNG, the same bytes each time, with letters from a font of our own."""

from __future__ import annotations

from pathlib import Path

import resvg_py

FONT = Path(__file__).parent / "fonts" / "board.ttf"
"""Inter SemiBold, its Latin letters; its licence lies beside it."""


def png(svg: str, width: int) -> bytes:
    """A picture so many pixels wide."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, skip_system_fonts=True, font_files=[str(FONT)]
        )
    )
