"""The clock of a match: whose time it charges, and what falls due, in all situations."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from pbem.matches.clock import Clock, PauseReason
from pbem.matches.off_time import ALWAYS, Schedule
from pbem.matches.reminders import HALF, LAST_DAY, Reminders
from pbem.matches.time_control import FLAG
from pbem.matches.time_controls.days import Days
from pbem.matches.zones import Nights

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
ANNA, BERT = 1, 2
UNREACHABLE, CLUB = PauseReason.UNREACHABLE, PauseReason.CLUB
RUNNING = Clock(Days(5)).start(ANNA, START)


def falls(clock: Clock) -> list[tuple[str, float]]:
    """Return what falls due, in hours from the start."""
    return [(str(due.kind), (due.due_at - START) / HOUR) for due in clock.dues]


def at(hours: float) -> datetime:
    return START + HOUR * hours


# Charging time


def test_time_is_charged_to_the_player_of_the_turn() -> None:
    clock = RUNNING.stop(at(5)).start(BERT, at(6)).stop(at(9)).start(ANNA, at(9))
    assert (clock.used(ANNA, at(11)), clock.used(BERT, at(11))) == (7 * HOUR, 3 * HOUR)
    assert (clock.left(ANNA, at(11)), clock.left(BERT, at(11))) == (118 * HOUR, 120 * HOUR)


def test_stopped_clock_does_not_run() -> None:
    stopped = RUNNING.stop(at(5))
    assert (stopped.used(ANNA, at(99)), stopped.dues) == (5 * HOUR, ())
    assert stopped.stop(at(99)) == stopped


def test_unlimited_time_is_counted_and_nothing_falls_due() -> None:
    clock = Clock(Days(0)).start(ANNA, START)
    assert (clock.used(ANNA, at(7)), clock.left(ANNA, at(7))) == (7 * HOUR, None)
    assert (clock.dues, clock.flag_at) == ((), None)


def test_handled_deadline_is_not_due_again_until_the_next_turn() -> None:
    clock = RUNNING.see_to(HALF)
    assert falls(clock) == [("1d", 96), ("flag", 120)]
    assert clock.see_to(FLAG).flag_at is None
    assert falls(clock.start(ANNA, START)) == [("50%", 60), ("1d", 96), ("flag", 120)]


# Pauses


def test_later_deadlines_wait_until_a_paused_clock_resumes() -> None:
    paused = RUNNING.pause(UNREACHABLE, at(70))
    assert falls(paused) == [("50%", 60)], "what fell due before stays due"
    assert paused.left(ANNA, at(500)) == 50 * HOUR
    assert falls(paused.resume(UNREACHABLE, at(80))) == [
        ("50%", 60),
        ("1d", 106),
        ("flag", 130),
    ]


def test_pause_with_two_reasons_ends_with_the_later_one() -> None:
    paused = RUNNING.pause(UNREACHABLE, at(10)).pause(CLUB, at(12))
    one = paused.resume(UNREACHABLE, at(15))
    assert one.flag_at is None
    assert one.resume(CLUB, at(20)).flag_at == at(130)


def test_second_pause_for_the_same_reason_changes_nothing() -> None:
    paused = RUNNING.pause(CLUB, at(1)).pause(CLUB, at(5)).resume(CLUB, at(6))
    assert paused.flag_at == at(125)
    assert paused.resume(CLUB, at(9)) == paused


def test_turn_can_start_paused_and_the_next_has_its_own_clock() -> None:
    paused = Clock(Days(5)).start(ANNA, START, [UNREACHABLE])
    assert falls(paused) == []
    assert paused.resume(UNREACHABLE, at(1)).flag_at == at(121)
    assert paused.start(BERT, at(2)).flag_at == at(122)


# Outages, and a computer clock that goes back


def test_outage_costs_nothing_and_earlier_deadlines_stay() -> None:
    credited = RUNNING.credit(3 * HOUR, after=at(60))
    assert falls(credited) == [("50%", 60), ("1d", 99), ("flag", 123)]
    assert credited.used(ANNA, at(63)) == 60 * HOUR


def test_turn_ends_when_its_email_came_despite_later_charges() -> None:
    down = RUNNING.credit(DAY, after=at(6))
    paused = down.pause(PauseReason.DIRECTOR, at(40)).resume(PauseReason.DIRECTOR, at(50))
    changed = paused.rescheduled(AT_NIGHT, at(55))
    for hour, used in ((1, 1), (6, 6), (20, 6), (31, 7), (45, 16), (52, 18)):
        assert changed.stop(at(hour)).used(ANNA, at(99)) == used * HOUR


def test_outage_adds_nothing_to_a_paused_clock() -> None:
    paused = RUNNING.pause(CLUB, at(1)).credit(3 * HOUR, after=at(2))
    assert paused.resume(CLUB, at(5)).flag_at == at(124)


def test_clock_is_set_back_when_running_paused_or_past_due() -> None:
    due = RUNNING.pause(CLUB, at(70))
    for clock in (RUNNING, due, due.resume(CLUB, at(80))):
        before, after = falls(clock), falls(clock.set_back(HOUR))
        assert after == [(kind, hours - 1) for kind, hours in before]
    assert due.set_back(HOUR).resume(CLUB, at(79)).flag_at == at(129)


# Added time


def test_added_time_brings_back_future_reminders() -> None:
    late = RUNNING.see_to(HALF).see_to(LAST_DAY).see_to(FLAG)
    given = late.extended(2 * DAY, at(123))
    assert falls(given) == [("1d", 147), ("flag", 171)], "two days from now on"
    assert given.account(ANNA).added == 51 * HOUR
    assert given.stop(at(130)).left(ANNA, at(130)) == 5 * DAY, "for that turn alone"
    with pytest.raises(ValueError, match="no limit"):
        Clock(Days(0)).start(ANNA, START).extended(DAY, START)


def test_added_time_brings_no_reminder_that_has_passed() -> None:
    clock = Clock(Days(1)).start(ANNA, START, reminders=Reminders.read("1d"))
    assert falls(clock) == [("flag", 24)], "there never was more than a day"
    assert falls(clock.added(ANNA, HOUR, at(2))) == [("flag", 25)]
    assert falls(clock.added(ANNA, DAY, at(2))) == [("1d", 24), ("flag", 48)]


def test_time_can_be_added_for_a_player_not_to_move() -> None:
    given = RUNNING.added(BERT, DAY, at(1))
    assert (given.left(BERT, at(1)), given.left(ANNA, at(1))) == (6 * DAY, 119 * HOUR)


# Quiet times

AT_NIGHT = Schedule("UTC", nights=Nights.read("22-08"))


def test_nothing_falls_due_at_night() -> None:
    clock = Clock(Days(1)).start(ANNA, at(-1), schedule=AT_NIGHT, reminders=Reminders.read("13h"))
    assert falls(clock) == [("13h", 20), ("flag", 33)], (
        "24 hours by day, from eleven in the morning"
    )
    assert clock.used(ANNA, at(15)) == 11 * HOUR


def test_used_time_stays_used_when_quiet_nights_change() -> None:
    chosen = RUNNING.rescheduled(AT_NIGHT, at(14))
    assert (chosen.used(ANNA, at(14)), chosen.used(ANNA, at(20))) == (14 * HOUR, 14 * HOUR)
    left = chosen.rescheduled(ALWAYS, at(17))
    assert left.used(ANNA, at(20)) == 17 * HOUR
    assert left.flag_at == at(123)


def test_schedule_changed_in_a_pause_counts_from_its_end() -> None:
    paused = RUNNING.pause(CLUB, at(2)).rescheduled(AT_NIGHT, at(4))
    assert paused.resume(CLUB, at(10)).used(ANNA, at(30)) == 12 * HOUR


def test_announced_leave_moves_the_deadline() -> None:
    away = RUNNING.rescheduled(ALWAYS.on_leave(at(24), at(24 * 8)), at(1))
    assert away.flag_at == at(24 * 12)
    back = away.rescheduled(away.schedule.back(at(48)), at(48))
    assert back.flag_at == at(24 * 6)


def test_leave_for_the_past_gives_nothing_back() -> None:
    assert (
        RUNNING.rescheduled(ALWAYS.on_leave(at(0), at(24)), at(20)).used(ANNA, at(24)) == 20 * HOUR
    )


def test_deadline_is_postponed_day_by_day() -> None:
    day_one = RUNNING.see_to(HALF).see_to(LAST_DAY).put_off(at(144))
    assert falls(day_one) == [("flag", 144)]
    assert day_one.left(ANNA, at(130)) == timedelta()
    assert falls(day_one.put_off(at(168))) == [("flag", 168)]
    noted = RUNNING.see_to(HALF).see_to(LAST_DAY).credit(HOUR, after=at(120))
    assert falls(noted.put_off(at(144))) == [("flag", 144)]


def test_clock_with_a_schedule_is_set_back_with_it() -> None:
    clock = Clock(Days(1)).start(ANNA, START, schedule=AT_NIGHT)
    back = clock.set_back(3 * HOUR)
    for now in (at(0), at(9), at(30)):
        left = back.left(ANNA, now)
        assert left is not None
        assert back.used(ANNA, now) + left == DAY


def test_changed_reminders_apply_to_the_future_only() -> None:
    clock = RUNNING.reminded(Reminders.read("10% 2d 6h"), at(80))
    assert falls(clock) == [("6h", 114), ("flag", 120)]


# Moments


ASKED_WITH_A_MOMENT: dict[str, Callable[[datetime], object]] = {
    "start": lambda when: RUNNING.start(BERT, when),
    "stop": RUNNING.stop,
    "pause": lambda when: RUNNING.pause(CLUB, when),
    "resume": lambda when: RUNNING.pause(CLUB, START).resume(CLUB, when),
    "rescheduled": lambda when: RUNNING.rescheduled(ALWAYS, when),
    "credit": lambda when: RUNNING.credit(HOUR, when),
    "spent": RUNNING.spent_at,
}


@pytest.mark.parametrize("asked", ASKED_WITH_A_MOMENT)
def test_naive_datetime_is_refused(asked: str) -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        ASKED_WITH_A_MOMENT[asked](START.replace(tzinfo=None))


# Properties

Pauses = dict[PauseReason, tuple[int, int]]
"""Begin and end of each pause, in seconds."""

seconds = st.integers(0, 20)
spans = st.tuples(seconds, seconds).map(lambda pair: (min(pair), max(pair)))
some_pauses = st.dictionaries(st.sampled_from(list(PauseReason)), spans)


def lived(clock: Clock, pauses: Pauses) -> Clock:
    """Return a clock after all these pauses, in order."""
    begins = [(begin, True, reason) for reason, (begin, _) in pauses.items()]
    ends = [(end, False, reason) for reason, (_, end) in pauses.items()]
    for second, is_begin, reason in sorted((*begins, *ends)):
        change = clock.pause if is_begin else clock.resume
        clock = change(reason, START + SECOND * second)
    return clock


def running_seconds(pauses: Pauses, until: int) -> int:
    """Count the running seconds one by one."""
    return sum(
        not any(begin <= second < end for begin, end in pauses.values()) for second in range(until)
    )


@given(some_pauses, st.integers(20, 30))
def test_second_counts_once_unless_paused_for_any_reason(pauses: Pauses, until: int) -> None:
    whole = {reason: span for reason, span in pauses.items() if span[0] < span[1]}
    clock, now = lived(RUNNING, whole), START + SECOND * until
    spent = clock.spent_at(now)
    assert spent == SECOND * running_seconds(whole, until)
    assert clock.left(ANNA, now) == 5 * DAY - spent
    assert clock.flag_at == now + 5 * DAY - spent
    assert clock.stop(now).used(ANNA, now) == spent


overlapping = st.tuples(st.integers(0, 9), st.integers(10, 20))


@given(st.fixed_dictionaries({UNREACHABLE: overlapping, CLUB: overlapping}), st.data())
def test_order_of_noting_pauses_does_not_matter(pauses: Pauses, data: st.DataObject) -> None:
    clock = RUNNING
    for reason in data.draw(st.permutations(list(pauses))):
        clock = clock.pause(reason, START + SECOND * pauses[reason][0])
    for reason in data.draw(st.permutations(list(pauses))):
        clock = clock.resume(reason, START + SECOND * pauses[reason][1])
    begins, ends = zip(*pauses.values(), strict=True)
    assert clock.flag_at == START + 5 * DAY + SECOND * (max(ends) - min(begins))


@given(st.lists(st.tuples(st.sampled_from((ANNA, BERT)), st.timedeltas(timedelta(), DAY))))
def test_all_time_of_a_match_is_charged_to_a_player(
    turns: list[tuple[int, timedelta]],
) -> None:
    clock, now = Clock(Days(5)), START
    for player, length in turns:
        clock, now = clock.start(player, now), now + length
    for each in (ANNA, BERT):
        theirs = (length for player, length in turns if player == each)
        assert clock.used(each, now) == sum(theirs, timedelta())
