"""Spelling: which names are valid, and how to make a valid one from a text.

A name appears in headers, in emails, on terminals and between the words of a command. So it
consists of visible letters that run in one direction, without quotation marks, brackets or other
characters that have a meaning there.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from unicodedata import bidirectional, category, name as name_of, normalize

from pbem.matches.names.skeleton import unseen

LEAST, MOST = 2, 32
"""Length of a name, in characters."""
MOST_MARKS = 2
"""Marks on one letter: one more than any Vietnamese letter has when decomposed."""

_TOO_MANY_MARKS = re.compile("M" * (MOST_MARKS + 1))
_BETWEEN = "-'. "
"""Characters allowed between letters, one at a time. A space may follow a full stop."""
_QUOTED = re.compile('["“„«](.*)["”“»]')
"""A quoted name among other words of a command. The quotation marks are not part of it."""
_SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "`": "'", "\u2010": "-"})


class NotAName(ValueError):
    """Why a text is not a name, in words for its writer."""


def read_name(text: str) -> str:
    """Return a name as it is stored. Raises NotAName."""
    name = _tidied(text)
    if not LEAST <= len(name) <= MOST:
        raise NotAName(f"a name has {LEAST} to {MOST} characters")
    wrong = next((each for each in name if not _may_stand(each)), "")
    if wrong or unseen(name):
        raise NotAName(
            "a name has only letters, digits, spaces, hyphens, apostrophes and full stops"
        )
    if not name[0].isalpha() or name[-1] in _BETWEEN:
        raise NotAName("a name starts with a letter, and ends with a letter or a digit")
    if any(a in _BETWEEN and b in _BETWEEN and a + b != ". " for a, b in pairwise(name)):
        raise NotAName("a hyphen, an apostrophe or a full stop needs letters on both sides")
    if _TOO_MANY_MARKS.search("".join(map(_kind, name))):
        raise NotAName("a letter has too many marks")
    if len({_direction(each) for each in name} - {""}) > 1:
        raise NotAName("its letters run in two directions")
    return name


def made_a_name(text: str) -> str:
    """Return a name made from the usable parts of a text, empty if nothing is left."""
    kept = "".join(each if _may_stand(each) else " " for each in _tidied(text) if not unseen(each))
    words = (word.strip(_BETWEEN) for word in kept.split())
    name = " ".join(word for word in words if word).lstrip("0123456789 ")[:MOST].rstrip(_BETWEEN)
    try:
        return read_name(name)
    except NotAName:
        return ""


def _tidied(text: str) -> str:
    """Return a text in one spelling: NFKC, no small capitals, uniform spaces and apostrophes."""
    plain = normalize("NFKC", text).translate(_APOSTROPHES).translate(_small_capitals())
    said = " ".join(plain.split())
    quoted = _QUOTED.fullmatch(said)
    return quoted[1].strip() if quoted else said


@cache
def _small_capitals() -> dict[int, str]:
    """Return small letters for the small capitals that NFKC leaves unchanged."""
    blocks = (range(0x250, 0x2B0), range(0x1D00, 0x1D80), range(0xA720, 0xA800))
    called = {code: name_of(chr(code), "") for block in blocks for code in block}
    of_letter = {
        code: name.removeprefix(_SMALL_CAPITAL).lower()
        for code, name in called.items()
        if name.startswith(_SMALL_CAPITAL)
    }
    return {code: letter for code, letter in of_letter.items() if len(letter) <= 2}  # AE, OE


def _may_stand(character: str) -> bool:
    return character in _BETWEEN or _kind(character) in "LMN"


def _kind(character: str) -> str:
    """Return L for a letter, M for a mark on one, N for a digit, otherwise something else."""
    kind = category(character)
    return "?" if kind[0] == "N" and kind != "Nd" else kind[0]


def _direction(character: str) -> str:
    """Return the direction of a letter, empty for other characters."""
    strong = {"L": "right", "R": "left", "AL": "left"}
    return strong.get(bidirectional(character), "")
