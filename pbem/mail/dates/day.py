"""Day: one date as people write it: `2026-12-20`, `20.12.`, `3 January`, `Friday`, `tomorrow`."""

from __future__ import annotations

import calendar
import re
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import NamedTuple

from pbem.games.phrases import ENGLISH, Phrase
from pbem.matches.words import phrase

LONGEST = 40
"""Characters of a date."""
LANGUAGES = ["en", "de", "pl", "fr", "es", "it", "nl", "cs"]
"""In which the months are known by their names."""
_LEAP = 2024
"""A year in which every day is there."""
_TRIED = 8
"""Years in which a day is looked for: that long there can be no 29 February."""
_WEEKDAYS = {name.casefold(): number for number, name in enumerate(calendar.day_name)}

_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", re.ASCII)
_DOTTED = re.compile(r"(\d{1,2})\.\s?(\d{1,2})(?:\.\s?(\d{4}|\d\d)?)?", re.ASCII)
_SLASHED = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)|(\d{1,2})/(\d{1,2})", re.ASCII)
_YEAR = re.compile(r"\b\d{4}\b", re.ASCII)
_NUMBER = re.compile(r"\d+", re.ASCII)


class DateError(ValueError):
    """What is no date, or could be two; why, in a person's words."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(ENGLISH.text(reason))
        self.reason = reason


class Day(NamedTuple):
    """A day of the calendar, of a year that may go without saying."""

    month: int
    day: int
    year: int | None = None

    def not_before(self, earliest: date) -> date:
        """The first such day from a date on; the day itself where the year is said."""
        for year in range(earliest.year, earliest.year + _TRIED):
            with suppress(ValueError):
                found = date(self.year or year, self.month, self.day)
                if self.year or found >= earliest:
                    return found
        raise DateError(phrase("dates.no-such-day"))

    def not_after(self, latest: date) -> date:
        """The last such day up to a date; the day itself where the year is said."""
        for year in range(latest.year, latest.year - _TRIED, -1):
            with suppress(ValueError):
                found = date(self.year or year, self.month, self.day)
                if self.year or found <= latest:
                    return found
        raise DateError(phrase("dates.no-such-day"))


def read_day(text: str, today: date) -> Day:
    """A day as somebody writes it; raises DateError."""
    text = text.strip(" ,;").removesuffix(".") if not _DOTTED.fullmatch(text) else text
    found = _by_name(text.casefold(), today) or _in_numbers(text) or _in_words(text)
    if found is None:
        raise DateError(phrase("dates.unknown", text=text[:LONGEST]))
    with suppress(ValueError):
        date(found.year or _LEAP, found.month, found.day)
        return found
    raise DateError(phrase("dates.no-such-day"))


def _by_name(text: str, today: date) -> Day | None:
    """Today, tomorrow, or the next day of a name; today is never meant by its name."""
    ahead = {"today": 0, "now": 0, "tomorrow": 1, "day after tomorrow": 2}
    name = text.removeprefix("next ")
    if text in ahead:
        then = today + timedelta(days=ahead[text])
    elif name in _WEEKDAYS:
        then = today + timedelta(days=(_WEEKDAYS[name] - today.weekday() - 1) % 7 + 1)
    else:
        return None
    return Day(then.month, then.day, then.year)


def _in_numbers(text: str) -> Day | None:
    """A day in numbers; raises DateError where day and month can be told apart by nobody."""
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
    """A day whose month has its name, in any of the languages."""
    numbers = [int(each) for each in _NUMBER.findall(text)]
    if not numbers or len(text) > LONGEST:
        return None
    import dateparser  # which takes longer to import than most mails to read

    settings = {
        "RELATIVE_BASE": datetime(_LEAP, 1, 1),  # noqa: DTZ001 (a calendar without zones)
        "PARSERS": ["absolute-time"],
        "REQUIRE_PARTS": ["day", "month"],
        "DATE_ORDER": "DMY",
    }
    found = dateparser.parse(text, languages=LANGUAGES, settings=settings)
    year = int(_YEAR.findall(text)[0]) if _YEAR.search(text) else None
    # What it has made of something else than a day and its month.
    if found is None or found.day not in numbers or (year and found.year != year):
        return None
    return Day(found.month, found.day, year)


def _year(text: str | None) -> int | None:
    """A year of two or four digits."""
    if not text:
        return None
    return int(text) if len(text) > len("26") else 2000 + int(text)


def could_be_day(text: str) -> bool:
    """Whether somebody who writes this speaks of a day, well written or not."""
    try:
        read_day(text, date(_LEAP, 1, 1))
    except DateError as error:
        return error.reason.key != "dates.unknown"
    return True
