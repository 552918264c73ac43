"""The members of a simulated club: they read their email, and answer at hours of their own."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import NamedTuple

from bench.answers import TurnMail, written
from bench.simulated.mailroom import Taken

HOST = "mail.example"
MAIL_SERVER = "mx.games.example"
"""The club's mail server, which has received the members' emails."""

THINKS = timedelta(hours=20)
"""Average time that a player thinks. Now and then someone takes more than five days."""
WAKES, SLEEPS = 7, 23
"""Hours of the day between which members write."""
RESIGNS = 60
"""One in this many turns ends with a resignation, except for the first turns."""
FIRST_TURNS = 12
WRITES_A_NOTE = 10
ASKS_FIRST = 30
"""Before one in this many turns, a player asks for the legal moves."""


class Written(NamedTuple):
    """An email written by a member."""

    at: datetime
    number: int
    recipient: str
    sender: str
    raw: bytes


@dataclass
class Crowd:
    """Members who are in no hurry. All random choices come from `chance`."""

    chance: random.Random
    waiting: list[Written] = field(default_factory=list)
    """Emails to be written, the next one first."""
    unanswered: dict[str, float] = field(default_factory=dict)
    """When each unanswered email was handed in, by Message-ID and on the monotonic clock."""
    ages: list[float] = field(default_factory=list)
    """Seconds from handing in an email to its answer."""
    _answered: set[str] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def reads(self, taken: Taken, now: datetime) -> None:
        """Read an email. If it is the reader's turn, answer it once. Confirm every question."""
        mail = TurnMail.read(taken.raw)
        if (handed := self.unanswered.pop(mail.answers, None)) is not None:
            self.ages.append(taken.at - handed)
        if "is this what you want?" in mail.text:
            self._writes(mail, "confirm", taken.recipient, now)
        if mail.example is None or mail.reply_to in self._answered:
            return
        self._answered.add(mail.reply_to)
        at = self._awake(now + self.chance.expovariate(1) * THINKS)
        if self.chance.randrange(ASKS_FIRST) == 0:
            self._writes(mail, "legal", taken.recipient, at - timedelta(minutes=10))
        self._writes(mail, self._fresh(mail), taken.recipient, at)

    def due(self, until: datetime) -> Iterator[Written]:
        """Yield the emails written until then, in order."""
        while self.waiting and self.waiting[0].at <= until:
            yield heapq.heappop(self.waiting)

    def handed_in(self, mail: Written, at: float) -> None:
        """Note that the club has received an email."""
        self.unanswered[_message_id(mail.number)] = at

    def _awake(self, at: datetime) -> datetime:
        """Return the time, or one the next morning if it is at night."""
        if WAKES <= at.hour < SLEEPS:
            return at
        night = at + timedelta(hours=(WAKES - at.hour) % 24)
        return night.replace(minute=0) + self.chance.random() * timedelta(hours=3)

    def _fresh(self, mail: TurnMail) -> str:
        _, turn, *_ = mail.reply_to.partition("+")[2].split("-")
        if int(turn) > FIRST_TURNS and self.chance.randrange(RESIGNS) == 0:
            return "resign"
        assert mail.example is not None
        if self.chance.randrange(WRITES_A_NOTE) == 0:
            return f"{mail.example}\n\nI hope that you are well, and that the weather is better."
        return mail.example

    def _writes(self, mail: TurnMail, fresh: str, sender: str, at: datetime) -> None:
        number = next(self._numbers)
        name = sender.partition("@")[0].capitalize()
        raw = written(mail, fresh, name, sender, _unique(number), at)
        self._posts(Written(at, number, mail.reply_to, sender, raw))

    def sends(self, recipient: str, sender: str, raw: bytes, at: datetime) -> None:
        """Write an email that is not a member's own, such as a robot's."""
        self._posts(Written(at, next(self._numbers), recipient, sender, raw))

    def _posts(self, mail: Written) -> None:
        heapq.heappush(self.waiting, mail)


def address(number: int) -> str:
    """Return a member's address."""
    return f"player{number}@{HOST}"


def _unique(number: int) -> str:
    return f"simulated{number}"


def _message_id(number: int) -> str:
    return f"<CA{_unique(number)}@mail.mail.example>"
