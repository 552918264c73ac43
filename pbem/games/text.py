"""Lenient reading that all games share (rulebook, "Lenient reading")."""

from __future__ import annotations

import re
import unicodedata

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−⁃﹘﹣－"), "-")
_BRACKETS = {**dict.fromkeys(map(ord, "【〔〖⟦"), "["), **dict.fromkeys(map(ord, "】〕〗⟧"), "]")}
_WIDE = {0xFF01 + code: chr(0x21 + code) for code in range(0x5E)}
"""Fullwidth characters, as keyboards for Chinese and Japanese write them."""
_ARROWS = dict.fromkeys(map(ord, "→⟶➔➙➛➜➝➞➟➠➡⇒⇨⟹↦⟼⭢🠒🡒"), "->")
_PLAIN = {
    **_WIDE,
    **_DASHES,
    **_BRACKETS,
    **_ARROWS,
    ord("×"): "x",
    ord("✕"): "x",
    ord("\t"): " ",
}
_BULLET = re.compile(r"^\s*[*-]\s+(?=\S)")
GOES = r"(?:\s*(?:[-=]{1,2}>|>)\s*|\s+to\s+)"
"""Pattern of what people write between two squares for a way from one to the other.

It does not tell what kind of action is meant; that is up to what is legal.
"""
TAKES = r"takes?|captures?"
"""Pattern of the words for what the notations write as one character, e.g. `9:C` or `xe7`."""

GOES_ON = ("...", "…")
"""What says that a turn goes on after the email; phones make one character of three dots."""
LONGEST_LINE = 500
"""Characters; no list of actions is longer. A longer line is prose."""


def plain(line: str) -> str:
    """A line with plain characters for those that phones and word processors put in their place.

    Dashes become hyphens, arrows `->`, a multiplication sign an x, odd spaces spaces; invisible
    characters go.
    """
    if line.isascii():
        return line.replace("\t", " ")
    return "".join(map(_plain_character, line.translate(_PLAIN)))


def _plain_character(character: str) -> str:
    if character.isascii():
        return character
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    return "" if category == "Cf" or "\ufe00" <= character <= "\ufe0f" else character


def without_bullet(line: str) -> str:
    """A line without the `*` or `-` of a list item at its start."""
    return _BULLET.sub("", line)


_QUOTATION = dict.fromkeys(map(ord, "“”„‟«»″"), '"') | dict.fromkeys(map(ord, "‘’‚‛‹›′´"), "'")
_AROUND = ("*", "_", "`", '"', "'")
_MOST_AROUND = 4


def undressed(line: str) -> str:
    """A line as `plain` leaves it, without bullet, quotation marks around it and `*bold*` stars."""
    bare = without_bullet(plain(line)).strip().translate(_QUOTATION)
    for _ in range(_MOST_AROUND):
        bare = bare.rstrip("! ")
        if len(bare) < 3 or bare[0] != bare[-1] or bare[0] not in _AROUND:
            break
        bare = bare[1:-1].strip()
    return bare
