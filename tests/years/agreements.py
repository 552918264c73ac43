"""Time controls in plain numbers, and the total time under them."""

from __future__ import annotations

from tests.years.naive_table import Agreement, Refill
from tests.years.naive_time import DAY, HOUR


def _turns(count: int, days: int, *, carry: bool = True) -> Refill:
    def refill(left: float, turns: int) -> float:
        if turns % count:
            return left
        return days * DAY + (left if carry else min(left, 0))

    return refill


def _bank(days: int, cap: int) -> Refill:
    return lambda left, turns: max(left, min(left + days * DAY, cap * DAY))


AGREEMENTS = (
    Agreement("days=3", 3 * DAY, lambda left, turns: 3 * DAY),
    Agreement("days=1 grace=12h", DAY, lambda left, turns: DAY, grace=12 * HOUR),
    Agreement("days=5 weekends=off", 5 * DAY, lambda left, turns: 5 * DAY, weekends=True),
    Agreement("none", None, lambda left, turns: 0),
    Agreement("total=60", 60 * DAY, lambda left, turns: left),
    Agreement("total=20 grace=2d", 20 * DAY, lambda left, turns: left, grace=2 * DAY),
    Agreement("total=40 double=4", 40 * DAY, lambda left, turns: left, double_after=4 * DAY),
    Agreement("bank=10 inc=2", 10 * DAY, _bank(2, 9999)),
    Agreement("bank=6 inc=3 cap=8 weekends=off", 6 * DAY, _bank(3, 8), weekends=True),
    Agreement("turns=3/12", 12 * DAY, _turns(3, 12)),
    Agreement(
        "turns=1/8 nocarry double=2 grace=1d",
        8 * DAY,
        _turns(1, 8, carry=False),
        double_after=2 * DAY,
        grace=DAY,
    ),
)


def given(agreement: Agreement, turns: int) -> int | None:
    """Return the time given over some turns if none of it can be lost, otherwise None."""
    if agreement.opening is None or agreement.double_after < DAY * 9999:
        return None
    key = agreement.text.split("=")[0]
    if key == "total":
        return agreement.opening
    if agreement.text.startswith("bank=10"):
        return agreement.opening + turns * 2 * DAY
    if agreement.text == "turns=3/12":
        return agreement.opening * (1 + turns // 3)
    return None
