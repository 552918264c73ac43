"""The line of every mail of a match by which its reader can tell later whether history was changed.

It says the same in every language, as programs read it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pbem.matches.match import MatchSummary
from pbem.matches.record import short

_LINE = re.compile(
    r"History of match (\d{1,9}), entry (\d{1,9}): ([a-z2-7]{4}(?:-[a-z2-7]{4}){3})\.", re.ASCII
)


class HistoryLine(NamedTuple):
    """What it says."""

    match_id: int
    entry: int
    """How many entries the history had; 0 where nothing had happened yet."""
    head: str
    """As people see it."""


def history_line(match: MatchSummary) -> str:
    """Line of a match; empty where its history has no head."""
    if not match.head:
        return ""
    # With a full stop, so that what is typed right below never passes for the rest of it.
    return f"History of match {match.id}, entry {match.entries}: {short(match.head)}."


def read_history_line(text: str) -> HistoryLine | None:
    """What the last such line of a text says; None if there is none."""
    for line in reversed(text.splitlines()):
        if found := _LINE.fullmatch(line.rstrip()):
            return HistoryLine(int(found[1]), int(found[2]), found[3])
    return None
