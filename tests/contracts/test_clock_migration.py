"""Revision 0009: clocks are made of what was stored as due, and everything falls due as before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Engine, text

from pbem.adapters.db import SqlStorage, open_engine, upgrade
from pbem.adapters.db.engine import writers
from pbem.adapters.db.migrate import config
from pbem.matches.clock import Clock, PauseReason
from pbem.matches.reminders import HALF, LAST_DAY
from pbem.matches.time_control import FLAG
from pbem.matches.time_controls.days import Days
from tests.support.stored import T0

pytestmark = pytest.mark.thorough

HOUR = timedelta(hours=1)
ANNA, BOT = 1, 2

_MATCH = """
    INSERT INTO matches (id, game_key, rules_version, started_at, actions, turn, turn_started_at,
                         options, to_act, resigned, ended_at)
    VALUES (:id, 'lanko-68', 1, :began, 1, 2, :began, :options, :to_act, '[]', :ended)
"""
_SEAT = """
    INSERT INTO seats (match_id, place, seat, player_id, playing)
    VALUES (:match, :place, :seat, :player, true)
"""
_DEADLINE = """
    INSERT INTO deadlines (match_id, turn, kind, due_at, stopped_at)
    VALUES (:match, 2, :kind, :due, :stopped)
"""
_PERSON = "INSERT INTO players (name, name_key, time_zone) VALUES (:name, :name, 'UTC')"
_ADDRESS = "INSERT INTO addresses (player_id, place, address, address_key) VALUES (:id, 0, :a, :a)"

Rows = tuple[tuple[str, int, int | None], ...]
"""What was due: kind, after how many hours, and since when its clock was stopped."""

ALL: Rows = (("half", 60, None), ("last-day", 96, None), ("flag", 120, None))
LEFT: dict[str, tuple[int, str | None, Rows]] = {
    "runs": (5, "S", ALL),
    "was reminded": (5, "S", ALL[1:]),
    "one day": (1, "S", (("half", 12, None), ("flag", 24, None))),
    "moved by an outage": (5, "S", tuple((kind, hours + 7, None) for kind, hours, _ in ALL)),
    "due before an outage": (5, "S", (ALL[0], ("last-day", 103, None), ("flag", 127, None))),
    "paused": (5, "S", tuple((kind, hours, 10) for kind, hours, _ in ALL)),
    "due before a pause": (5, "S", (ALL[0], ("last-day", 96, 61), ("flag", 120, 61))),
    "out of time": (5, "S", ()),
    "no clock": (0, "S", ()),
    "a bot": (5, "W", ()),
    "over": (5, None, ()),
}
"""Days, who is to act, and what was due."""


@pytest.fixture
def clocks(empty_url: str) -> Iterator[tuple[dict[str, Clock], SqlStorage]]:
    """The clocks of a database of revision 0006, migrated; by what is the matter with each."""
    engine = open_engine(empty_url)
    _fill(engine)
    upgrade(engine)
    with closing(SqlStorage(engine)) as storage:
        with storage.reading() as uow:
            matches = uow.matches.all()
        yield dict(zip(LEFT, (match.clock for match in matches), strict=True)), storage


def _fill(engine: Engine) -> None:
    with writers(engine).begin() as connection:
        command.upgrade(config(connection), "0006")

        def put(statement: str, **values: Any) -> None:
            connection.execute(text(statement), values)

        for number, address in ((ANNA, "anna@example.org"), (BOT, "bot-greedy-2@club.example")):
            put(_PERSON, name=f"p{number}")
            put(_ADDRESS, id=number, a=address)
        for match, (days, to_act, due) in enumerate(LEFT.values(), start=1):
            options = f'{{"days": {days}, "draw_offers": true, "game": {{}}}}'
            ended = None if to_act else _at(1)
            put(_MATCH, id=match, began=_at(0), options=options, to_act=to_act, ended=ended)
            for place, (seat, player) in enumerate((("S", ANNA), ("W", BOT))):
                put(_SEAT, match=match, place=place, seat=seat, player=player)
            for kind, hours, stopped in due:
                since = None if stopped is None else _at(stopped)
                put(_DEADLINE, match=match, kind=kind, due=_at(hours), stopped=since)


def _at(hours: int) -> str:
    return f"{T0 + HOUR * hours:%Y-%m-%d %H:%M:%S.%f}"


OLD_NAMES = {HALF: "half", LAST_DAY: "last-day"}


def falls(clock: Clock) -> list[tuple[str, float]]:
    """What falls due, by the names of then."""
    return [(OLD_NAMES.get(due.kind, due.kind), (due.due_at - T0) / HOUR) for due in clock.dues]


Made = dict[str, Clock]


def test_a_clock_says_what_was_stored_as_due(clocks: tuple[Made, SqlStorage]) -> None:
    """One test, since each would migrate a database."""
    made, storage = clocks
    everything_falls_due_as_it_did(made, storage)
    paused_it_goes_on_where_it_was(made)
    what_was_told_is_not_told_again(made)
    time_runs_for_people_alone(made)


def everything_falls_due_as_it_did(made: Made, storage: SqlStorage) -> None:
    for name, (_, _, due) in LEFT.items():
        running = [(kind, hours) for kind, hours, stopped in due if stopped is None]
        assert falls(made[name]) == running, name
    with storage.reading() as uow:
        due_by_then = uow.deadlines.due(T0 + timedelta(days=99))
    indexed = {(each.match_id, str(each.kind), each.due_at) for each in due_by_then}
    of_clocks = {
        (match, str(due.kind), due.due_at)
        for match, clock in enumerate(made.values(), start=1)
        for due in clock.dues
    }
    assert indexed == of_clocks


def paused_it_goes_on_where_it_was(made: Made) -> None:
    resumed = made["paused"].resume(PauseReason.UNREACHABLE, T0 + HOUR * 30)
    assert falls(resumed) == [("half", 80), ("last-day", 116), ("flag", 140)]
    resumed = made["due before a pause"].resume(PauseReason.UNREACHABLE, T0 + HOUR * 71)
    assert falls(resumed) == [("half", 60), ("last-day", 106), ("flag", 130)]


def what_was_told_is_not_told_again(made: Made) -> None:
    assert made["was reminded"].seen == {HALF}
    assert made["one day"].seen == frozenset()
    assert made["out of time"].seen == {HALF, LAST_DAY, FLAG}
    later = made["out of time"].set_back(HOUR)
    assert later.dues == ()


def time_runs_for_people_alone(made: Made) -> None:
    assert made["a bot"] == Clock(Days(5))
    assert made["over"] == Clock(Days(5))
    assert made["no clock"].used(ANNA, T0 + HOUR) == HOUR
    assert made["out of time"].used(ANNA, T0 + HOUR * 130) == HOUR * 130
    assert made["moved by an outage"].used(ANNA, T0 + HOUR * 10) == HOUR * 3
