"""A clock as JSON and back: the door between the domain and the column `clock` of a match.

Moments are ISO 8601 in UTC, lengths of time whole microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from pbem.matches.clock import Charge, Clock, PauseReason
from pbem.matches.nights import Nights
from pbem.matches.quiet import ALWAYS, Schedule, Span
from pbem.matches.reminders import USUAL, Reminders
from pbem.matches.rest import Rest
from pbem.matches.time_control import Account, DeadlineKind, Due, TimeControl
from pbem.matches.time_controls import read_control, write_control

MICROSECOND = timedelta(microseconds=1)

_OLD_KINDS = {"half": "50%", "last-day": "1d"}
"""What the usual reminders were called before players chose their own."""


def kind_of(stored: str) -> DeadlineKind:
    """What is due, by the name with which it is or was stored."""
    return DeadlineKind(_OLD_KINDS.get(stored, stored))


def clock_data(clock: Clock) -> dict[str, Any]:
    """A clock as JSON."""
    return {
        "control": write_control(clock.control),
        "accounts": {str(player): _account(each) for player, each in clock.accounts.items()},
        "runs_for": clock.runs_for,
        "since": None if clock.since is None else clock.since.isoformat(),
        "spent": clock.spent // MICROSECOND,
        "pauses": {str(reason): since.isoformat() for reason, since in clock.pauses.items()},
        "fallen": [[str(due.kind), due.due_at.isoformat()] for due in clock.fallen],
        "seen": sorted(clock.seen),
        "schedule": schedule_data(clock.schedule),
        "reminders": str(clock.reminders),
        "rest": _rest(clock.reminders.rest),
        **({"charges": [*map(_charge, clock.charges)]} if clock.charges else {}),
        **({"grace": clock.grace // MICROSECOND} if clock.grace else {}),
    }


def clock_of(data: Mapping[str, Any], agreed: TimeControl) -> Clock:
    """A clock from JSON; a match that had ended before there were clocks has none but agreed."""
    if not data:
        return Clock(agreed)
    return Clock(
        control=read_control(data["control"]),
        accounts={int(player): _account_of(each) for player, each in data["accounts"].items()},
        runs_for=data["runs_for"],
        since=None if data["since"] is None else datetime.fromisoformat(data["since"]),
        spent=data["spent"] * MICROSECOND,
        pauses={
            PauseReason(reason): datetime.fromisoformat(since)
            for reason, since in data["pauses"].items()
        },
        fallen=tuple(
            Due(kind_of(kind), datetime.fromisoformat(due_at)) for kind, due_at in data["fallen"]
        ),
        seen=frozenset(map(kind_of, data["seen"])),
        schedule=schedule_of(data.get("schedule", {})),
        reminders=_reminders_of(data),
        charges=tuple(map(_charge_of, data.get("charges", ()))),
        grace=data.get("grace", 0) * MICROSECOND,
    )


def _rest(rest: Rest | None) -> list[str] | None:
    return None if rest is None else [rest.zone, str(rest.nights)]


def _reminders_of(data: Mapping[str, Any]) -> Reminders:
    """Those of turns that began earlier have less to say."""
    reminders = Reminders.read(data["reminders"]) if "reminders" in data else USUAL
    if not (rest := data.get("rest")):
        return reminders
    zone, nights = rest
    return replace(reminders, rest=Rest(zone, Nights.read(nights)))


def _charge(charge: Charge) -> list[Any]:
    moments = charge.since.isoformat(), charge.until.isoformat()
    return [*moments, charge.spent // MICROSECOND, schedule_data(charge.schedule)]


def _charge_of(data: Sequence[Any]) -> Charge:
    since, until = map(datetime.fromisoformat, data[:2])
    return Charge(since, until, data[2] * MICROSECOND, schedule_of(data[3]))


def _account(account: Account) -> dict[str, Any]:
    return {
        "bank": None if account.bank is None else account.bank // MICROSECOND,
        "used": account.used // MICROSECOND,
        "turns": account.turns,
        "added": account.added // MICROSECOND,
    }


def _account_of(data: Mapping[str, Any]) -> Account:
    bank = data["bank"]
    return Account(
        None if bank is None else bank * MICROSECOND,
        data["used"] * MICROSECOND,
        data["turns"],
        data.get("added", 0) * MICROSECOND,
    )


DAY = timedelta(days=1)


def schedule_data(schedule: Schedule) -> dict[str, Any]:
    """A schedule as JSON."""
    if schedule == ALWAYS:
        return {}
    data = {
        "zone": schedule.zone,
        "weekends": schedule.weekends,
        "nights": None if schedule.nights is None else str(schedule.nights),
        "holidays": [[str(first), str(last)] for first, last in _in_a_row(schedule.holidays)],
        "leaves": [[start.isoformat(), end.isoformat()] for start, end in schedule.leaves],
    }
    return {key: value for key, value in data.items() if value}


def schedule_of(data: Mapping[str, Any]) -> Schedule:
    """A schedule from JSON."""
    if not data:
        return ALWAYS
    nights = data.get("nights")
    return Schedule(
        zone=data["zone"],
        weekends=data.get("weekends", False),
        nights=Nights.read(nights) if nights else None,
        holidays=tuple(_days(data.get("holidays", ()))),
        leaves=tuple(
            Span(datetime.fromisoformat(start), datetime.fromisoformat(end))
            for start, end in data.get("leaves", ())
        ),
    )


def _in_a_row(days: Iterable[date]) -> Iterator[tuple[date, date]]:
    """The first and the last of days that follow each other, for all of them in order."""
    row: tuple[date, date] | None = None
    for day in days:
        if row is not None and row[1] + DAY == day:
            row = (row[0], day)
            continue
        if row is not None:
            yield row
        row = (day, day)
    if row is not None:
        yield row


def _days(rows: Iterable[tuple[str, str]]) -> Iterator[date]:
    """Every day of them."""
    for first, last in rows:
        day, end = date.fromisoformat(first), date.fromisoformat(last)
        while day <= end:
            yield day
            day += DAY
