"""Whole clocks: two implementations agree on used time, time left, and running out of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from hypothesis import given, settings, strategies as st

from pbem.matches.clock import Clock, PauseReason
from pbem.matches.off_time import Schedule
from pbem.matches.time_control import FLAG
from pbem.matches.time_controls import read_control
from tests.matches.naive_clock import DAY, Agreement, NaiveClock, NaivePlayer
from tests.matches.naive_time import MINUTE, Rest
from tests.matches.schedules import hard_moment, rests, schedule_of
from tests.matches.zone_files import HARD, ODD
from tests.support.examples import examples

NOTHING = timedelta()

AGREEMENTS = (
    Agreement("days=1", DAY, lambda left, turns: DAY),
    Agreement("none", None, lambda left, turns: NOTHING),
    Agreement("total=3", DAY * 3, lambda left, turns: left),
    Agreement("total=4 double=1", DAY * 4, lambda left, turns: left, double_after=DAY),
    Agreement("total=2 weekends=off", DAY * 2, lambda left, turns: left, weekends=True),
    Agreement("bank=1 inc=1", DAY, lambda left, turns: left + DAY),
    Agreement(
        "bank=2 inc=1 cap=2", DAY * 2, lambda left, turns: max(left, min(left + DAY, DAY * 2))
    ),
    Agreement("turns=2/3", DAY * 3, lambda left, turns: left + DAY * 3 * (turns % 2 == 0)),
    Agreement(
        "turns=2/3 nocarry double=1",
        DAY * 3,
        lambda left, turns: left if turns % 2 else DAY * 3 + min(left, NOTHING),
        double_after=DAY,
    ),
)

REASONS = (PauseReason.UNREACHABLE, PauseReason.DIRECTOR)

lengths = st.sampled_from((0, 7, 90, 700, 1440, 1501, 2880, 3333)).map(lambda count: MINUTE * count)
players = st.sampled_from((1, 2))
reasons = st.sampled_from(REASONS)
events = st.one_of(
    st.just(("move",)),
    st.tuples(st.just("pause"), reasons),
    st.tuples(st.just("resume"), reasons),
    st.tuples(st.just("outage"), st.integers(11, 900).map(lambda minutes: MINUTE * minutes)),
    st.tuples(st.just("other rest"), st.integers(0, 2)),
    st.tuples(st.just("added"), players, st.integers(1, 1500).map(lambda count: MINUTE * count)),
)


@dataclass
class Table:
    """One match on both clocks, moved on together."""

    clock: Clock
    naive: NaiveClock
    schedules: dict[int, Schedule]
    autoleave: int
    falls: list[tuple[int, datetime]]

    @classmethod
    def of(
        cls, agreement: Agreement, start: datetime, rest: Sequence[Rest], autoleave: int
    ) -> Table:
        """Start a match now."""
        schedules = {number: schedule_of(rest[number]) for number in (1, 2)}
        people = {number: NaivePlayer(agreement.opening, rest[number]) for number in (1, 2)}
        clock = Clock(read_control(agreement.text)).start(1, start, schedule=schedules[1])
        naive = NaiveClock(agreement, start, people, 1, autoleave=autoleave)
        return cls(clock, naive, schedules, autoleave, [])

    @property
    def now(self) -> datetime:
        return self.naive.now

    def goes_on(self, time: timedelta) -> None:
        """Let time pass, and handle what is due."""
        self.naive.goes_on(self.now + time)
        self.sees()

    def sees(self) -> None:
        while (due := next(iter(self.clock.dues), None)) and due.due_at <= self.now:
            player = self.clock.runs_for
            assert player is not None
            if due.kind == FLAG and self.autoleave:
                self.autoleave -= 1
                self.clock = self.clock.put_off(due.due_at + DAY)
                self.schedules[player] = self.clock.schedule
                continue
            self.clock = self.clock.see_to(due.kind)
            if due.kind == FLAG:
                self.falls.append((player, due.due_at))

    def happens(self, event: Sequence[object], rest: Sequence[Rest]) -> None:
        match event:
            case ("move",):
                self.naive.moves()
                to_act = self.naive.to_act
                # A director's pause would continue in the next turn.
                clock = self.clock.stop(self.now).resume(PauseReason.DIRECTOR, self.now)
                self.clock = clock.start(to_act, self.now, schedule=self.schedules[to_act])
            case ("pause", PauseReason() as reason):
                self.naive.paused.add(reason)
                self.clock = self.clock.pause(reason, self.now)
            case ("resume", PauseReason() as reason):
                self.naive.paused.discard(reason)
                self.clock = self.clock.resume(reason, self.now)
            case ("outage", timedelta() as gap):
                began, self.naive.down = self.now, True
                self.naive.goes_on(began + gap)
                self.naive.down = False
                self.clock = self.clock.credit(gap, after=began)
            case ("other rest", int(which)):
                to_act = self.naive.to_act
                self.naive.players[to_act].rest = rest[which]
                self.schedules[to_act] = schedule_of(rest[which])
                self.clock = self.clock.rescheduled(self.schedules[to_act], self.now)
            case ("added", int(player), timedelta() as time):
                self.naive.adds(player, time)
                self.clock = self.clock.added(player, time, self.now)
        self.naive.looks()
        self.sees()


@settings(max_examples=examples(30), deadline=None)
@given(st.data())
def test_both_clocks_agree_in_random_matches(data: st.DataObject) -> None:
    zones = st.sampled_from(sorted(set(HARD) - ODD))
    zone = data.draw(zones)
    start = hard_moment(zone) - DAY * data.draw(st.integers(0, 2))
    rest = [
        Rest(),
        data.draw(rests(zone, start)),
        data.draw(rests(data.draw(zones), start)),
    ]
    autoleave = data.draw(st.integers(0, 2))
    table = Table.of(data.draw(st.sampled_from(AGREEMENTS)), start, rest, autoleave)
    table.goes_on(data.draw(lengths))
    for event, wait in data.draw(st.lists(st.tuples(events, lengths), min_size=2, max_size=8)):
        table.happens(event, rest)
        table.goes_on(wait)
    for number, player in table.naive.players.items():
        assert table.clock.used(number, table.now) == player.used
        assert table.clock.left(number, table.now) == player.left
    assert table.falls == table.naive.falls
    table.naive.autoleave, flag_at = 0, table.clock.flag_at
    table.naive.goes_on(table.now + DAY * 3)
    fallen = table.naive.falls[len(table.falls) :]
    soon = flag_at is not None and flag_at <= table.now
    assert fallen == [(table.naive.to_act, flag_at)] * soon
