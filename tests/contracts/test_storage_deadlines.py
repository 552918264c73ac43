"""The contract of a storage: due deadlines, and the heartbeat."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.matches.clock import Clock, PauseReason
from pbem.matches.match import Result
from pbem.matches.reminders import HALF, LAST_DAY
from pbem.matches.time_controls.days import Days
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import MINUTE, T0, a_match, new_match, people

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RESULT = Result((), "draw", {}, T0)
CLOCK = Clock(Days(4)).start(1, T0)


def _due(uow: UnitOfWork, days: int = 99) -> list[tuple[int, str, float]]:
    due = uow.deadlines.due(T0 + DAY * days)
    return [(each.match_id, str(each.kind), (each.due_at - T0) / DAY) for each in due]


def test_due_deadlines_come_oldest_first(storage: Storage) -> None:
    first = new_match(storage)
    with storage.writing() as uow:
        uow.matches.save(replace(first, clock=CLOCK))
        sooner = CLOCK.set_back(DAY / 2)
        second = uow.matches.add(replace(first, id=0, clock=sooner))
    with storage.reading() as uow:
        assert _due(uow, days=3) == [
            (second.id, HALF, 1.5),
            (first.id, HALF, 2),
            (second.id, LAST_DAY, 2.5),
            (first.id, LAST_DAY, 3),
        ]


@pytest.mark.parametrize("locked", (True, False))
def test_due_deadlines_follow_the_clock_however_it_is_saved(storage: Storage, locked: bool) -> None:
    match = new_match(storage)
    earlier = CLOCK.see_to(HALF).set_back(HOUR)
    paused = CLOCK.pause(PauseReason.UNREACHABLE, T0 + DAY * 2)
    with storage.writing() as uow:
        for clock in (CLOCK, earlier, CLOCK, paused, CLOCK, CLOCK.stop(T0)):
            for save in (uow.matches.save, lambda each: uow.matches.save_clocks([each])):
                if locked:
                    uow.matches.lock(match.id)
                save(replace(match, clock=clock))
                assert [due.due_at for due in uow.deadlines.due(T0 + DAY * 99)] == [
                    due.due_at for due in clock.dues
                ]


def test_reminders_are_found_by_player_and_match(storage: Storage) -> None:
    match = new_match(storage)  # it is player 1's turn
    with storage.writing() as uow:
        other = uow.matches.add(replace(match, id=0, clock=CLOCK.set_back(DAY)))
        uow.matches.save(replace(match, clock=CLOCK))
        assert uow.deadlines.reminded(T0 + DAY / 2) == []
        assert uow.deadlines.reminded(T0 + DAY) == [1]
        assert uow.deadlines.of_player(1, T0 + DAY) == [other.id]
        assert uow.deadlines.of_player(1, T0 + DAY * 2) == [match.id, other.id]
        assert uow.deadlines.of_player(2, T0 + DAY * 2) == []
        reminded = CLOCK.see_to(HALF).see_to(LAST_DAY)
        uow.matches.save_clocks([replace(each, clock=reminded) for each in (match, other)])
        assert uow.deadlines.reminded(T0 + DAY * 9) == [], "a flag does not count as a reminder"


def test_clocks_are_saved_without_the_rest_of_their_matches(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.matches.save_clocks([replace(match, clock=CLOCK, turn=7)])
        assert uow.matches.get(match.id) == replace(match, clock=CLOCK)
        uow.matches.save_clocks([])


def test_running_matches_come_in_portions(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob")
        one, over, two, three = (
            uow.matches.add(a_match(players, result=result))
            for result in (None, RESULT, None, None)
        )
        assert [each.id for each in uow.matches.playing(0, 2)] == [one.id, two.id]
        assert uow.matches.playing(two.id, 2) == [three]
        assert uow.matches.playing(three.id, 2) == []
        assert over.result is not None


# Heartbeat


def test_heartbeat_never_goes_back(storage: Storage) -> None:
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


def test_last_poll_is_the_oldest_of_all_intakes(storage: Storage) -> None:
    with storage.writing() as uow:
        uow.service.polled(T0 + HOUR)
        assert uow.service.last_poll(("", "second")) is None
        uow.service.polled(T0 + MINUTE, "second")
        assert uow.service.last_poll(("", "second")) == T0 + MINUTE
        assert uow.service.last_poll() == T0 + HOUR
        assert uow.service.last_poll(()) is None


def test_newest_backup_is_known(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.service.last_backup() is None
        uow.service.backed_up(T0 + HOUR)
        uow.service.backed_up(T0)
        assert uow.service.last_backup() == T0 + HOUR


def test_club_is_held_until_it_resumes(storage: Storage) -> None:
    with storage.writing() as uow:
        uow.service.beat(T0)
        uow.service.hold(T0 + HOUR)
    with storage.writing() as uow:
        assert uow.service.held_since() == T0 + HOUR
        uow.service.go_on()
        assert (uow.service.held_since(), uow.service.last_beat()) == (None, T0)
