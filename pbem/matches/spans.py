"""Spans: lengths of time as people write them (`36h`, `3d`), and pauses of a known length."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.matches.time_control import MOST

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)

_SPAN = re.compile(r"(\d{1,6}|an?|one)\s*(h|d|w|hours?|days?|weeks?)", re.ASCII | re.IGNORECASE)
_LENGTHS = {"h": HOUR, "d": DAY, "w": WEEK}


def read_span(text: str) -> timedelta | None:
    """A span of whole hours; None if the text is none, or one of more than ten years."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        return None
    count = int(found[1]) if found[1].isdigit() else 1
    span = count * _LENGTHS[found[2][0].lower()]
    return span if timedelta() < span <= MOST else None


def split_span(text: str) -> tuple[timedelta | None, str]:
    """The span with which a text begins, if it begins with one, and the rest."""
    words = text.split()
    for count in (2, 1):
        span = read_span(" ".join(words[:count]))
        if span is not None:
            return span, " ".join(words[count:])
    return None, " ".join(words)


def write_span(span: timedelta) -> str:
    """A span of whole hours as it is written: `3d`, `36h`."""
    return f"{span // DAY}d" if not span % DAY else f"{span // HOUR}h"


class Break(NamedTuple):
    """A pause of a match whose end is known."""

    start: datetime
    """UTC."""
    end: datetime
    agreed: bool = False
    """By all players; else the director has decided it."""


Breaks = tuple[Break, ...]
"""Those of a match, by their beginning; they may meet."""


def with_break(breaks: Iterable[Break], at: datetime, span: timedelta, *, agreed: bool) -> Breaks:
    """With one more from a moment on."""
    return tuple(sorted((*breaks, Break(at, at + span, agreed))))


def without(breaks: Iterable[Break], at: datetime) -> Breaks:
    """Without any from a moment on."""
    return tuple(each._replace(end=min(each.end, at)) for each in breaks if each.start < at)


def standing(breaks: Iterable[Break], at: datetime) -> Break | None:
    """The break in which a moment lies, the one that lasts longest; its end is that of all."""
    now = [each for each in breaks if each.start <= at < each.end]
    return max(now, key=lambda each: each.end, default=None)
