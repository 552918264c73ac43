"""Skeletons: equal for names that a reader may take for each other (UTS #39).

The table is Unicode's own (`tests/confusables_table.py` creates it). Skeletons are stored. If you
change them or the table, recompute those of all members in a migration.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from unicodedata import normalize

TABLE = Path(__file__).with_name("confusables.txt")

_IGNORABLE = re.compile(
    r"[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff]"
)
"""Default_Ignorable_Code_Point: invisible characters."""


def skeleton_of(name: str) -> str:
    """Return a text that is equal for confusable names, ignoring case.

    Capitals resemble other characters than their small letters do, so they are mapped before
    casefolding too.
    """
    return _skeleton(_skeleton(normalize("NFKC", name)).casefold())


def small_skeleton_of(name: str) -> str:
    """Return a text that is equal for names whose small letters are confusable."""
    return _skeleton(normalize("NFKC", name).casefold())


def unseen(text: str) -> str:
    """Return the first invisible character of a text, empty if there is none."""
    found = _IGNORABLE.search(text)
    return found[0] if found else ""


def _skeleton(text: str) -> str:
    """Return the internal skeleton of UTS #39, section 4."""
    seen = _IGNORABLE.sub("", normalize("NFD", text))
    return normalize("NFD", seen.translate(_prototypes()))


@cache
def _prototypes() -> Mapping[int, str]:
    """Return the prototype of each character in the table."""
    lines = TABLE.read_text("utf-8").splitlines()
    pairs = (line.split(";") for line in lines if not line.startswith("#"))
    return {
        int(source, 16): "".join(chr(int(code, 16)) for code in target.split())
        for source, target in pairs
    }
