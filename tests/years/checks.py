"""What must hold at every moment of a club."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from pbem.matches.history import Kind
from pbem.service.work import reading
from tests.conversations.house import House
from tests.years.agreements import given
from tests.years.naive_table import FLAG, OVER, NaiveTable

REMINDER = b'\nFrom: "A reminder, '


class Checks:
    """A club, the naive clocks of its matches, and what was seen when it was last looked at."""

    def __init__(self, house: House, tables: dict[int, NaiveTable]) -> None:
        self.house = house
        self.tables = tables
        self.reminded: Counter[int] = Counter()
        """Reminders that every member has got."""
        self.known: Counter[int] = Counter()
        """How much of what fell due in a match was looked at."""
        self.used: dict[int, tuple[int, int]] = {}
        """Of each match, when it was looked at, and what all its players had used."""

    def agrees(self, match: int) -> None:
        """Both clocks say the same, and no time is lost or counted twice."""
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
        """Used, left and added are what was given."""
        clock, now = self.house.state(match).clock, self.house.clock.now()
        account, left = clock.account(player), clock.left(player, now)
        all_given = given(self.tables[match].agreement, account.turns)
        if all_given is not None and left is not None:
            assert _seconds(clock.used(player, now) + left - account.added) == all_given

    def _runs_for_one(self, match: int) -> None:
        """No more time has been charged, to all players together, than went by."""
        clock, now = self.house.state(match).clock, self.house.clock.now()
        charged = sum((each.used for each in clock.accounts.values()), clock.spent_at(now))
        second, used = round(now.timestamp()), round(charged.total_seconds())
        looked_at, before = self.used.get(match, (second, used))
        assert used - before <= second - looked_at
        self.used[match] = (second, used)

    def flags(self, match: int) -> None:
        """Every flag fell, and was told, that should have, and when it should have."""
        with reading(self.house.club) as work:
            history = work.matches.happenings(match)
        fell = [each.at.timestamp() for each in history if each.kind is Kind.FLAG_FELL]
        expected = [each.at for each in self.tables[match].happened if each.kind == FLAG]
        assert len(fell) == len(expected), (match, fell, expected)
        # Where time counts twice it may fall in the middle of a second.
        assert all(abs(a - b) <= 1 for a, b in zip(fell, expected, strict=True)), (fell, expected)

    def reminders(self, *, certain: bool) -> None:
        """A sweep has sent those that fell due since the one before, in turns that go on.

        It is not certain while a mail waits by which a turn is over.
        """
        expected = Counter[int]()
        for match, table in self.tables.items():
            new = table.happened[self.known[match] :]
            self.known[match] = len(table.happened)
            here = [each for each in new if each.turn == table.turn and table.to_act is not None]
            expected.update(each.player for each in here if each.kind not in (FLAG, OVER))
        got = self._reminders()
        new_ones, self.reminded = got - self.reminded, got
        assert not certain or new_ones == expected, (new_ones, expected)

    def _reminders(self) -> Counter[int]:
        """How many everybody has."""
        found = Counter[int]()
        for person in self.house.people:
            if person.player is not None:
                mails = self.house.post.inbox(person.address)
                found[person.player.id] = sum(REMINDER in raw for raw in mails)
        return found


def _seconds(time: timedelta | None) -> float | None:
    return None if time is None else time.total_seconds()
