"""A second, simplest implementation of a match's clock: minute by minute, from the docs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from tests.years.naive_leave import Leaves
from tests.years.naive_time import ALWAYS, DAY, HOUR, MINUTE, Rest, minutes

FLAG, OVER = "flag", "over"

Span = tuple[float, float]
Refill = Callable[[float, int], float]
"""Return the time for the next turn, from the time left and the number of completed turns."""


@dataclass(frozen=True)
class Agreement:
    """A time control in plain numbers, in seconds."""

    text: str
    opening: int | None
    refill: Refill
    double_after: int = DAY * 9999
    weekends: bool = False
    grace: int = 0


A_WEEK, MOST_A_WEEK = 7 * 24 * 3600, 3
"""Seconds in which zone and nights can be changed a limited number of times."""


@dataclass
class Someone:
    """A member, with everything that concerns all their matches."""

    number: int
    rest: Rest = ALWAYS
    wishes: tuple[str, ...] = ("50%", "1d")
    reachable: bool = True
    leaves: Leaves = field(default_factory=Leaves)
    rested: list[int] = field(default_factory=list)
    """When they chose another zone or other nights."""

    def may_choose(self, rest: Rest, now: int) -> bool:
        """Return whether they may choose now: up to three times a week. Record the choice."""
        if rest == self.rest or (rest.night is None and self.rest.night is not None):
            return True
        self.rested = [second for second in self.rested if now - second < A_WEEK]
        allowed = len(self.rested) < MOST_A_WEEK
        self.rested += [now] if allowed else []
        return allowed


@dataclass
class Account:
    """A player's time in a match, without the turn in progress."""

    left: float | None
    used: float = 0
    turns: int = 0
    added: float = 0


class Happened(NamedTuple):
    """An event that fell due."""

    at: float
    kind: str
    player: int
    turn: int


@dataclass
class NaiveTable:
    """A match whose time advances by minutes."""

    agreement: Agreement
    now: float
    people: dict[int, Someone]
    to_act: int | None = None
    turn: int = 0
    """Number of turns started."""
    accounts: dict[int, Account] = field(default_factory=dict)
    in_turn: float = 0
    cost: float = 0
    """Cost of the turn, which is more than the time used at double cost."""
    late: float = 0
    """Time charged since the flag fell."""
    grace: int = 0
    """The grace period in the turn."""
    flag: str = "director"
    """The consequence of running out of time."""
    paused: set[str] = field(default_factory=set)
    waited: dict[int, float] = field(default_factory=dict)
    """Time the opponents have given instead of claiming, by number of turn."""
    breaks: list[Span] = field(default_factory=list)
    """Pauses of the match with a known end."""
    wide_breaks: list[Span] = field(default_factory=list)
    """Pauses of the club with a known end."""
    holidays: frozenset[date] = frozenset()
    done: set[str] = field(default_factory=set)
    """Events that fell due in the turn."""
    happened: list[Happened] = field(default_factory=list)
    too_late: set[int] = field(default_factory=set)
    """Leaves that were taken after time ran out in the turn, and do not count in it."""
    wants_leave: bool = False
    """Whether its player would take a day of leave here, in all their matches."""
    refused: bool = False
    """Whether no leave is left for them."""

    # Clock display

    def account(self, player: int) -> Account:
        """Return a player's account, opening it if needed."""
        return self.accounts.setdefault(player, Account(self.agreement.opening))

    def used(self, player: int) -> float:
        """Return the time a player has used in the match."""
        return self.account(player).used + (self.in_turn if player == self.to_act else 0)

    def left(self, player: int) -> float | None:
        """Return the time a player has left."""
        left = self.account(player).left
        if left is None or player != self.to_act:
            return left
        return left - self.cost

    # Passing time

    def goes_on(self, until: float) -> None:
        """Advance to a moment and its due events, or to where leave has to be taken."""
        while self.now < until and not self.wants_leave:
            end = min(until, self.now + DAY - self.now % DAY, *self._edges())
            self._passes(end)
        self.looks()

    def stands_still(self, until: float) -> None:
        """Advance while the service is down."""
        self.now = until

    def _edges(self) -> Iterator[float]:
        """Return the future starts and ends of leaves and breaks."""
        spans = [*self.breaks, *self.wide_breaks]
        if self.to_act is not None:
            spans += self.people[self.to_act].leaves.spans(self.too_late)
        yield from (edge for span in spans for edge in span if edge > self.now)

    def _passes(self, end: float) -> None:
        """Advance through part of a day, in which no leave or break begins or ends."""
        if not self._runs():
            self.now = end
            return
        today = self.now - self.now % DAY
        first, last = int(-(-(self.now - today) // MINUTE)), int((end - today) // MINUTE)
        if first < last and not self.now % MINUTE:
            seconds = sum(self._minutes(self.now)[first:last]) * MINUTE
            if seconds * 2 < self._next():
                self._counts(seconds)
                self.now = today + last * MINUTE
                return
        stop = min(end, self.now + MINUTE - self.now % MINUTE)
        if not self.counts():
            self.now = stop
            return
        self.looks()
        if self.wants_leave:
            return
        if (stop - self.now) * 2 < self._next():
            self._counts(stop - self.now)
            self.now = stop
        else:
            # At double cost, an event may fall due in the middle of a second.
            self._counts(0.5)
            self.now += 0.5

    def _counts(self, seconds: float) -> None:
        """Charge time."""
        twice = max(0.0, self.in_turn + seconds - max(self.in_turn, self.agreement.double_after))
        self.in_turn += seconds
        self.cost += seconds + twice
        if FLAG in self.done:
            self.late += seconds

    def _next(self) -> float:
        """Return how much more cost it takes until the next event falls due."""
        coming = [after - gone for kind, after, gone in self._falls() if kind not in self.done]
        # Grace begins where the flag falls, and reminders that have not fallen do so now.
        return min(coming, default=DAY * 9999)

    def _falls(self) -> Iterator[tuple[str, float, float]]:
        """Return what falls due in the turn, after what time, and how much of it has passed."""
        bank = None if self.to_act is None else self.account(self.to_act).left
        if bank is None or self.to_act is None:
            return
        # The usable time of the turn, on which reminders depend.
        once = self.agreement.double_after
        lasts = bank if bank <= once else once + (bank - once) / 2
        found = {}
        for wish in sorted(self.people[self.to_act].wishes, key=lambda wish: wish[-1] != "%"):
            found[_after(lasts, wish)] = wish
        for after, wish in found.items():
            if 0 < after < lasts:
                yield wish, after, self.in_turn
        yield FLAG, bank, self.cost
        if self.grace and FLAG in self.done:
            yield OVER, self.grace, self.late

    def looks(self) -> None:
        """Record the events that fall due now."""
        if not self.counts():
            return
        for kind, after, gone in list(self._falls()):
            if kind not in self.done and gone >= after:
                self._falls_due(kind)
            if self.wants_leave:
                return

    def _falls_due(self, kind: str) -> None:
        assert self.to_act is not None, "events fall due only in a turn"
        if kind == FLAG and self.people[self.to_act].leaves.auto and not self.refused:
            self.wants_leave = True
            return
        self.refused = False
        self.done.add(kind)
        self.happened.append(Happened(self.now, kind, self.to_act, self.turn))

    def _runs(self) -> bool:
        """Return whether the clock runs for someone and is not paused."""
        return self.to_act is not None and not self.paused and not self._away()

    def _away(self) -> bool:
        spans = [*self.breaks, *self.wide_breaks]
        if self.to_act is not None:
            spans += self.people[self.to_act].leaves.spans(self.too_late)
        return any(start <= self.now < end for start, end in spans)

    def counts(self) -> bool:
        """Return whether this moment is charged to someone."""
        if not self._runs():
            return False
        return bool(self._minutes(self.now)[int(self.now % DAY // MINUTE)])

    def _minutes(self, at: float) -> bytes:
        assert self.to_act is not None, "they belong to someone"
        rest = self.people[self.to_act].rest
        return minutes(int(at // DAY), rest, self.agreement.weekends, self.holidays)

    # Actions

    @property
    def is_over(self) -> bool:
        """Return whether the agreed consequence of running out of time is due or has happened."""
        return (OVER if self.grace else FLAG) in self.done

    def begins(self, player: int | None, grace: int = 0) -> None:
        """Begin a turn of a player, or of nobody, with at least this much grace."""
        self.grace = max(grace, self.agreement.grace)
        self.to_act, self.turn = player, self.turn + 1
        self.in_turn = self.cost = self.late = 0
        self.done = set()
        self.too_late = set()
        self.wants_leave = self.refused = False
        self.paused &= {"director", "club"}
        if player is not None and not self.people[player].reachable:
            self.paused.add("unreachable")

    def ends(self) -> None:
        """Complete the turn."""
        if self.to_act is None:
            return
        account = self.account(self.to_act)
        account.used += self.in_turn
        account.turns += 1
        if account.left is not None:
            account.left = self.agreement.refill(account.left - self.cost, account.turns)
        self.drops()

    def drops(self) -> None:
        """Undo the turn."""
        self.to_act = None
        self.in_turn = self.cost = self.late = 0

    def ends_breaks(self, now: float) -> None:
        """End pauses that were to last longer."""
        self.breaks = [(start, min(end, now)) for start, end in self.breaks]

    def adds(self, player: int, time: float) -> None:
        """Give a player time. Events that are in the future again will fall due again."""
        account = self.account(player)
        if account.left is None:
            return
        account.left += time
        account.added += time
        if player == self.to_act:
            gone = {kind for kind, after, gone in self._falls() if gone >= after}
            self.done = (self.done & gone) | (gone - {FLAG, OVER})
            if FLAG not in self.done:
                self.late = 0
                self.done.discard(OVER)
                self.too_late = set()

    def extends(self, time: float) -> None:
        """Give the player to move time, counted from now if none is left."""
        assert self.to_act is not None, "it is someone's turn"
        self.adds(self.to_act, time - min(0, self.left(self.to_act) or 0))

    def is_too_late_for(self, player: int, leave: int) -> None:
        """Note a leave that does not change that the player has run out of time."""
        if player == self.to_act and FLAG in self.done:
            self.too_late.add(leave)

    def reminds(self) -> None:
        """Apply the player's new reminders. Those already past are not sent."""
        past = {kind for kind, after, gone in self._falls() if gone >= after}
        self.done |= past - {FLAG, OVER}

    def hands_over(self, old: int, new: int) -> None:
        """Let a new player continue with the time that is left."""
        self.accounts[new] = self.accounts.pop(old, Account(self.agreement.opening))
        if self.to_act == old:
            self.to_act = new
            self.too_late = set()
            for leave in self.people[new].leaves.taken:
                self.is_too_late_for(new, leave.number)
            self.paused.discard("unreachable")
            if not self.people[new].reachable:
                self.paused.add("unreachable")
            self.reminds()


def _after(bank: float, wish: str) -> float:
    """Return how much time has passed when a player wants a reminder."""
    count = int(wish[:-1])
    if wish.endswith("%"):
        return bank * count / 100
    return bank - count * (DAY if wish.endswith("d") else HOUR)
