"""Clock: whose time runs, how much each player has used, deadlines and outages.

Time is charged to the player, never to the seat, and only if it counts in the schedule of the
player to act. All moments are in UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from pbem.matches.off_time import ALWAYS, Schedule, Span
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
    """Why a clock is paused. There may be several reasons at once."""

    UNREACHABLE = "unreachable"
    """No address of the player to act accepts email."""
    DIRECTOR = "director"
    """The director paused this match, whoever's turn it is."""
    COMPETITION = "competition"
    """The director paused all matches of the competition."""
    CLUB = "club"
    """The director paused all matches of the club."""
    GAME = "game"
    """The game is not installed, or does not know the rules of this match."""


INSTANT = timedelta.resolution
"""Smallest step from one moment to the next."""

ENDS = frozenset({FLAG, OVER})
"""Deadlines that do not depend on the reminders."""

LASTING = frozenset(
    {PauseReason.DIRECTOR, PauseReason.COMPETITION, PauseReason.CLUB, PauseReason.GAME}
)
"""Reasons that last from turn to turn."""

MOST_CHARGES = 8
"""Number of charges kept for a turn. No email waits long enough to need more."""


class Charge(NamedTuple):
    """A period of a turn that has been charged."""

    since: datetime
    until: datetime
    spent: timedelta
    """Time used before this period."""
    schedule: Schedule


@dataclass(frozen=True)
class Clock:
    """The clock of a match. It runs for one player at most, or is paused in their turn."""

    control: TimeControl = field(default_factory=Days)
    accounts: Mapping[int, TimeAccount] = field(default_factory=dict)
    """Accounts of the players who completed a turn or were given time, by player number."""
    runs_for: int | None = None
    """Number of the player whose turn it is. None for a bot, and after the end."""
    since: datetime | None = None
    """Start of the time that is not yet in `spent`."""
    spent: timedelta = NOTHING
    """Time the player used for the turn before `since`."""
    charges: tuple[Charge, ...] = ()
    """Periods that make up `spent`. An email that is read later may end the turn within them."""
    pauses: Mapping[PauseReason, datetime] = field(default_factory=dict)
    """Current reasons for a pause, each with its start."""
    fallen: tuple[Due, ...] = ()
    """Deadlines that passed before a pause or an outage and wait to be handled. They never move."""
    seen: frozenset[DeadlineKind] = frozenset()
    """Deadlines of this turn that were handled: reminders sent, a flag reported."""
    schedule: Schedule = ALWAYS
    """Schedule for the time from `since` on."""
    reminders: Reminders = USUAL
    """The reminders the player wants in this turn."""
    grace: timedelta = NOTHING
    """Time for a late turn after the flag falls, in the player's counted time."""

    # Reading the clock

    @property
    def paused_at(self) -> datetime | None:
        """When charging stopped, None while the clock runs."""
        return min(self.pauses.values(), default=None)

    def account(self, player: int) -> TimeAccount:
        """Return a player's account without the current turn."""
        return self.accounts.get(player, TimeAccount(self.control.opening))

    def spent_at(self, at: datetime) -> timedelta:
        """Return the time used for the current turn."""
        at = _utc(at)
        for charge in self.charges:
            if at < charge.until:
                return charge.spent + charge.schedule.counted(charge.since, at)
        return self._charged(_until(at, self.paused_at)).spent

    def used(self, player: int, at: datetime) -> timedelta:
        """Return the time a player has used in the match."""
        used = self.account(player).used
        return used + self.spent_at(at) if player == self.runs_for else used

    def left(self, player: int, at: datetime) -> timedelta | None:
        """Return the time a player has left, None without a limit."""
        bank = self.account(player).bank
        if bank is None or player != self.runs_for:
            return bank
        return bank - self.control.cost(self.spent_at(at))

    def lasts(self, at: datetime) -> timedelta | None:
        """Return how much more time the current turn may use, None without a limit.

        Less than `left` if time will count double.
        """
        bank = None if self.runs_for is None else self.account(self.runs_for).bank
        return None if bank is None else self.control.lasting(bank) - self.spent_at(at)

    def ran(self, until: datetime) -> Sequence[Span]:
        """Return when it ran in this turn, including uncharged time. Old periods are not kept."""
        spans = [Span(each.since, each.until) for each in self.charges]
        if self.since is not None:
            spans.append(Span(self.since, _until(_utc(until), self.paused_at)))
        return spans

    @cached_property
    def dues(self) -> tuple[Due, ...]:
        """Deadlines of the turn that were not handled and that no pause holds back."""
        noted = self if self.paused_at is None else self._noted(self.paused_at)
        coming = self._ahead() if self.paused_at is None else ()
        return tuple(sorted((*noted.fallen, *coming), key=lambda due: due.due_at))

    @property
    def over_at(self) -> datetime | None:
        """When a late turn has the agreed consequence. None once handled, and in a pause."""
        last = OVER if self.grace else FLAG
        return next((due.due_at for due in self.dues if due.kind == last), None)

    @property
    def is_over(self) -> bool:
        """Whether the consequence of a late turn was handled. A later turn still counts."""
        return (OVER if self.grace else FLAG) in self.seen

    @property
    def flag_at(self) -> datetime | None:
        """When the flag falls. None without a limit, once it is reported, and in a pause."""
        flags = (due.due_at for due in self.dues if due.kind == FLAG)
        return next(flags, None)

    def reminded_shortly_before(self, at: datetime) -> bool:
        """Return whether a reminder now would come too soon after the last one.

        That is less than a quarter of the time that was left then.
        """
        flag_at = self.flag_at
        if flag_at is None or self.runs_for is None:
            return False
        every = self._reminds(self._falls(self.runs_for), flag_at)
        sent = (each.due_at for each in every if each.kind in self.seen)
        return any(at - each < (flag_at - each) / 4 for each in sent)

    def had_fallen(self, at: datetime) -> bool:
        """Return whether the flag fell before a moment, handled or not."""
        flags = (due for due in self.dues if due.kind == FLAG)
        return FLAG in self.seen or any(due.due_at < at for due in flags)

    # Changing the clock

    def start(
        self,
        player: int,
        at: datetime,
        paused: Iterable[PauseReason] = (),
        schedule: Schedule = ALWAYS,
        reminders: Reminders = USUAL,
        grace: timedelta = NOTHING,
    ) -> Clock:
        """Start a player's turn by their schedule, perhaps with the clock paused.

        The grace is what was agreed, or what is given here if that is more.
        """
        started = self.stop(at)._running(player, at, paused, schedule, grace)
        return replace(started, reminders=reminders)

    def stop(self, at: datetime) -> Clock:
        """End the turn and charge its time to its player."""
        if self.runs_for is None:
            return self
        completed = self.control.completed(self.account(self.runs_for), self.spent_at(at))
        return replace(self.dropped(), accounts={**self.accounts, self.runs_for: completed})

    def halted(self, at: datetime) -> Clock:
        """Return the turn with the time used so far, to `proceed` later. Keep a director's pause.

        The player's schedule and reminders are not kept.
        """
        own = frozenset({PauseReason.DIRECTOR})
        pauses = {each: since for each, since in self.pauses.items() if each in own}
        return Clock(
            self.control,
            self.accounts,
            self.runs_for,
            spent=self.spent_at(at),
            pauses=pauses,
            seen=self.seen,
            grace=self.grace,
        )

    def proceed(
        self,
        player: int,
        at: datetime,
        paused: Iterable[PauseReason] = (),
        schedule: Schedule = ALWAYS,
        reminders: Reminders = USUAL,
        grace: timedelta = NOTHING,
    ) -> Clock:
        """Let a halted turn continue, with the time already used. Otherwise do as `start`."""
        return self._running(player, at, paused, schedule, grace).reminded(reminders, at)

    def _running(
        self,
        player: int,
        at: datetime,
        paused: Iterable[PauseReason],
        schedule: Schedule,
        grace: timedelta,
    ) -> Clock:
        at = _utc(at)
        return replace(
            self,
            runs_for=player,
            since=at,
            pauses=dict.fromkeys((*self.pauses, *paused), at),
            schedule=self._agreed(schedule),
            grace=max(grace, self.control.grace),
        )

    def dropped(self) -> Clock:
        """Take back the turn without charging anyone. A director's pause continues."""
        lasting = {each: since for each, since in self.pauses.items() if each in LASTING}
        return Clock(self.control, self.accounts, pauses=lasting)

    def pause(self, reason: PauseReason, at: datetime) -> Clock:
        """Stop charging time from a moment. If already paused for this reason, change nothing."""
        if self.runs_for is None and reason not in LASTING:
            return self
        return replace(self, pauses={reason: _utc(at), **self.pauses})

    def resume(self, reason: PauseReason, at: datetime) -> Clock:
        """Remove a reason for the pause. Once all are gone, time is charged again."""
        if reason not in self.pauses or self.paused_at is None:
            return self
        others = {other: since for other, since in self.pauses.items() if other != reason}
        if self.since is None:
            return replace(self, pauses=others)
        charged = self._noted(self.paused_at)._charged(self.paused_at)
        return replace(charged, since=max(self.since, _utc(at)), pauses=others)

    def rescheduled(self, schedule: Schedule, at: datetime) -> Clock:
        """Change the schedule from a moment on. Earlier time and deadlines stay as they were."""
        at = _until(_utc(at), self.paused_at)
        charged = self._noted(at - INSTANT)._charged(at)
        return replace(charged, schedule=self._agreed(schedule))

    def reminded(self, reminders: Reminders, at: datetime) -> Clock:
        """Change the reminders. Those that would already be due are not sent."""
        assert self.runs_for is not None, "it is somebody's turn"
        clock, spent = replace(self, reminders=reminders), self.spent_at(at)
        past = {each.kind for each in clock._falls(self.runs_for) if each.after <= spent}
        wait_for_the_morning = {due.kind for due in self._ahead() if due.due_at > at}
        return replace(clock, seen=self.seen | (past - wait_for_the_morning - ENDS))

    def put_off(self, until: datetime) -> Clock:
        """Add leave from the moment the flag falls, so that it falls after that leave."""
        flag_at = self.flag_at
        if flag_at is None:
            return self
        fallen = tuple(due for due in self.fallen if due.kind not in ENDS)
        on_leave = self.schedule.on_leave(flag_at, _utc(until))
        return replace(self, fallen=fallen).rescheduled(on_leave, flag_at)

    def extended(self, by: timedelta, at: datetime) -> Clock:
        """Give the player to act more time for the turn, from now on if none was left.

        Deadlines that passed and are now ahead fall due again. Raises ValueError without a limit.
        """
        assert self.runs_for is not None, "it is somebody's turn"
        left = self.left(self.runs_for, at)
        if left is None:
            raise ValueError("there is no limit")
        return self.added(self.runs_for, by - min(left, NOTHING), at)

    def added(self, player: int, time: timedelta, at: datetime) -> Clock:
        """Give a player more time, in their turn or not. Do nothing without a limit.

        Deadlines of their turn that passed and are now ahead fall due again. Reminders that would
        already be due are not sent.
        """
        account = self.account(player).given(time)
        clock = replace(self, accounts={**self.accounts, player: account})
        if player != self.runs_for:
            return clock
        spent = self.spent_at(at)
        past = {kind for kind, after in clock._falls(player) if after <= spent}
        fallen = tuple(due for due in self.fallen if due.kind in past)
        # Half of the new time may be gone even if half of the old time was not.
        told = past - ENDS - {due.kind for due in fallen}
        return replace(clock, fallen=fallen, seen=self.seen & past | told)

    def handed_over(self, old: int, new: int) -> Clock:
        """Let another player continue with the time that a player has left."""
        accounts = {player: each for player, each in self.accounts.items() if player != new}
        if old in accounts:
            accounts[new] = accounts.pop(old)
        runs_for = new if self.runs_for == old else self.runs_for
        return replace(self, accounts=accounts, runs_for=runs_for)

    def credit(self, gap: timedelta, after: datetime) -> Clock:
        """Make a gap in the service cost no time. A paused clock loses none anyway."""
        after, clock = _utc(after), self
        if self.since is not None and not self.pauses:
            charged = self._noted(after)._charged(after)
            assert charged.since is not None, "it runs"
            clock = replace(charged, since=charged.since + gap)
        return clock._with_fallen(gap, after)

    def set_back(self, by: timedelta) -> Clock:
        """Follow a machine whose clock went back: everything stays as far away as it was."""
        pauses = {reason: since - by for reason, since in self.pauses.items()}
        since = None if self.since is None else self.since - by
        charges = tuple(
            each._replace(since=each.since - by, until=each.until - by) for each in self.charges
        )
        back = replace(self, since=since, charges=charges, pauses=pauses)
        return back._with_fallen(-by)

    def see_to(self, kind: DeadlineKind) -> Clock:
        """Mark a deadline of this turn as handled for good."""
        fallen = tuple(due for due in self.fallen if due.kind != kind)
        return replace(self, fallen=fallen, seen=self.seen | {kind})

    def _agreed(self, schedule: Schedule) -> Schedule:
        """Return a schedule with what was agreed for the match."""
        return replace(schedule, weekends=True) if self.control.weekends_off else schedule

    def _charged(self, until: datetime) -> Clock:
        """Return the clock with time charged up to a moment. Note earlier deadlines first."""
        if self.since is None or until <= self.since:
            return self
        spent = self.spent + self.schedule.counted(self.since, until)
        charges = (*self.charges, Charge(self.since, until, self.spent, self.schedule))
        return replace(self, since=until, spent=spent, charges=charges[-MOST_CHARGES:])

    def _noted(self, until: datetime) -> Clock:
        """Return the clock with the deadlines up to a moment noted, so that they stay fixed."""
        if self.since is None or until <= self.since:
            return self
        fallen = tuple(due for due in self._ahead() if due.due_at <= until)
        return replace(self, fallen=(*self.fallen, *fallen))

    def _ahead(self) -> Iterator[Due]:
        """Yield the deadlines ahead if it runs without a break, except those already noted."""
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

        If two are closer together than a quarter of the time then left, only the later one comes.
        It still leaves more than three quarters of that time.
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
        """Return when this much will be used for the turn, if it runs without a break."""
        assert self.since is not None, "a turn is being played"
        return self.schedule.when(self.since, after - self.spent)

    def _reminds_at(self, after: timedelta, flag_at: datetime) -> datetime | None:
        """Return when a reminder comes. None if it is too late, in the night of the flag."""
        assert self.since is not None, "a turn is being played"
        due_at, rest = self._when(after), self.reminders.rest
        if rest is not None:
            due_at = rest.instead_of(due_at, flag_at)
        at_once = due_at == self.since and self.spent > NOTHING
        return due_at if due_at > self.since or at_once else None

    def _falls(self, player: int) -> tuple[Fall, ...]:
        """Return the deadlines of a player's turn by time used. Empty without a limit."""
        bank = self.account(player).bank
        if bank is None:
            return ()
        time = self.control.lasting(bank)
        falls = falls_in(time, self.reminders)
        # A player who was already late has the whole grace again.
        return (*falls, Fall(OVER, max(time, NOTHING) + self.grace)) if self.grace else falls

    def _with_fallen(self, by: timedelta, after: datetime | None = None) -> Clock:
        """Return the clock with noted deadlines moved, if they are after a moment."""
        moved = (
            due._replace(due_at=due.due_at + by) if after is None or due.due_at > after else due
            for due in self.fallen
        )
        return replace(self, fallen=tuple(moved))


def _until(at: datetime, paused_at: datetime | None) -> datetime:
    return at if paused_at is None else min(at, paused_at)


def _utc(at: datetime) -> datetime:
    """Return a moment in UTC. Raises ValueError if it has no time zone."""
    if at.utcoffset() is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(UTC)


OUTAGE = timedelta(minutes=10)
"""A longer gap in the service's heartbeat is an outage, which costs nobody time.

If the machine's clock goes back by more, it was corrected or set wrong.
"""


def outage(last_beat: datetime | None, now: datetime) -> timedelta | None:
    """Return the length of the outage that ends now, None if the service was up."""
    if last_beat is None or now - last_beat <= OUTAGE:
        return None
    return now - last_beat


def clock_rollback(last_beat: datetime | None, now: datetime) -> timedelta | None:
    """Return how far the clock went back, None if it did not or only by a little."""
    return None if last_beat is None else outage(now, last_beat)
