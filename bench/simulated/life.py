"""Months of a club, hour by hour."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bench.ledger import Ledger
from bench.simulated.clock import SharedClock
from bench.simulated.machine import Machine
from bench.simulated.mailroom import Mailroom
from bench.simulated.people import Crowd, address
from pbem.games import games
from pbem.matches.match import MatchOptions, Player
from pbem.service.club import Club
from pbem.service.play.start import start_match
from pbem.service.work import writing

BEGINS = datetime(2026, 1, 5, 6, tzinfo=UTC)
STEP = timedelta(hours=1)
MONTH = timedelta(days=30)
UP = timedelta(minutes=5)
"""Age of the heartbeat at a sweep, so that the club was never down."""
MATCHES_EACH = 3
"""Average number of matches that a member plays at a time."""


@dataclass
class Life:
    """A club, its members, and the machine that works for it."""

    club: Club
    """The club, on the clock of the simulation."""
    clock: SharedClock
    machine: Machine
    room: Mailroom
    ledger: Ledger
    chance: random.Random
    step: timedelta = STEP
    """Time between two rounds of work."""
    matches_each: int = MATCHES_EACH
    """Average number of matches outside competitions that a member plays at a time."""
    crowd: Crowd = field(init=False)
    players: list[Player] = field(init=False)
    handed: int = 0
    """Emails that members have written."""
    busiest: int = 0
    """Maximum number of emails in a step."""
    slowest: float = 0.0
    """Seconds that the club's longest step took."""

    def __post_init__(self) -> None:
        self.crowd = Crowd(self.chance)

    def begins(self, members: int) -> None:
        """Have members join and start their first matches."""
        with writing(self.club) as work:
            self.players = [
                work.players.add(f"Player{n}", [address(n)], "Europe/Warsaw")
                for n in range(members)
            ]
            for player in self.players:
                work.players.choose(player.id, "board", "letters")
        self._beats()
        self._fills_up()
        self.machine.counts()

    def lives(self, months: float) -> None:
        """Run for this many months."""
        end = self.clock.now() + months * MONTH
        while self.clock.now() < end:
            began = time.monotonic()
            self._a_step()
            self.slowest = max(self.slowest, time.monotonic() - began)

    def _a_step(self) -> None:
        self.clock.is_at(self.clock.now() + self.step)
        now = self.clock.now()
        self._beats()
        self._writes(now)
        self.machine.works()
        self.machine.sweeps()
        if now.hour == BEGINS.hour:
            self._fills_up()
        self.machine.publishes()
        for taken in self.room.mails():
            self.crowd.reads(taken, now)

    def _beats(self) -> None:
        before = self.clock.now() - UP
        with writing(self.club) as work:
            work.service.beat(before)
            for intake in self.club.intakes:
                work.service.polled(before, intake)

    def _writes(self, now: datetime) -> None:
        mails = list(self.crowd.due(now))
        for mail, at in zip(mails, self.machine.take_in(mails), strict=True):
            self.crowd.handed_in(mail, at)
        self.handed += len(mails)
        self.busiest = max(self.busiest, len(mails))

    def _fills_up(self) -> None:
        """Start matches until everyone has enough, as the director would."""
        places = self.ledger.places
        while places < self.matches_each * len(self.players):
            game = self.chance.choice(games())
            fitting = [n for n in game.info.holders if n <= len(self.players)]
            players = self.chance.sample(self.players, self.chance.choice(fitting))
            with writing(self.club) as work:
                start_match(work, game, players, MatchOptions())
            places += len(players)
        self.machine.works()
        for taken in self.room.mails():
            self.crowd.reads(taken, self.clock.now())
