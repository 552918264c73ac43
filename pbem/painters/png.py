"""SVG as PNG, the same bytes each time, with letters from a font of our own."""

from __future__ import annotations

import resvg_py


def png(svg: str, width: int) -> bytes:
    """A picture so many pixels wide."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))
