"""Day: one date as people write it: `2026-12-20`, `20.12.`, `3 January`, `Friday`, `tomorrow`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from pbem.games.phrases import ENGLISH, Phrase
from pbem.matches.words import phrase

LONGEST = 40
"""Maximum number of characters in a date."""
LANGUAGES = ("en", "de", "pl", "fr", "es", "it", "nl", "cs")
"""Languages whose names of months and weekdays are known."""
_LEAP = 2024
"""A year that has every day."""
_YEARS = range(2000, 3000)
"""Years that people may mean. Later dates can still be computed from the last."""
_TRIED = 8
"""Years tried to find a day, enough to find 29 February."""

_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", re.ASCII)
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})(?:\.\s?(\d{4}|\d\d)?)?", re.ASCII)
_SLASHED = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)|(\d{1,2})/(\d{1,2})", re.ASCII)
_DAY_FIRST = re.compile(
    r"(?:[^\W\d_]{2,14},?\s)?(?P<day>[0-9]{1,2})(?:\.|st|nd|rd|th|er|º)?\s?(?:(?:de|of)\s)?"
    r"(?P<month>[^\W\d_]{3,14})\.?,?(?:\s(?:de\s)?(?P<year>[0-9]{4}|[0-9]{2}))?"
)
_MONTH_FIRST = re.compile(
    r"(?:[^\W\d_]{2,14},?\s)?(?P<month>[^\W\d_]{3,14})\.?\s(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
    r"(?:,?\s(?P<year>[0-9]{4}))?"
)


class DateError(ValueError):
    """A text that is not a date, or could be two. The reason is for a player."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(ENGLISH.text(reason))
        self.reason = reason


class Day(NamedTuple):
    """A day and month, with the year if it was given."""

    month: int
    day: int
    year: int | None = None

    def not_before(self, earliest: date) -> date:
        """Return the first such day on or after a date, or the exact day if it has a year.

        Raises DateError if there is no such day.
        """
        for year in range(earliest.year, earliest.year + _TRIED):
            with suppress(ValueError):
                found = date(self.year or year, self.month, self.day)
                if self.year or found >= earliest:
                    return found
        raise DateError(phrase("dates.no-such-day"))

    def not_after(self, latest: date) -> date:
        """Return the last such day on or before a date, or the exact day if it has a year.

        Raises DateError if there is no such day.
        """
        for year in range(latest.year, latest.year - _TRIED, -1):
            with suppress(ValueError):
                found = date(self.year or year, self.month, self.day)
                if self.year or found <= latest:
                    return found
        raise DateError(phrase("dates.no-such-day"))


def read_day(text: str, today: date) -> Day:
    """Read a day as a player writes it. Raises DateError."""
    plain = text.strip(" ,;").casefold()
    bare = plain if _DOTTED.fullmatch(plain) else plain.removesuffix(".")
    found = _by_name(bare, today) or _in_numbers(bare) or _in_words(bare)
    if found is None:
        raise DateError(phrase("dates.unknown", text=text[:LONGEST]))
    if found.year is None or found.year in _YEARS:
        with suppress(ValueError):
            date(found.year or _LEAP, found.month, found.day)
            return found
    raise DateError(phrase("dates.no-such-day"))


def _by_name(text: str, today: date) -> Day | None:
    """Return today, tomorrow, or the next day with a weekday's name, which is never today."""
    ahead = {"today": 0, "now": 0, "tomorrow": 1, "day after tomorrow": 2}
    name = text.removeprefix("next ")
    if text in ahead:
        then = today + timedelta(days=ahead[text])
    elif (weekday := _weekdays().get(name)) is not None:
        then = today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    else:
        return None
    return Day(then.month, then.day, then.year)


def _in_numbers(text: str) -> Day | None:
    """Return a day in numbers. Raises DateError if day and month could be swapped."""
    if found := _ISO.fullmatch(text):
        return Day(int(found[3]), int(found[4]), int(found[1]))
    if found := _DOTTED.fullmatch(text):
        return Day(int(found[2]), int(found[1]), _year(found[3]))
    if found := _SLASHED.fullmatch(text):
        one, other = int(found[1] or found[5]), int(found[3] or found[6])
        if one <= 12 and other <= 12 and one != other:
            raise DateError(phrase("dates.two-ways", text=text))
        return Day(min(one, other), max(one, other), _year(found[4]))
    return None


def _in_words(text: str) -> Day | None:
    """Return a day with the name of a month in any of the languages."""
    found = _DAY_FIRST.fullmatch(text) or _MONTH_FIRST.fullmatch(text)
    month = _months().get(found["month"]) if found else None
    if found is None or month is None:
        return None
    return Day(month, int(found["day"]), _year(found["year"]))


@cache
def _months() -> Mapping[str, int]:
    """Return the numbers of the months by all their names."""
    from babel.dates import get_month_names  # slow to import, and few emails need it

    names = (
        get_month_names(width, context, language)
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
    )
    return {"sept": 9} | {_plain(name): number for each in names for number, name in each.items()}


@cache
def _weekdays() -> Mapping[str, int]:
    """Return the numbers of the weekdays by name, 0 for Monday."""
    from babel.dates import get_day_names  # slow to import, and few emails need it

    names = (get_day_names("wide", "format", language) for language in LANGUAGES)
    return {_plain(name): number for each in names for number, name in each.items()}


def _plain(name: str) -> str:
    return name.casefold().removesuffix(".")


def _year(text: str | None) -> int | None:
    """Return the year from two or four digits."""
    if not text:
        return None
    return int(text) if len(text) > len("26") else 2000 + int(text)


def could_be_day(text: str) -> bool:
    """Return whether a text seems to mean a day, even if it is wrong."""
    try:
        read_day(text, date(_LEAP, 1, 1))
    except DateError as error:
        return error.reason.key != "dates.unknown"
    return True
