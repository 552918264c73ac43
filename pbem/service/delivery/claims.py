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
from pbem.matches.clock import gone_back
from pbem.ports.outbox import DueMail, OutboxLine, QueuedMail
from pbem.service.club import Club, Rates
from pbem.service.work import Work, reading, writing

MINUTE = timedelta(seconds=59)
SPELL = timedelta(seconds=9)
"""What may go in a minute is spread over six such spells: what is urgent waits no longer than for
the next. Both are a little short, lest who looks every ten seconds come a moment too early."""
SPELLS = 6
DAY = timedelta(days=1)
KEPT_FOR_PLAY = 0.25
"""Part of what may go in a day: an announcement must not keep anybody from their turn."""
_P, _N, _A, _R = Urgency
ROUND = (_P, _P, _N, _P, _A, _P, _P, _N, _P, _R, _P, _P, _N, _P, _A, _P, _P, _N, _P, _R)
"""Whose the next mail is, in turn: of twenty, twelve are played with, and two are reports. What an
urgency does not need falls to the most urgent that waits."""


@dataclass(frozen=True)
class Tried:
    """Mails that were tried of late, by domain."""

    in_minute: Counter[str] = field(default_factory=Counter)
    in_spell: Counter[str] = field(default_factory=Counter)
    in_day: int = 0


class SendLimit:
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


def chosen(due: Sequence[DueMail], limit: SendLimit, most: int, start: int) -> list[int]:
    """Ids of the mails that go, in this order; the round begins at `start`."""
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
"""Mails claimed at once: few enough to be sent before the claim ends."""


class Claim(NamedTuple):
    """Mails that nobody else sends until a moment, in the order in which they go."""

    mails: list[QueuedMail]
    until: datetime

    def has_run_out(self, club: Club) -> bool:
        """Whether another worker may be sending them now."""
        now, since = club.clock.now(), self.until - club.policy.claim
        return now >= self.until or gone_back(since, now) is not None


def claim(club: Club) -> Claim:
    """Takes what is to go next; nothing where nothing is due, or none may go now."""
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
        # What two count at the same time, both would send.
        work.outbox.take_turns()
    limit = send_limit(work)
    if limit.left() == 0 or not limit.of_day(Urgency.PLAY):
        return []
    due = work.outbox.due(work.now, BATCH, limit.full)
    # Begun by chance, lest a share never come where only a few may go at a time.
    start = work.club.chance(len(ROUND)) if len(due) > BATCH or rates.any else 0
    return chosen(due, limit, BATCH, start)


def send_limit(work: Work) -> SendLimit:
    """How many more mails may go now, after those that were tried of late."""
    rates, outbox, now = work.club.policy.rates, work.outbox, work.now
    if not rates.any:
        return SendLimit(rates, Tried())
    in_day = outbox.tried(now - DAY).total() if rates.of_day else 0
    return SendLimit(rates, Tried(outbox.tried(now - MINUTE), outbox.tried(now - SPELL), in_day))


def release_claims_of_the_dead(club: Club) -> int:
    """Gives back what workers of this machine held who have ended; returns how many mails."""
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
    """A line of mails, and why they wait."""

    line: OutboxLine
    setting: str
    """The one in `[smtp]` by which none of them may go now; empty: they are about to go."""
    limit: str
    """The same in words."""


def waiting(work: Work) -> list[WaitingLine]:
    """What waits in line, the most urgent first."""
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
