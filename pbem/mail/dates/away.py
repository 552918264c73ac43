"""Away: the days in an out-of-office answer.

Anything unclear is left to people, so that an automatic answer cannot start leave on wrong days.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import NamedTuple

from pbem.mail.dates.day import DateError, Day, read_day
from pbem.mail.dates.span import DateSpan

READ = 1000
"""Characters of an automatic answer that are read."""
LOOKED_BACK = 40
"""Characters before a date that may say what it means."""
LONGEST = timedelta(days=366)
DAY = timedelta(days=1)

_ENGLISH = "|".join((*calendar.month_name[1:], *calendar.month_abbr[1:]))
"""English months, which may come before the day."""
_DATE = re.compile(
    r"(?<![\w.])(?:"
    r"\d{4}-\d{1,2}-\d{1,2}"
    r"|\d{1,2}[./]\s?\d{1,2}[./]\s?(?:\d{4}|\d\d)(?!\d)"
    r"|\d{1,2}\.\s?\d{1,2}\.?(?![\d.])"
    r"|\d{1,2}/\d{1,2}(?![\d/])"
    r"|\d{1,2}(?:\.|st|nd|rd|th|er)?\s(?:de\s|of\s)?[^\W\d_]{3,12}\.?(?:,?\s(?:de\s)?\d{4}\b)?"
    rf"|(?:{_ENGLISH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s\d{{4}}\b)?"
    r")",
    re.IGNORECASE,
)

_UNTIL = (
    *("until", "till", "to", "through", "thru", "bis", "do", "au", "jusqu'au", "hasta", "al"),
    *("fino al", "tot", "t/m", "-", "–"),
)
_FROM = (
    *("from", "starting", "beginning", "since", "von", "vom", "ab", "seit", "od", "du", "dès le"),
    *("depuis le", "à partir du", "desde", "del", "dal", "van", "vanaf", "between", "entre"),
)
_BACK = (
    *("back", "return", "returning", "returns", "available again", "wieder", "zurück", "powrotem"),
    *("wracam", "wrócę", "powrót", "de retour", "vuelta", "regreso", "rientro", "terug", "zpět"),
)
_BEHIND = re.compile(
    r"^[^.!?\n]{0,30}\b(?:wieder|zurück|again|back|de retour|terug)\b", re.IGNORECASE
)
"""Words after a date that make it the day of return: `ab dem 4. Januar wieder da`."""


def _one_of(words: Sequence[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_NEAR = r"(?:\s+\w{1,14},?){0,3}\s*$"
"""Articles, weekdays and the like between a word such as `until` and the date."""
_ROLES = {
    "until": re.compile(rf"(?<!\w)(?:{_one_of(_UNTIL)}){_NEAR}", re.IGNORECASE),
    "back": re.compile(rf"(?<!\w)(?:{_one_of(_BACK)}){_NEAR}", re.IGNORECASE),
    "from": re.compile(rf"(?<!\w)(?:{_one_of(_FROM)}){_NEAR}", re.IGNORECASE),
}
_TO = re.compile(rf"\s*(?:{_one_of(_UNTIL)})(?:\s\w{{1,12}},?)?\s*", re.IGNORECASE)
"""Words between two dates that make the first one a start."""
_FIRST = re.compile(
    rf"(?<![\w.])(\d{{1,2}})(?:\.|st|nd|rd|th)?\s*(?:{_one_of(_UNTIL)})\s*$", re.IGNORECASE
)
"""A first day without its month: `20 to 27 December`."""


class _Meant(NamedTuple):
    """A date and its role: `from`, `until`, `back`, or empty."""

    role: str
    day: Day


def days_away(subject: str, text: str, today: date) -> DateSpan | None:
    """Return the days that an answer names, starting today or later, None unless they are clear."""
    for said in (text[:READ], subject):
        with suppress(DateError):
            if (span := _span(_meant(said, today), today)) is not None:
                return span
    return None


def _span(meant: Sequence[_Meant], today: date) -> DateSpan | None:
    ends = {_last(each, today) for each in meant if each.role in ("until", "back")}
    # Many write "until the 3rd, back on the 4th" and mean the same day. A larger gap is unclear.
    if not ends or max(ends) - min(ends) > DAY:
        return None
    last = min(ends)
    starts = {each.day.not_after(last) for each in meant if each.role == "from"}
    loose = (each.day.not_before(today) for each in meant if not each.role)
    if len(starts) > 1 or any(today <= day < last for day in loose):
        return None
    start = max({today, *starts})
    return DateSpan(start, last) if start <= last <= today + LONGEST else None


def _last(meant: _Meant, today: date) -> date:
    day = meant.day.not_before(today)
    return day - DAY if meant.role == "back" else day


def _meant(text: str, today: date) -> Sequence[_Meant]:
    """Return the dates in a text with their roles from the words around them."""
    plain = re.sub(r"[ \t\u00a0]+|\n(?!\n)", " ", text.replace("’", "'"))
    meant: list[_Meant] = []
    end_before = 0
    for found in _DATE.finditer(plain):
        with suppress(DateError):
            day = read_day(found[0], today)
            if meant and _TO.fullmatch(plain[end_before : found.start()]):
                meant[-1] = meant[-1]._replace(role="from")
            before = plain[max(0, found.start() - LOOKED_BACK) : found.start()]
            if first := _FIRST.search(plain[end_before : found.start()][-LOOKED_BACK:]):
                meant.append(_Meant("from", day._replace(day=int(first[1]))))
            meant.append(_Meant(_role(before, plain[found.end() :]), day))
            end_before = found.end()
    return meant


def _role(before: str, behind: str) -> str:
    """Return the role of a date from the words around it. The nearest word counts."""
    found = [
        (match.start(), role) for role, form in _ROLES.items() if (match := form.search(before))
    ]
    role = max(found, default=(0, ""))[1]
    return "back" if role == "from" and _BEHIND.search(behind) else role
