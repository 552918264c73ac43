"""Lenient reading shared by all games (rulebook, "Lenient reading")."""

from __future__ import annotations

import re
import unicodedata

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−⁃﹘﹣－"), "-")
_BRACKETS = {**dict.fromkeys(map(ord, "【〔〖⟦"), "["), **dict.fromkeys(map(ord, "】〕〗⟧"), "]")}
_WIDE = {0xFF01 + code: chr(0x21 + code) for code in range(0x5E)}
"""Fullwidth characters, as Chinese and Japanese keyboards produce them."""
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
"""Pattern for what people write between two squares of a move.

It leaves the kind of action open. The legal actions decide that.
"""
TAKES = r"takes?|captures?"
"""Pattern for words that the notations write as one character, for example in `9:C` or `xe7`."""

GOES_ON = ("...", "…")
"""Endings that say a turn continues after the email. Phones turn three dots into one character."""
LONGEST_LINE = 500
"""Characters. Longer lines are prose, because no list of actions is that long."""


def plain(line: str) -> str:
    """Return a line with plain characters, undoing what phones and word processors change.

    Dashes become hyphens, arrows `->`, multiplication signs x, unusual spaces plain ones. Invisible
    characters disappear.
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
    """Return a line without the `*` or `-` of a list item."""
    return _BULLET.sub("", line)


_QUOTATION = dict.fromkeys(map(ord, "“”„‟«»″"), '"') | dict.fromkeys(map(ord, "‘’‚‛‹›′´"), "'")
_AROUND = ("*", "_", "`", '"', "'")
_MOST_AROUND = 4


def undressed(line: str) -> str:
    """Return a line in plain characters, without bullet, surrounding quotes or `*bold*` stars."""
    bare = without_bullet(plain(line)).strip().translate(_QUOTATION)
    for _ in range(_MOST_AROUND):
        bare = bare.rstrip("! ")
        if len(bare) < 3 or bare[0] != bare[-1] or bare[0] not in _AROUND:
            break
        bare = bare[1:-1].strip()
    return bare


__all__ = [
    "GOES",
    "TAKES",
    "plain",
    "undressed",
]
