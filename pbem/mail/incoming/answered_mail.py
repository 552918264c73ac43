"""Answered mail: its text, by which what a client made of its quote is told from what is new.

Clients mark, break and join lines as they like, but leave what is in them and its order as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ENOUGH = 24
"""Signs, the line's own aside, that tell where in a mail a line stands."""
_NEAR = 8
"""Lines to look for them, blank ones counted."""
_MARKS = " \t>|*"
"""What clients, and we, put before a line."""
_BLANKS = re.compile(r"\s+")
_LINK = re.compile(r"<(?:https?://|mailto:)[^<>\s]{1,2000}>")
"""Where a link goes, which clients write behind its name."""


def lines_of_answered(lines: Sequence[str], answered: str) -> frozenset[int]:
    """Lines (case-folded) that stand in a mail's text as they do in the mail it answers.

    A line alone proves nothing, since people do play the move of the example: it counts together
    with what is above it; or with what is below, unless it was put in between.
    """
    told = "".join(map(_signs_of, answered.casefold().split("\n")))
    signs = [_signs_of(line) for line in lines] if told else []
    return frozenset(
        at
        for at, own in enumerate(signs)
        if own and not _between_marks(lines, at) and _stands_in(told, signs, at)
    )


def _signs_of(line: str) -> str:
    return _BLANKS.sub("", _LINK.sub("", line).lstrip(_MARKS))


def _between_marks(lines: Sequence[str], at: int) -> bool:
    """Whether a line without a mark was put into a quote with marks.

    It was, unless it may be the rest of the marked line right above.
    """
    above = next((line for line in reversed(lines[max(0, at - _NEAR) : at]) if line.strip()), "")
    if lines[at].startswith(">") or not above.startswith(">"):
        return False
    return not lines[at - 1].strip(" \t>")


def _stands_in(told: str, signs: Sequence[str], at: int) -> bool:
    above = "".join(signs[max(0, at - _NEAR) : at])[-_ENOUGH:]
    below = "".join(signs[at + 1 : at + 1 + _NEAR])[:_ENOUGH]
    if len(above) == _ENOUGH and above in told:
        return above + signs[at] in told
    return len(below) == _ENOUGH and signs[at] + below in told
