"""Checks that must hold at every moment of a club."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from pbem.matches.history import Kind
from pbem.service.work import reading
from tests.conversations.house import House
from tests.years.agreements import given
from tests.years.naive_table import FLAG, OVER, Happened, NaiveTable, Someone
from tests.years.naive_time import DAY, MINUTE

UP = 10 * MINUTE
"""The longest time between two sweeps."""
REMINDERS = (b'\nFrom: "A reminder, ', b" matches are waiting for you\r\n")


class Checks:
    """A club, the naive clocks of its matches, and what was seen at the last check."""

    def __init__(self, house: House, tables: dict[int, NaiveTable]) -> None:
        self.house = house
        self.tables = tables
        self.mails: Counter[int] = Counter()
        """Number of emails checked, by player."""
        self.told: dict[int, float] = {}
        """Time of the last reminder, by match."""
        self.awaited: list[tuple[int, Happened]] = []
        """Reminders that are due, with their match. They may wait until morning."""
        self.known: Counter[int] = Counter()
        """Number of due events checked, by match."""
        self.used: dict[int, tuple[float, float]] = {}
        """Time of the last check, and what all players had used by then, by match."""

    def agrees(self, match: int) -> None:
        """Check that both clocks say the same and no time is lost or counted twice."""
        state, table, now = self.house.state(match), self.tables[match], self.house.clock.now()
        clock = state.clock
        assert clock.runs_for == table.to_act
        for player in state.players:
            assert clock.account(player).turns == table.account(player).turns
            used, left = clock.used(player, now), clock.left(player, now)
            assert (player, _seconds(used)) == (player, table.used(player))
            assert (player, _seconds(left)) == (player, table.left(player))
            self._conserves(match, player)
        self._runs_for_one(match)

    def _conserves(self, match: int, player: int) -> None:
        """Check that used plus left minus added time equals the time given."""
        clock, now = self.house.state(match).clock, self.house.clock.now()
        account, left = clock.account(player), clock.left(player, now)
        all_given = given(self.tables[match].agreement, account.turns)
        if all_given is not None and left is not None:
            assert _seconds(clock.used(player, now) + left - account.added) == all_given

    def _runs_for_one(self, match: int) -> None:
        """Check that no more time is charged, to all players together, than has passed."""
        clock, now = self.house.state(match).clock, self.house.clock.now()
        charged = sum((each.used for each in clock.accounts.values()), clock.spent_at(now))
        second, used = now.timestamp(), charged.total_seconds()
        looked_at, before = self.used.get(match, (second, used))
        assert used - before <= second - looked_at
        self.used[match] = (second, used)

    def flags(self, match: int) -> None:
        """Check that every due flag fell, on time, and no other."""
        with reading(self.house.club) as work:
            history = work.matches.happenings(match)
        fell = [each.at.timestamp() for each in history if each.kind is Kind.FLAG_FELL]
        expected = [each.at for each in self.tables[match].happened if each.kind == FLAG]
        assert len(fell) == len(expected), (match, fell, expected)
        # At double cost, a flag may fall in the middle of a second.
        assert all(abs(a - b) <= 1 for a, b in zip(fell, expected, strict=True)), (fell, expected)

    def reminders(self, someone: dict[int, Someone], *, certain: bool) -> None:
        """Check that no reminder comes at night, or out of turn, and that every due one comes.

        The tests in tests/matches check the exact times. While an email waits, it is not certain
        whose turn it is.
        """
        now = round(self.house.clock.now().timestamp())
        for player, person in someone.items():
            for raw in self._new(player):
                asked = [each for each, table in self.tables.items() if table.to_act == player]
                self.told.update({each: now for each in asked if f"match {each}".encode() in raw})
                assert asked or not certain, "it is their turn"
                assert not person.rest.sleeps(now) or person.rest.sleeps(now - UP) is False
        self._wait_for_what_fell_due(now)

    def _wait_for_what_fell_due(self, now: float) -> None:
        for match, table in self.tables.items():
            new = table.happened[self.known[match] :]
            self.known[match] = len(table.happened)
            self.awaited += [(match, each) for each in new if each.kind not in (FLAG, OVER)]
        for match, each in list(self.awaited):
            table = self.tables[match]
            goes_on = (table.turn, table.to_act) == (each.turn, each.player)
            # A player whose time both starts and ends during the night gets only the
            # later reminder.
            told_else = FLAG in table.done or each.kind not in table.done
            if not goes_on or not table.counts() or told_else:
                self.awaited.remove((match, each))
            elif now > each.at + DAY + UP:
                assert self.told.get(match, 0) > each.at - 2 * DAY, (match, each)
                self.awaited.remove((match, each))

    def _new(self, player: int) -> list[bytes]:
        """Return someone's new reminders."""
        [address] = [p.address for p in self.house.people if p.player and p.player.id == player]
        new = self.house.post.inbox(address, self.mails[player])
        self.mails[player] += len(new)
        return [raw for raw in new if any(each in raw for each in REMINDERS)]


def _seconds(time: timedelta | None) -> float | None:
    return None if time is None else time.total_seconds()
