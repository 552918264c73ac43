"""Rates: how many mails may go in a time, as providers and the servers of readers have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil

from pbem.mail.outgoing.urgency import Urgency

MINUTE = timedelta(seconds=59)
SPELL = timedelta(seconds=9)
"""What may go in a minute is spread over six such spells: what is urgent waits no longer than for
the next. Both are a little short, lest who looks every ten seconds come a moment too early."""
SPELLS = 6
DAY = timedelta(days=1)
KEPT_FOR_PLAY = 0.25
"""Part of what may go in a day: an announcement must not keep anybody from their turn."""
OTHERS = "*"
"""In place of a domain: each that has no number of its own."""


@dataclass(frozen=True)
class Rates:
    """Mails a minute, and a day; 0 is no limit."""

    of_all: int = 0
    of_domains: Mapping[str, int] = field(default_factory=dict)
    """By domain, case-folded."""
    of_day: int = 0
    """Of all in any twenty-four hours."""

    @property
    def any(self) -> bool:
        """Whether there is a limit at all."""
        return bool(self.of_all or self.of_day) or any(self.of_domains.values())

    def of(self, domain: str) -> int:
        """That of a domain."""
        return self.of_domains.get(domain, self.of_domains.get(OTHERS, 0))


@dataclass(frozen=True)
class Tried:
    """Mails that were tried of late, by domain."""

    in_minute: Counter[str] = field(default_factory=Counter)
    in_spell: Counter[str] = field(default_factory=Counter)
    in_day: int = 0


class Room:
    """How many more mails may go now."""

    def __init__(self, rates: Rates, tried: Tried) -> None:
        self._rates = rates
        self._tried = tried
        self._taken = 0

    def of_day(self, urgency: Urgency) -> bool:
        """Whether one more of an urgency may go today: the last are kept for what is played."""
        most = self._rates.of_day
        kept = 0 if urgency is Urgency.PLAY else ceil(most * KEPT_FOR_PLAY)
        return not most or self._tried.in_day + self._taken < most - kept

    def left(self, domain: str = "") -> int | None:
        """To a domain, or to all together; None: there is no limit."""
        rate = self._rates.of(domain) if domain else self._rates.of_all
        if not rate:
            return None
        minute, spell = (
            each[domain] if domain else each.total()
            for each in (self._tried.in_minute, self._tried.in_spell)
        )
        return max(0, min(rate - minute, ceil(rate / SPELLS) - spell))

    @property
    def full(self) -> list[str]:
        """Domains to which none may go, among those that were tried."""
        return sorted(each for each in self._tried.in_minute if self.left(each) == 0)

    def take(self, urgency: Urgency, domain: str) -> bool:
        """Whether one more may go to a domain; it counts from now on."""
        if self.left() == 0 or self.left(domain) == 0 or not self.of_day(urgency):
            return False
        self._taken += 1
        for each in (self._tried.in_minute, self._tried.in_spell):
            each[domain] += 1
        return True
