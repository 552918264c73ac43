"""Reminders as members choose them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.games.api import OptionError
from pbem.matches.reminders import USUAL, Reminders, falls_in

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "printed"),
    (
        ("50% 1d", str(USUAL)),
        ("50%, 2D 48h 6h", "50% 2d 6h"),
        ("None", "none"),
        ("50 % 2 days, 6 hours", "50% 2d 6h"),
    ),
)
def test_reminders_are_read_and_printed(text: str, printed: str) -> None:
    assert str(Reminders.read(text)) == printed
    assert Reminders.read(printed) == Reminders.read(text)


@pytest.mark.parametrize(
    "text", ("", "0%", "100%", "2", "d", "4000d", "none 2d", "1h 2h 3h 4h 5h 6h")
)
def test_invalid_reminder_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match=r"reminder"):
        Reminders.read(text)


@pytest.mark.parametrize(
    ("text", "time", "hours"),
    (
        ("50% 2d 6h", DAY * 5, {"50%": 60, "2d": 72, "6h": 114, "flag": 120}),
        ("6h 80%", DAY, {"6h": 18, "80%": 19.2, "flag": 24}),
        ("50% 2d 12h", DAY, {"12h": 12, "flag": 24}),
        ("none", DAY, {"flag": 24}),
        ("50% 1d", -DAY, {"flag": -24}),
    ),
)
def test_reminders_fall_due_in_a_turn(text: str, time: timedelta, hours: dict[str, float]) -> None:
    falls = falls_in(time, Reminders.read(text))
    assert {str(kind): after / HOUR for kind, after in falls} == hours
    assert [str(kind) for kind, _ in falls] == list(hours)
