"""Clock: whose time runs, how much each player has used, what falls due when, and outages.

Time is charged to the player, never to the seat, and only what counts by the schedule of who is to
act. All moments are UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from pbem.matches.quiet import ALWAYS, Schedule, Span
from pbem.matches.reminders import USUAL, Reminders, falls_in
from pbem.matches.time_control import (
    FLAG,
    NOTHING,
    OVER,
    DeadlineKind,
    Due,
    Fall,
    TimeAccount,
    TimeControl,
)
from pbem.matches.time_controls.days import Days


class PauseReason(StrEnum):
    """Why a clock is paused; it may be for several reasons at once."""

    UNREACHABLE = "unreachable"
    """No address of the player to act accepts mail."""
    DIRECTOR = "director"
    """The director has it so in this match, whoever's turn it is."""
    COMPETITION = "competition"
    """And in all matches of its competition."""
    CLUB = "club"
    """And in all matches of the club."""


INSTANT = timedelta.resolution
"""What lies between a moment and the one right before it."""

ENDS = frozenset({FLAG, OVER})
"""What falls due whatever reminders there are."""

LASTING = frozenset({PauseReason.DIRECTOR, PauseReason.COMPETITION, PauseReason.CLUB})
"""Reasons that go on from turn to turn."""

MOST_CHARGES = 8
"""More times of a turn charged one by one are not kept; mail waits for less."""


class Charge(NamedTuple):
    """A time of a turn that has been charged."""

    since: datetime
    until: datetime
    spent: timedelta
    """What had been used before it."""
    schedule: Schedule


@dataclass(frozen=True)
class Clock:
    """The clock of a match: it runs for one player at most, or is paused in their turn."""

    control: TimeControl = field(default_factory=Days)
    accounts: Mapping[int, TimeAccount] = field(default_factory=dict)
    """Of the players who have completed a turn or were given time, by their numbers."""
    runs_for: int | None = None
    """Number of the player whose turn it is; None for a bot, and after the end."""
    since: datetime | None = None
    """From when on the time of the turn counts that is not yet in `spent`."""
    spent: timedelta = NOTHING
    """What the player has used for the turn up to `since`."""
    charges: tuple[Charge, ...] = ()
    """What `spent` is made of: the turn may have ended before, by a mail that is read later."""
    pauses: Mapping[PauseReason, datetime] = field(default_factory=dict)
    """Reasons for which it is paused now, each with the moment from which on."""
    fallen: tuple[Due, ...] = ()
    """What fell due before a pause or an outage, and waits to be seen to: it moves no more."""
    seen: frozenset[DeadlineKind] = frozenset()
    """What of this turn has been seen to: reminders that were sent, a flag that was reported."""
    schedule: Schedule = ALWAYS
    """What counts of the time from `since` on."""
    reminders: Reminders = USUAL
    """What the player wants to be reminded by in this turn."""
    grace: timedelta = NOTHING
    """How much of the player's time is waited for a late turn, once the flag has fallen."""

    # What it shows

    @property
    def paused_at(self) -> datetime | None:
        """From when on no time is charged; None while it runs."""
        return min(self.pauses.values(), default=None)

    def account(self, player: int) -> TimeAccount:
        """What a player has, without the turn being played."""
        return self.accounts.get(player, TimeAccount(self.control.opening))

    def spent_at(self, at: datetime) -> timedelta:
        """What has been used for the turn being played."""
        at = _utc(at)
        for charge in self.charges:
            if at < charge.until:
                return charge.spent + charge.schedule.counted(charge.since, at)
        return self._charged(_until(at, self.paused_at)).spent

    def used(self, player: int, at: datetime) -> timedelta:
        """What a player has used in the match."""
        used = self.account(player).used
        return used + self.spent_at(at) if player == self.runs_for else used

    def left(self, player: int, at: datetime) -> timedelta | None:
        """What is left of a player's time; None is without a limit."""
        bank = self.account(player).bank
        if bank is None or player != self.runs_for:
            return bank
        return bank - self.control.cost(self.spent_at(at))

    def lasts(self, at: datetime) -> timedelta | None:
        """Return how much of the running turn is left, as its player uses it up; None: no limit.

        Less than `left` if time is going to count twice.
        """
        bank = None if self.runs_for is None else self.account(self.runs_for).bank
        return None if bank is None else self.control.lasting(bank) - self.spent_at(at)

    def ran(self, until: datetime) -> Sequence[Span]:
        """When it has run in the turn being played, quiet times included; not long ago alone."""
        spans = [Span(each.since, each.until) for each in self.charges]
        if self.since is not None:
            spans.append(Span(self.since, _until(_utc(until), self.paused_at)))
        return spans

    @cached_property
    def dues(self) -> tuple[Due, ...]:
        """What falls due in the turn and has not been seen to, unless a pause keeps it off."""
        noted = self if self.paused_at is None else self._noted(self.paused_at)
        coming = self._ahead() if self.paused_at is None else ()
        return tuple(sorted((*noted.fallen, *coming), key=lambda due: due.due_at))

    @property
    def over_at(self) -> datetime | None:
        """When what was agreed for late turns happens; None once it has, and in a pause."""
        last = OVER if self.grace else FLAG
        return next((due.due_at for due in self.dues if due.kind == last), None)

    @property
    def is_over(self) -> bool:
        """Whether that was seen to; a turn that comes late counts all the same."""
        return (OVER if self.grace else FLAG) in self.seen

    @property
    def flag_at(self) -> datetime | None:
        """When the flag falls; None without a limit, once that was reported, and in a pause."""
        flags = (due.due_at for due in self.dues if due.kind == FLAG)
        return next(flags, None)

    def reminded_shortly_before(self, at: datetime) -> bool:
        """Whether a reminder now would be less than a quarter of the time left after the last."""
        flag_at = self.flag_at
        if flag_at is None or self.runs_for is None:
            return False
        every = self._reminds(self._falls(self.runs_for), flag_at)
        sent = (each.due_at for each in every if each.kind in self.seen)
        return any(at - each < (flag_at - each) / 4 for each in sent)

    def had_fallen(self, at: datetime) -> bool:
        """Whether the flag has fallen before a moment, seen to or not."""
        flags = (due for due in self.dues if due.kind == FLAG)
        return FLAG in self.seen or any(due.due_at < at for due in flags)

    # What becomes of it

    def start(
        self,
        player: int,
        at: datetime,
        paused: Iterable[PauseReason] = (),
        schedule: Schedule = ALWAYS,
        reminders: Reminders = USUAL,
        grace: timedelta = NOTHING,
    ) -> Clock:
        """A player's turn begins, perhaps with the clock paused, by their schedule.

        There is as much grace as was agreed, or as is given here if that is more.
        """
        at = _utc(at)
        stopped = self.stop(at)
        pauses = dict.fromkeys((*stopped.pauses, *paused), at)
        return replace(
            stopped,
            runs_for=player,
            since=at,
            pauses=pauses,
            schedule=self._agreed(schedule),
            reminders=reminders,
            grace=max(grace, self.control.grace),
        )

    def stop(self, at: datetime) -> Clock:
        """The turn is over; its time is charged to who played it."""
        if self.runs_for is None:
            return self
        completed = self.control.completed(self.account(self.runs_for), self.spent_at(at))
        return replace(self.dropped(), accounts={**self.accounts, self.runs_for: completed})

    def dropped(self) -> Clock:
        """The turn is taken back: nobody is charged for it. A director's pause goes on."""
        lasting = {each: since for each, since in self.pauses.items() if each in LASTING}
        return Clock(self.control, self.accounts, pauses=lasting)

    def pause(self, reason: PauseReason, at: datetime) -> Clock:
        """No time is charged from a moment on; paused for that reason already, it stays so."""
        if self.runs_for is None and reason not in LASTING:
            return self
        return replace(self, pauses={reason: _utc(at), **self.pauses})

    def resume(self, reason: PauseReason, at: datetime) -> Clock:
        """A reason is gone; once all are, time is charged again."""
        if reason not in self.pauses or self.paused_at is None:
            return self
        others = {other: since for other, since in self.pauses.items() if other != reason}
        if self.since is None:
            return replace(self, pauses=others)
        charged = self._noted(self.paused_at)._charged(self.paused_at)
        return replace(charged, since=max(self.since, _utc(at)), pauses=others)

    def rescheduled(self, schedule: Schedule, at: datetime) -> Clock:
        """From a moment on another schedule; what was used and fell due before stays as it was."""
        at = _until(_utc(at), self.paused_at)
        charged = self._noted(at - INSTANT)._charged(at)
        return replace(charged, schedule=self._agreed(schedule))

    def reminded(self, reminders: Reminders, at: datetime) -> Clock:
        """With other reminders; those that would have been due by now are not sent any more."""
        assert self.runs_for is not None, "it is somebody's turn"
        clock, spent = replace(self, reminders=reminders), self.spent_at(at)
        past = {each.kind for each in clock._falls(self.runs_for) if each.after <= spent}
        wait_for_the_morning = {due.kind for due in self._ahead() if due.due_at > at}
        return replace(clock, seen=self.seen | (past - wait_for_the_morning - ENDS))

    def put_off(self, until: datetime) -> Clock:
        """With leave from the moment at which the flag falls, so that it falls after that leave."""
        flag_at = self.flag_at
        if flag_at is None:
            return self
        fallen = tuple(due for due in self.fallen if due.kind not in ENDS)
        on_leave = self.schedule.on_leave(flag_at, _utc(until))
        return replace(self, fallen=fallen).rescheduled(on_leave, flag_at)

    def extended(self, by: timedelta, at: datetime) -> Clock:
        """Whoever's turn it is has so much more for it, from now on if nothing was left.

        What fell due and now lies ahead falls due again. ValueError where there is no limit.
        """
        assert self.runs_for is not None, "it is somebody's turn"
        left = self.left(self.runs_for, at)
        if left is None:
            raise ValueError("there is no limit")
        return self.added(self.runs_for, by - min(left, NOTHING), at)

    def added(self, player: int, time: timedelta, at: datetime) -> Clock:
        """A player has so much more, in their turn or not; nothing where there is no limit.

        What fell due in their turn and now lies ahead falls due again; reminders that would have
        been due by now are not sent any more.
        """
        account = self.account(player).given(time)
        clock = replace(self, accounts={**self.accounts, player: account})
        if player != self.runs_for:
            return clock
        spent = self.spent_at(at)
        past = {kind for kind, after in clock._falls(player) if after <= spent}
        fallen = tuple(due for due in self.fallen if due.kind in past)
        # Half of the time may be gone of what there is now, and was not of what there was.
        told = past - ENDS - {due.kind for due in fallen}
        return replace(clock, fallen=fallen, seen=self.seen & past | told)

    def handed_over(self, old: int, new: int) -> Clock:
        """Another player goes on with the time that one has left."""
        accounts = {player: each for player, each in self.accounts.items() if player != new}
        if old in accounts:
            accounts[new] = accounts.pop(old)
        runs_for = new if self.runs_for == old else self.runs_for
        return replace(self, accounts=accounts, runs_for=runs_for)

    def credit(self, gap: timedelta, after: datetime) -> Clock:
        """A gap in the life of the service costs no time. What is paused has its time anyway."""
        after, clock = _utc(after), self
        if self.since is not None and not self.pauses:
            charged = self._noted(after)._charged(after)
            assert charged.since is not None, "it runs"
            clock = replace(charged, since=charged.since + gap)
        return clock._with_fallen(gap, after)

    def set_back(self, by: timedelta) -> Clock:
        """The clock of the machine has gone back: all stays as far away as it was."""
        pauses = {reason: since - by for reason, since in self.pauses.items()}
        since = None if self.since is None else self.since - by
        charges = tuple(
            each._replace(since=each.since - by, until=each.until - by) for each in self.charges
        )
        back = replace(self, since=since, charges=charges, pauses=pauses)
        return back._with_fallen(-by)

    def see_to(self, kind: DeadlineKind) -> Clock:
        """What was due has been seen to, once and for all in this turn."""
        fallen = tuple(due for due in self.fallen if due.kind != kind)
        return replace(self, fallen=fallen, seen=self.seen | {kind})

    def _agreed(self, schedule: Schedule) -> Schedule:
        """A schedule with what was agreed for the match."""
        return replace(schedule, weekends=True) if self.control.weekends_off else schedule

    def _charged(self, until: datetime) -> Clock:
        """The same with the time up to a moment charged; what fell due by then is noted before."""
        if self.since is None or until <= self.since:
            return self
        spent = self.spent + self.schedule.counted(self.since, until)
        charges = (*self.charges, Charge(self.since, until, self.spent, self.schedule))
        return replace(self, since=until, spent=spent, charges=charges[-MOST_CHARGES:])

    def _noted(self, until: datetime) -> Clock:
        """The same with what fell due by then noted, so that it moves no more."""
        if self.since is None or until <= self.since:
            return self
        fallen = tuple(due for due in self._ahead() if due.due_at <= until)
        return replace(self, fallen=(*self.fallen, *fallen))

    def _ahead(self) -> Iterator[Due]:
        """What falls due if it runs without a break, what has fallen and been noted left out."""
        if self.since is None or self.runs_for is None:
            return
        known = self.seen.union(due.kind for due in self.fallen)
        falls = self._falls(self.runs_for)
        ends = [Due(kind, self._when(after)) for kind, after in falls if kind in ENDS]
        if ends and FLAG not in known:
            flag_at = ends[0].due_at
            yield from (each for each in self._reminds(falls, flag_at) if each.kind not in known)
        yield from (each for each in ends if each.kind not in known)

    def _reminds(self, falls: Sequence[Fall], flag_at: datetime) -> Iterator[Due]:
        """Yield the reminders of the turn, the last first, whether or not they were sent.

        Of two that would come closer together than a quarter of the time then left, only the
        later one comes: it still leaves more than three quarters of that time.
        """
        later: datetime | None = None
        for kind, after in reversed(falls):
            due_at = None if kind in ENDS else self._reminds_at(after, flag_at)
            if due_at is None:
                continue
            if later is None or later - due_at >= (flag_at - due_at) / 4:
                yield Due(kind, due_at)
                later = due_at

    def _when(self, after: timedelta) -> datetime:
        """When so much has been used for the turn, if it runs without a break."""
        assert self.since is not None, "a turn is being played"
        return self.schedule.when(self.since, after - self.spent)

    def _reminds_at(self, after: timedelta, flag_at: datetime) -> datetime | None:
        """When a reminder comes; None where it is too late for that, in the night of the flag."""
        assert self.since is not None, "a turn is being played"
        due_at, rest = self._when(after), self.reminders.rest
        if rest is not None:
            due_at = rest.instead_of(due_at, flag_at)
        at_once = due_at == self.since and self.spent > NOTHING
        return due_at if due_at > self.since or at_once else None

    def _falls(self, player: int) -> tuple[Fall, ...]:
        """What falls due in a turn of a player, by the time used; nothing without a limit."""
        bank = self.account(player).bank
        if bank is None:
            return ()
        time = self.control.lasting(bank)
        falls = falls_in(time, self.reminders)
        # A player who was late before has the whole grace again.
        return (*falls, Fall(OVER, max(time, NOTHING) + self.grace)) if self.grace else falls

    def _with_fallen(self, by: timedelta, after: datetime | None = None) -> Clock:
        """The same with what fell due moved, where that is after a moment."""
        moved = (
            due._replace(due_at=due.due_at + by) if after is None or due.due_at > after else due
            for due in self.fallen
        )
        return replace(self, fallen=tuple(moved))


def _until(at: datetime, paused_at: datetime | None) -> datetime:
    return at if paused_at is None else min(at, paused_at)


def _utc(at: datetime) -> datetime:
    """The same moment in UTC; ValueError if nobody knows which moment it is."""
    if at.utcoffset() is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(UTC)


OUTAGE = timedelta(minutes=10)
"""A longer gap in the service's heartbeat is an outage, which costs nobody time.

A clock that goes back by more has been put right, or wrong."""


def outage(last_beat: datetime | None, now: datetime) -> timedelta | None:
    """Length of the outage that ends now, None if the service was up."""
    if last_beat is None or now - last_beat <= OUTAGE:
        return None
    return now - last_beat


def gone_back(last_beat: datetime | None, now: datetime) -> timedelta | None:
    """By how much the clock has gone back, None if it has not, or by so little that it passes."""
    return None if last_beat is None else outage(now, last_beat)
