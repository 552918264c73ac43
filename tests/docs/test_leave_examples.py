"""Test that every example of leave in the documentation is accepted on every day of the year."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pbem.mail.dates.span import read_span
from pbem.matches.leave import Budget, check, leave_for
from pbem.matches.zones import day_at

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
WRITTEN = re.compile(r"`(?:pbem )?leave (?:NAME )?((?:until |\d+ days|\d{4}-)[^`]*)`")
GIVEN = sorted(
    {
        (page.name, text)
        for page in PAGES
        if page.name not in ("CHANGELOG.md", "DECISIONS.md")
        for text in WRITTEN.findall(page.read_text(encoding="utf-8"))
    }
)
DAY = timedelta(days=1)
FIRST = datetime(2027, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(("page", "text"), GIVEN)
def test_every_example_on_a_page_is_accepted_on_every_day(page: str, text: str) -> None:
    for number in range(366):
        at = FIRST + DAY * number
        leave = leave_for(*read_span(text, at.date()), "UTC", at)
        check(leave, "UTC", at)
        assert Budget(30).taken(leave).leaves, (page, at)


days = st.integers(0, 1500).map(lambda number: DAY * number)


@given(
    days, st.integers(0, 40), st.lists(st.tuples(days, st.integers(0, 30)), max_size=3), st.data()
)
def test_example_in_an_email_is_accepted_now(
    since: timedelta, a_year: int, taken: list[tuple[timedelta, int]], data: st.DataObject
) -> None:
    zone = data.draw(st.sampled_from(("UTC", "Pacific/Apia", "America/New_York")))
    at = FIRST + since
    budget = Budget(a_year)
    for start, length in taken:
        first = date(2027, 1, 1) + start
        leave = leave_for(first, first + DAY * length, zone, FIRST)
        budget = budget.taken(leave) if budget.has_room_for(leave) else budget
    wanted = data.draw(st.none() | st.tuples(days, days).map(_dates))
    line = budget.example(zone, at, wanted)
    assert line or not a_year or budget.left(day_at(at, zone).year + 1) == 0 or budget.leaves
    if line:
        leave = leave_for(*read_span(line.removeprefix("leave "), day_at(at, zone)), zone, at)
        check(leave, zone, at)
        assert budget.taken(leave) != budget


def _dates(some: tuple[timedelta, timedelta]) -> tuple[date, date]:
    return date(2027, 1, 1) + some[0], date(2027, 1, 1) + some[1]
