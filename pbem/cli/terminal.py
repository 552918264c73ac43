"""What a terminal may be shown."""

from __future__ import annotations


def printable(text: str) -> str:
    """Text that cannot steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text.replace("\r", ""))
