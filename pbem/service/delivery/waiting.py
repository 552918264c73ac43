"""Waiting: the mail that could go now, and which limit holds it up."""

from __future__ import annotations

from typing import NamedTuple

from pbem.ports.outbox import Line
from pbem.service.delivery.claims import room_of
from pbem.service.delivery.rates import Rates, Room
from pbem.service.work import Work


class Waiting(NamedTuple):
    """A line of mails, and why they wait."""

    line: Line
    setting: str
    """The one in `[smtp]` by which none of them may go now; empty: they are about to go."""
    limit: str
    """The same in words."""


def waiting(work: Work) -> list[Waiting]:
    """What waits in line, the most urgent first."""
    room, rates = room_of(work), work.club.policy.rates
    return [Waiting(line, *_limit(rates, room, line)) for line in work.outbox.lines(work.now)]


def _limit(rates: Rates, room: Room, line: Line) -> tuple[str, str]:
    if not room.of_day(line.urgency):
        return "day_rate", f"day_rate = {rates.of_day} in [smtp]"
    if room.left() == 0:
        return "rate", f"rate = {rates.of_all} in [smtp]"
    if room.left(line.domain) == 0:
        limit = f"{rates.of(line.domain)} a minute by domain_rates in [smtp]"
        return "domain_rates", limit
    return "", ""
