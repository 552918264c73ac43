"""Breaks: spans in which no time of a match counts, whoever's turn it is; each ends by itself."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple


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
