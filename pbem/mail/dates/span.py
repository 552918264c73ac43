"""Span: a range of days as people write it: `20 December to 3 January`, `7 days`."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from pbem.mail.dates.day import LONGEST, DateError, Day, read_day
from pbem.matches.words import phrase

MOST_WORDS = 12
MOST_TEXT = 100
MOST_LENGTH = 999
_UNTIL = ("until", "till", "til", "to", "through", "thru", "-")
_FROM = ("from", "starting", "beginning")
_NOISE = (*_FROM, "on", "the", "of", "for", "and", "inclusive", "incl")
_UNITS = {"day": 1, "days": 1, "d": 1, "week": 7, "weeks": 7, "w": 7}
_OTHERS = ("today", "tomorrow", "now", "next", "a")
_NAMED = (*calendar.month_name, *calendar.month_abbr, *calendar.day_name, *calendar.day_abbr)
_SPOKEN = frozenset({*(each.casefold() for each in _NAMED), *_UNTIL, *_UNITS, *_OTHERS})
"""Words of dates. A text with no other words is about days."""
_COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_PARTS = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}"  # 2026-12-20
    r"|\d{1,2}([/-])\d{1,2}\2(?:\d{4}|\d\d)(?!\d)"  # 20/12/2026
    r"|\d{1,2}/\d{1,2}(?![\d/])"
    r"|\d{1,2}\.\d{1,2}\.?(?:\d{4}|\d\d)?(?!\d)"
    r"|\d+(?:st|nd|rd|th)\b|\d+\.?|[^\W\d_]+|[-–—]|/|\S",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(\d{1,4})(?:st|nd|rd|th)", re.IGNORECASE)
_DAY_ALONE = re.compile(r"\d{1,2}\.?")


class DateSpan(NamedTuple):
    """The days from the first to the last, both included."""

    first: date
    last: date


def read_span(text: str, today: date) -> DateSpan:
    """Return the days a player writes, by default starting today. Raises DateError."""
    words = _words(text)
    if not words or len(words) > MOST_WORDS:
        raise DateError(phrase("dates.unknown", text=text[:LONGEST]))
    length, others = _length(words)
    if length is not None:
        first = _day(others, today).not_before(today) if others else today
        return DateSpan(first, _after(first, length))
    if words[0] in _UNTIL:
        return DateSpan(today, _day(words[1:], today).not_before(today))
    span = _from_one_to_another(words, today)
    if span.first == span.last and text.split(maxsplit=1)[0].casefold() in _FROM:
        raise DateError(phrase("dates.no-end"))
    return span


def could_be_span(text: str) -> bool:
    """Return whether a text seems to mean days, even if it is wrong."""
    try:
        read_span(text, date(2024, 1, 1))
    except DateError:
        words = _words(text)
        return 0 < len(words) <= MOST_WORDS and (
            words[0] in _UNTIL[:3] or all(each in _SPOKEN or not each.isalpha() for each in words)
        )
    return True


def _words(text: str) -> list[str]:
    found = (each[0].casefold() for each in _PARTS.finditer(text[:MOST_TEXT]))
    dashed = ("-" if each in ("–", "—", "/") else each for each in found)
    plain = (_ORDINAL.sub(r"\1", each) for each in dashed if each not in ",;().")
    return [each for each in plain if each not in _NOISE]


def _length(words: Sequence[str]) -> tuple[int | None, Sequence[str]]:
    """Return the number of days at the start or end of a text, and the other words."""
    for at in (0, len(words) - 2):
        days = _days(words[at : at + 2]) if at >= 0 else None
        if days is not None:
            return days, [*words[:at], *words[at + 2 :]]
    return None, words


def _days(words: Sequence[str]) -> int | None:
    if len(words) != 2 or words[1] not in _UNITS:
        return None
    word = {"a": "1", "an": "1"}.get(words[0], words[0])
    if not word.isdecimal() and word not in _COUNTS[1:]:
        return None
    count = int(word) if word.isdecimal() else _COUNTS.index(word)
    days = count * _UNITS[words[1]]
    if not 1 <= days <= MOST_LENGTH:
        raise DateError(phrase("dates.length", most=MOST_LENGTH))
    return days


def _after(first: date, days: int) -> date:
    return first + timedelta(days=days - 1)


def _from_one_to_another(words: Sequence[str], today: date) -> DateSpan:
    """Return the span between two days, or a single day. Raises DateError."""
    for left, right in _halves(words):
        try:
            return _between(_day(left, today), _day(right, today), today)
        except DateError as error:
            if error.reason.key != "dates.unknown":
                raise
    return _one_day(words, today)


def _between(first: Day, last: Day, today: date) -> DateSpan:
    """Return the span between two days. Missing years give the shortest span that is not past."""
    if first.year and not last.year:
        start = first.not_before(today)
        return DateSpan(start, last.not_before(start))
    end = last.not_before(today)
    return DateSpan(first.not_after(end), end)


def _one_day(words: Sequence[str], today: date) -> DateSpan:
    only = _day(words, today).not_before(today)
    return DateSpan(only, only)


def _halves(words: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield ways to split words in two: at a word such as `to`, otherwise anywhere."""
    said = [at for at, word in enumerate(words) if word in _UNTIL]
    for at in said:
        left, right = words[:at], words[at + 1 :]
        yield from _month_for_both(left, right)
        yield left, right
    if not said:
        yield from ((words[:at], words[at:]) for at in range(1, len(words)))


def _month_for_both(
    left: Sequence[str], right: Sequence[str]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Let one half borrow the month of the other: `20 to 27 December`, `December 20 to 27`."""
    if len(left) == 1 and _DAY_ALONE.fullmatch(left[0]) and len(right) > 1:
        yield [*left, *right[1:]], right
    if len(right) == 1 and _DAY_ALONE.fullmatch(right[0]) and len(left) > 1:
        yield left, [*left[:-1], *right]


def _day(words: Sequence[str], today: date) -> Day:
    return read_day(" ".join(words), today)
