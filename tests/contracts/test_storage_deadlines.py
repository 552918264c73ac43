"""The contract of a storage: deadlines and the heartbeat."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.matches.time_control import DeadlineKind, Due
from pbem.service.ports import Storage, StorageError, UnitOfWork
from tests.support.stored import MINUTE, T0, new_match

HOUR = timedelta(hours=1)


def _dues(*minutes: int) -> list[Due]:
    return [Due(kind, T0 + MINUTE * at) for kind, at in zip(DeadlineKind, minutes, strict=False)]


def _due_minutes(uow: UnitOfWork) -> list[int]:
    due = uow.deadlines.due(T0 + timedelta(days=99))
    return [round((each.due_at - T0) / MINUTE) for each in due]


def test_what_is_due_comes_oldest_first(storage: Storage) -> None:
    first = new_match(storage)
    with storage.writing() as uow:
        second = uow.matches.add(replace(first, id=0))
        uow.deadlines.put(first.id, 3, _dues(10, 20, 30))
        uow.deadlines.put(second.id, 4, _dues(5, 25))
    with storage.reading() as uow:
        due = uow.deadlines.due(T0 + MINUTE * 20)
    told = [(each.match_id, each.turn, each.kind, each.due_at - T0) for each in due]
    assert told == [
        (second.id, 4, DeadlineKind.HALF, MINUTE * 5),
        (first.id, 3, DeadlineKind.HALF, MINUTE * 10),
        (first.id, 3, DeadlineKind.LAST_DAY, MINUTE * 20),
    ]


def test_a_new_turn_takes_the_old_deadlines_away(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        other = uow.matches.add(replace(match, id=0))
        uow.deadlines.put(match.id, 1, _dues(10, 20, 30))
        uow.deadlines.put(other.id, 1, _dues(7))
        uow.deadlines.put(match.id, 2, _dues(40))
        assert _due_minutes(uow) == [7, 40]
        uow.deadlines.put(match.id, 2, _dues(50, 60))
        assert _due_minutes(uow) == [7, 50, 60]
        uow.deadlines.put(match.id, 3, ())
        assert _due_minutes(uow) == [7]


def test_deadlines_are_refused_for_no_match_and_for_a_kind_twice(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.deadlines.put(match.id, 1, _dues(10))
        with pytest.raises(StorageError):
            uow.deadlines.put(match.id + 1, 1, _dues(10))
        with pytest.raises(StorageError):
            uow.deadlines.put(match.id, 2, [*_dues(20), *_dues(30)])
        assert _due_minutes(uow) == [10]


def test_a_deadline_is_done_once_and_its_id_means_nothing_else_later(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.deadlines.put(match.id, 1, _dues(10, 20))
        last = uow.deadlines.due(T0 + HOUR)[-1].id
        assert uow.deadlines.done(last)
        uow.deadlines.put(match.id, 2, _dues(30))
        assert not uow.deadlines.done(last)
        assert _due_minutes(uow) == [30]


def test_the_flag_of_a_match(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        assert uow.deadlines.flag_at(match.id) is None
        uow.deadlines.put(match.id, 1, _dues(10, 20, 30))
        assert uow.deadlines.flag_at(match.id) == T0 + MINUTE * 30
        uow.deadlines.done(uow.deadlines.due(T0 + HOUR)[-1].id)
        assert uow.deadlines.flag_at(match.id) is None


def test_what_is_due_later_is_postponed(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.deadlines.put(match.id, 1, _dues(10, 20, 30))
        assert uow.deadlines.postpone(HOUR, after=T0 + MINUTE * 10) == 2
        assert _due_minutes(uow) == [10, 80, 90]
        assert uow.deadlines.flag_at(match.id) == T0 + MINUTE * 90


# Heartbeat


def test_the_heartbeat_never_goes_back(storage: Storage) -> None:
    with storage.writing() as uow:
        assert (uow.service.last_beat(), uow.service.last_poll()) == (None, None)
        uow.service.beat(T0)
        uow.service.beat(T0 + HOUR)
        uow.service.beat(T0 + MINUTE)
        uow.service.polled(T0 + MINUTE)
        uow.service.polled(T0)
    with storage.reading() as uow:
        assert uow.service.last_beat() == T0 + HOUR
        assert uow.service.last_poll() == T0 + MINUTE


# Clocks that stand


def test_nothing_is_due_while_a_clock_stands(storage: Storage) -> None:
    first = new_match(storage)
    with storage.writing() as uow:
        second = uow.matches.add(replace(first, id=0))
        for match in (first, second):
            uow.deadlines.put(match.id, 1, _dues(10, 20, 30))
        uow.deadlines.stop([first.id], T0 + MINUTE * 15)
        assert _due_minutes(uow) == [10, 10, 20, 30], "what is past due stays so"
        assert uow.deadlines.flag_at(first.id) is None
        assert uow.deadlines.flag_at(second.id) == T0 + MINUTE * 30
        uow.deadlines.go_on([first.id], T0 + MINUTE * 75)
        assert _due_minutes(uow) == [10, 10, 20, 30, 80, 90]
        assert uow.deadlines.flag_at(first.id) == T0 + MINUTE * 90


def test_a_clock_that_stands_already_is_not_stopped_later(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.deadlines.put(match.id, 1, _dues(10))
        uow.deadlines.stop([match.id], T0 + MINUTE)
        uow.deadlines.stop([match.id], T0 + MINUTE * 5)
        uow.deadlines.go_on([match.id], T0 + MINUTE * 6)
        assert _due_minutes(uow) == [15]
        uow.deadlines.go_on([match.id], T0 + MINUTE * 9)
        assert _due_minutes(uow) == [15]


def test_a_turn_can_begin_with_its_clock_stopped(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.deadlines.put(match.id, 1, _dues(10, 20, 30), stopped_at=T0)
        assert _due_minutes(uow) == []
        uow.deadlines.go_on([match.id], T0 + MINUTE)
        assert _due_minutes(uow) == [11, 21, 31]
        uow.deadlines.stop([match.id], T0 + MINUTE)
        uow.deadlines.put(match.id, 2, _dues(5))
        assert _due_minutes(uow) == [5], "the next turn has a clock of its own"


def test_an_outage_moves_no_clock_that_stands(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.deadlines.put(match.id, 1, _dues(10), stopped_at=T0)
        assert uow.deadlines.postpone(HOUR, after=T0) == 0
        uow.deadlines.go_on([match.id], T0 + HOUR)
        assert _due_minutes(uow) == [70]


def test_what_is_due_is_brought_forward(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.deadlines.put(match.id, 1, _dues(70, 80))
        assert uow.deadlines.postpone(-HOUR, after=T0) == 2
        assert _due_minutes(uow) == [10, 20]
