"""Holidays of a club: dates, and countries' public holidays from the library `holidays`.

2026-12-24   2026-12-25/2027-01-01   PL   DE-BY   US-CA
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

LONGEST = 366
"""Maximum days in a row. For a longer break, directors pause the club."""
HOW = 'write dates, such as "2026-12-24" or "2026-12-25/2027-01-01", and countries, such as "PL"'

_COUNTRY = re.compile(r"([A-Za-z]{2})(?:-([\w ]{1,40}))?")
_DAY = timedelta(days=1)

_Source = Callable[[date, date], Iterable[date]]
"""Returns its days between two dates, both included."""


@dataclass(frozen=True)
class ClubHolidays:
    """Holidays of a club, in any year. Satisfies `ports.Holidays`."""

    written: tuple[str, ...]
    sources: tuple[_Source, ...]

    @property
    def key(self) -> str:
        return ",".join(sorted(self.written))

    def within(self, first: date, last: date) -> Sequence[date]:
        return sorted({day for source in self.sources for day in source(first, last)})


def read_holidays(written: Sequence[str]) -> ClubHolidays:
    """Read holidays from the configuration. Raises ValueError."""
    return ClubHolidays(tuple(written), tuple(_source(each.strip()) for each in written))


def _source(text: str) -> _Source:
    if found := _COUNTRY.fullmatch(text):
        return _of_country(found[1].upper(), found[2] or "")
    begin, slash, end = text.partition("/")
    first = _date(begin, text)
    last = _date(end, text) if slash else first
    if last < first:
        raise ValueError(f"{text!r} ends before it begins")
    if (last - first) // _DAY >= LONGEST:
        raise ValueError(
            f"{text!r} has more than {LONGEST} days. For a longer break, use pbem pause club"
        )
    days = [first + _DAY * number for number in range((last - first) // _DAY + 1)]
    return lambda since, until: [day for day in days if since <= day <= until]


def _date(text: str, whole: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise ValueError(f"{whole!r} is not a holiday; {HOW}") from error


def _of_country(country: str, part: str) -> _Source:
    """Return the public holidays of a country or a part of it."""
    import holidays  # slow to import, and few clubs need it

    parts = holidays.list_supported_countries().get(country)
    if parts is None:
        raise ValueError(f"the holidays of {country!r} are unknown; {HOW}")
    own = next((each for each in parts if each.casefold() == part.casefold()), None)
    if part and own is None:
        known = ", ".join(f"{country}-{each}" for each in parts)
        said = f"the known ones are: {known}" if known else f"write only {country}"
        raise ValueError(f"{country} has no region {part!r}; {said}")

    def within(first: date, last: date) -> Iterator[date]:
        years = range(first.year, last.year + 1)
        found = holidays.country_holidays(country, subdiv=own, years=years, expand=False)
        return (day for day in found if first <= day <= last)

    return within
