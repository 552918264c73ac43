"""Lenient reading that all games share (rulebook, "Lenient reading")."""

from __future__ import annotations

import re
import unicodedata

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"), None)
_SIGNS = {**_DASHES, **_INVISIBLE, ord("×"): "x", ord("✕"): "x", ord("\t"): " "}
_BULLET = re.compile(r"^\s*[*-]\s+(?=\S)")


def plain(line: str) -> str:
    """A line with the signs that phones and word processors put in for plain ones put back.

    Dashes become hyphens, a multiplication sign an x, odd blanks blanks; invisible characters go.
    """
    if line.isascii():
        return line.replace("\t", " ")
    signs = line.translate(_SIGNS)
    return "".join(" " if unicodedata.category(c) == "Zs" else c for c in signs)


def without_bullet(line: str) -> str:
    """A line without the `*` or `-` of a list item at its start."""
    return _BULLET.sub("", line)
