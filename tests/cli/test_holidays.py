"""Test how the club's holidays are configured."""

from __future__ import annotations

from datetime import date

import pytest

from pbem.adapters.club_holidays import read_holidays


def days(first: date, last: date, *written: str) -> list[str]:
    return [str(day) for day in read_holidays(written).within(first, last)]


NEW_YEAR = date(2026, 12, 20), date(2027, 1, 6)


def test_dates_ranges_and_countries_are_read() -> None:
    assert days(*NEW_YEAR, "2026-12-24") == ["2026-12-24"]
    assert days(*NEW_YEAR, "2026-12-31/2027-01-02") == ["2026-12-31", "2027-01-01", "2027-01-02"]
    assert days(*NEW_YEAR, "de") == ["2026-12-25", "2026-12-26", "2027-01-01"]
    assert days(*NEW_YEAR, "DE-by", "2027-01-01", "2030-01-01") == [
        "2026-12-25",
        "2026-12-26",
        "2027-01-01",
        "2027-01-06",
    ]


@pytest.mark.parametrize(
    ("written", "why"),
    (
        ("24.12.2026", "'24.12.2026' is not a holiday; write dates, such as"),
        ("2026-02-30", "'2026-02-30' is not a holiday"),
        ("2027-01-01/2026-12-25", "ends before it begins"),
        ("2026-01-01/2027-01-02", "more than 366 days"),
        ("XX", "the holidays of 'XX' are unknown"),
        ("DE-ZZ", "DE has no region 'ZZ'; the known ones are: DE-BB"),
    ),
)
def test_invalid_holiday_is_refused(written: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_holidays([written])
