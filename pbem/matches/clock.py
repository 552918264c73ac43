"""Clock: whose time runs in a match, how much each player has used, and what falls due when.

Time is charged to the player, never to the seat. All moments are UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from pbem.matches.time_control import Account, DeadlineKind, Due, TimeControl
from pbem.matches.time_controls.days import Days

NONE = timedelta()


class PauseReason(StrEnum):
    """Why a clock is paused; it may be for several reasons at once."""

    UNREACHABLE = "unreachable"
    """No address of the player to act accepts mail."""
    LEAVE = "leave"
    NIGHT = "night"
    DIRECTOR = "director"
    """The director has it so, whoever's turn it is."""


LASTING = frozenset({PauseReason.DIRECTOR})
"""Reasons that go on from turn to turn."""


@dataclass(frozen=True)
class Clock:
    """The clock of a match: it runs for one player at most, or is paused in their turn."""

    control: TimeControl = field(default_factory=Days)
    accounts: Mapping[int, Account] = field(default_factory=dict)
    """Of the players who have completed a turn or were given time, by their numbers."""
    runs_for: int | None = None
    """Number of the player whose turn it is; None for a bot, and after the end."""
    since: datetime | None = None
    """From when on the time of the turn counts that is not yet in `spent`."""
    spent: timedelta = NONE
    """What the player has used for the turn up to `since`."""
    pauses: Mapping[PauseReason, datetime] = field(default_factory=dict)
    """Reasons for which it is paused now, each with the moment from which on."""
    fallen: tuple[Due, ...] = ()
    """What fell due before a pause or an outage, and waits to be seen to: it moves no more."""
    seen: frozenset[DeadlineKind] = frozenset()
    """What of this turn has been seen to: reminders that were sent, a flag that was reported."""

    # What it shows

    @property
    def paused_at(self) -> datetime | None:
        """From when on no time is charged; None while it runs."""
        return min(self.pauses.values(), default=None)

    def account(self, player: int) -> Account:
        """What a player has, without the turn being played."""
        return self.accounts.get(player, self.control.opening)

    def spent_at(self, at: datetime) -> timedelta:
        """What has been used for the turn being played."""
        return self._charged(_until(_utc(at), self.paused_at)).spent

    def used(self, player: int, at: datetime) -> timedelta:
        """What a player has used in the match."""
        used = self.account(player).used
        return used + self.spent_at(at) if player == self.runs_for else used

    def left(self, player: int, at: datetime) -> timedelta | None:
        """What is left of a player's time; None is without a limit."""
        spent = self.spent_at(at) if player == self.runs_for else NONE
        return self.control.left(self.account(player), spent)

    def dues(self) -> tuple[Due, ...]:
        """What falls due in the turn and has not been seen to, unless a pause keeps it off."""
        paused_at = self.paused_at
        coming = (due for due in self._ahead() if paused_at is None or due.due_at <= paused_at)
        return tuple(sorted((*self.fallen, *coming), key=lambda due: due.due_at))

    @property
    def flag_at(self) -> datetime | None:
        """When the flag falls; None without a limit, once that was reported, and in a pause."""
        flags = (due.due_at for due in self.dues() if due.kind is DeadlineKind.FLAG)
        return next(flags, None)

    # What becomes of it

    def start(self, player: int, at: datetime, paused: Iterable[PauseReason] = ()) -> Clock:
        """A player's turn begins, perhaps with the clock paused."""
        at = _utc(at)
        stopped = self.stop(at)
        pauses = dict.fromkeys((*stopped.pauses, *paused), at)
        return replace(stopped, runs_for=player, since=at, pauses=pauses)

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
        charged = self._charged(self.paused_at)
        return replace(charged, since=max(self.since, _utc(at)), pauses=others)

    def extended(self, by: timedelta, at: datetime) -> Clock:
        """Whoever's turn it is has so much more for it, from now on if nothing was left.

        What fell due and now lies ahead falls due again. ValueError where there is no limit.
        """
        assert self.runs_for is not None, "it is somebody's turn"
        left, account = self.left(self.runs_for, at), self.account(self.runs_for)
        if left is None or account.bank is None:
            raise ValueError("there is no limit")
        account = account._replace(bank=account.bank + by - min(left, NONE))
        spent = self.spent_at(at)
        past = {kind for kind, after in self.control.falls(account) if after <= spent}
        return replace(
            self,
            accounts={**self.accounts, self.runs_for: account},
            fallen=tuple(due for due in self.fallen if due.kind in past),
            seen=self.seen & past,
        )

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
            charged = self._charged(after)
            assert charged.since is not None, "it runs"
            clock = replace(charged, since=charged.since + gap)
        return clock._with_fallen(gap, after)

    def set_back(self, by: timedelta) -> Clock:
        """The clock of the machine has gone back: all stays as far away as it was."""
        pauses = {reason: since - by for reason, since in self.pauses.items()}
        since = None if self.since is None else self.since - by
        return replace(self, since=since, pauses=pauses)._with_fallen(-by)

    def see_to(self, kind: DeadlineKind) -> Clock:
        """What was due has been seen to, once and for all in this turn."""
        fallen = tuple(due for due in self.fallen if due.kind is not kind)
        return replace(self, fallen=fallen, seen=self.seen | {kind})

    def _charged(self, until: datetime) -> Clock:
        """The same with the time up to a moment charged, and what fell due by then noted."""
        if self.since is None or until <= self.since:
            return self
        fallen = tuple(due for due in self._ahead() if due.due_at <= until)
        spent = self.spent + (until - self.since)
        return replace(self, since=until, spent=spent, fallen=(*self.fallen, *fallen))

    def _ahead(self) -> Iterator[Due]:
        """What falls due if it runs without a break, what has fallen and been noted left out."""
        if self.since is None or self.runs_for is None:
            return
        known = self.seen.union(due.kind for due in self.fallen)
        for kind, after in self.control.falls(self.account(self.runs_for)):
            if kind not in known:
                yield Due(kind, self.since + (after - self.spent))

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
