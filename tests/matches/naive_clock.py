"""The clock of a match again, in the simplest form: it looks at every half minute.

Half minutes, because one can cost a whole minute when time is charged twice. Agreements are plain
numbers: nothing here comes from the clock that it checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.matches.naive_time import Rest

STEP = timedelta(seconds=30)
DAY = timedelta(days=1)

Refill = Callable[[timedelta, int], timedelta]
"""Returns the time for the next turn, from the time left and the number of completed turns."""


@dataclass(frozen=True)
class Agreement:
    """A time control in plain numbers."""

    text: str
    opening: timedelta | None
    refill: Refill
    double_after: timedelta = DAY * 9999
    weekends: bool = False


@dataclass
class NaivePlayer:
    """A player's time."""

    left: timedelta | None
    rest: Rest
    used: timedelta = timedelta()
    turns: int = 0


@dataclass
class NaiveClock:
    """A match that moves on by half minutes."""

    agreement: Agreement
    now: datetime
    players: dict[int, NaivePlayer]
    to_act: int
    in_turn: timedelta = timedelta()
    paused: set[str] = field(default_factory=set)
    down: bool = False
    """Whether the service does not work."""
    reported: bool = False
    autoleave: int = 0
    """Days of leave that are taken one by one where a flag would fall."""
    falls: list[tuple[int, datetime]] = field(default_factory=list)
    """Fallen flags: the player and the moment."""

    def goes_on(self, until: datetime) -> None:
        """Let time pass."""
        while self.now < until:
            self.looks()
            player = self.players[self.to_act]
            if self.counts(player):
                player.used += STEP
                if player.left is not None:
                    twice = self.in_turn >= self.agreement.double_after
                    player.left -= STEP * (2 if twice else 1)
                self.in_turn += STEP
            self.now += STEP
        self.looks()

    def looks(self) -> None:
        """Check whether the player to move runs out of time now."""
        player = self.players[self.to_act]
        none_left = player.left is not None and player.left <= timedelta()
        if not none_left or self.reported or not self.counts(player):
            return
        if self.autoleave:
            self.autoleave -= 1
            leave = (self.now, self.now + DAY)
            player.rest = player.rest._replace(leaves=(*player.rest.leaves, leave))
        else:
            self.reported = True
            self.falls.append((self.to_act, self.now))

    def counts(self, player: NaivePlayer) -> bool:
        """Return whether the time of the player to move is running."""
        if self.paused or self.down:
            return False
        if self.agreement.weekends:
            return player.rest._replace(weekends=True).counts(self.now)
        return player.rest.counts(self.now)

    def moves(self) -> None:
        """Pass the turn to the next player, by number."""
        player = self.players[self.to_act]
        player.turns += 1
        if player.left is not None:
            player.left = self.agreement.refill(player.left, player.turns)
        self.to_act = self.to_act % len(self.players) + 1
        self.in_turn, self.paused, self.reported = timedelta(), set(), False

    def adds(self, number: int, time: timedelta) -> None:
        """Add time for a player, who can then run out of time again."""
        player = self.players[number]
        if player.left is not None:
            player.left += time
            if number == self.to_act and player.left > timedelta():
                self.reported = False
