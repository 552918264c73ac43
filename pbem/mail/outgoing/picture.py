"""Picture: the board of a letter as a part of its own, which its HTML shows."""

from __future__ import annotations

import base64
import hashlib

from pbem.painters.png import png

WIDTH = 1120
"""Pixels: twice as many as it is shown by, for screens with small ones."""


def content_id(svg: str) -> str:
    """What the HTML calls a picture by, `cid:` before it (RFC 2392); of the picture alone."""
    return f"{hashlib.sha256(svg.encode()).hexdigest()[:24]}@board.pbem"


def part(svg: str) -> str:
    """The part of a mail, as PNG."""
    data = base64.encodebytes(png(svg, WIDTH)).decode("ascii").replace("\n", "\r\n")
    return (
        "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{content_id(svg)}>\r\n"
        f'Content-Disposition: inline; filename="board.png"\r\n\r\n{data}'
    )
