"""Claims: which emails are sent next within the club's rates, and which limit holds the others."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

from pbem.log import get_logger
from pbem.mail.outgoing.letter import Urgency
from pbem.matches.clock import clock_rollback
from pbem.ports.outbox import DueMail, OutboxLine, QueuedMail
from pbem.service.club import Club, Rates
from pbem.service.work import Work, reading, writing

MINUTE = timedelta(seconds=59)
SPELL = timedelta(seconds=9)
"""A minute's rate is spread over six of these, so that an urgent email never waits longer than for
the next. Both spans are a little short, so that a job run every ten seconds never comes just too
early.
"""
SPELLS = 6
DAY = timedelta(days=1)
KEPT_FOR_PLAY = 0.25
"""Part of the daily rate reserved for play, so that an announcement cannot block anyone's turn."""
_P, _N, _A, _R = Urgency
ROUND = (_P, _P, _N, _P, _A, _P, _P, _N, _P, _R, _P, _P, _N, _P, _A, _P, _P, _N, _P, _R)
"""Which urgency sends next, in a cycle of twenty: twelve for play, two for reports. A slot that its
urgency does not need goes to the most urgent email that waits.
"""


@dataclass(frozen=True)
class Tried:
    """Emails tried lately, by domain."""

    in_minute: Counter[str] = field(default_factory=Counter)
    in_spell: Counter[str] = field(default_factory=Counter)
    in_day: int = 0


class SendLimit:
    """Number of further emails that may go now, by the rates."""

    def __init__(self, rates: Rates, tried: Tried) -> None:
        self._rates = rates
        self._tried = tried
        self._taken = 0

    def of_day(self, urgency: Urgency) -> bool:
        """Return whether one more of an urgency may go today. The last are reserved for play."""
        most = self._rates.of_day
        kept = 0 if urgency is Urgency.PLAY else ceil(most * KEPT_FOR_PLAY)
        return not most or self._tried.in_day + self._taken < most - kept

    def left(self, domain: str = "") -> int | None:
        """Return how many more may go to a domain, or to all domains. None means no limit."""
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
        """Return the domains, among those tried, that may get no more emails now."""
        return sorted(each for each in self._tried.in_minute if self.left(each) == 0)

    def take(self, urgency: Urgency, domain: str) -> bool:
        """Return whether one more may go to a domain. If so, count it."""
        if self.left() == 0 or self.left(domain) == 0 or not self.of_day(urgency):
            return False
        self._taken += 1
        for each in (self._tried.in_minute, self._tried.in_spell):
            each[domain] += 1
        return True


def chosen(due: Sequence[DueMail], limit: SendLimit, most: int, start: int) -> list[int]:
    """Return the ids of the emails to send, in order. `start` is the position in `ROUND`."""
    lines = {urgency: deque(each for each in due if each.urgency is urgency) for urgency in Urgency}
    going: list[DueMail] = []
    while len(going) < most and any(lines.values()) and limit.left() != 0:
        whose = ROUND[(start + len(going)) % len(ROUND)]
        line = lines[whose] or next(filter(None, lines.values()))
        mail = line.popleft()
        if limit.take(mail.urgency, mail.domain):
            going.append(mail)
    return [mail.id for mail in sorted(going, key=lambda mail: mail.urgency)]


log = get_logger(__name__)

BATCH = len(ROUND)
"""Emails claimed at once, few enough to be sent before the claim ends."""


class Claim(NamedTuple):
    """Emails in sending order that only this worker sends until a moment."""

    mails: list[QueuedMail]
    until: datetime

    def has_run_out(self, club: Club) -> bool:
        """Return whether another worker may be sending them now."""
        now, since = club.clock.now(), self.until - club.policy.claim
        return now >= self.until or clock_rollback(since, now) is not None


def claim(club: Club) -> Claim:
    """Claim the next emails to send. Empty if none is due or no limit has room."""
    with writing(club) as work:
        until = work.now + club.policy.claim
        ids = _next(work)
        taken = work.outbox.claim(ids, work.now, until, club.workers.own_name()) if ids else []
    mails = {queued.id: queued for queued in taken}
    return Claim([mails[each] for each in ids], until)


def _next(work: Work) -> list[int]:
    if work.service.held_since() is not None:
        return []
    rates = work.club.policy.rates
    if rates.any:
        # Two workers that count at the same time would each use the same room.
        work.outbox.take_turns()
    limit = send_limit(work)
    if limit.left() == 0 or not limit.of_day(Urgency.PLAY):
        return []
    due = work.outbox.due(work.now, BATCH, limit.full)
    # Start at random. Otherwise rare urgencies never get a slot when few may go at a time.
    start = work.club.chance(len(ROUND)) if len(due) > BATCH or rates.any else 0
    return chosen(due, limit, BATCH, start)


def send_limit(work: Work) -> SendLimit:
    """Return how many more emails may go now, after those tried lately."""
    rates, outbox, now = work.club.policy.rates, work.outbox, work.now
    if not rates.any:
        return SendLimit(rates, Tried())
    in_day = outbox.tried(now - DAY).total() if rates.of_day else 0
    return SendLimit(rates, Tried(outbox.tried(now - MINUTE), outbox.tried(now - SPELL), in_day))


def release_claims_of_the_dead(club: Club) -> int:
    """Release the claims of dead workers on this machine. Return how many emails they held."""
    with reading(club) as work:
        holders = work.outbox.holders()
    dead = [name for name in holders if club.workers.is_dead(name)]
    if not dead:
        return 0
    with writing(club) as work:
        released = sum(work.outbox.release_of(name) for name in dead)
    log.warning("claims of dead workers released", mails=released)
    return released


class WaitingLine(NamedTuple):
    """A line of emails, and the limit that holds it."""

    line: OutboxLine
    setting: str
    """The setting in `[smtp]` that holds them all. Empty if they are about to go."""
    limit: str
    """The same limit in words."""


def waiting(work: Work) -> list[WaitingLine]:
    """Return the waiting lines, most urgent first."""
    limit, rates = send_limit(work), work.club.policy.rates
    return [WaitingLine(line, *_limit(rates, limit, line)) for line in work.outbox.lines(work.now)]


def _limit(rates: Rates, limit: SendLimit, line: OutboxLine) -> tuple[str, str]:
    if not limit.of_day(line.urgency):
        return "day_rate", f"day_rate = {rates.of_day} in [smtp]"
    if limit.left() == 0:
        return "rate", f"rate = {rates.of_all} in [smtp]"
    if limit.left(line.domain) == 0:
        return "domain_rates", f"{rates.of(line.domain)} a minute by domain_rates in [smtp]"
    return "", ""
