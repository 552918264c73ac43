"""Columns: how wide a line of text may turn out to be in somebody's mail client."""

from __future__ import annotations


def columns(text: str) -> int:
    """Columns that a text takes at most: some characters take two, and some clients count bytes.

    Those of UTF-8, of which a character beyond ASCII has two to four.
    """
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
