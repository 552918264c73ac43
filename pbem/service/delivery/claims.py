"""Claims: who sends which mail, within the rates of the club, and what a dead worker held."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import structlog

from pbem.mail.outgoing.urgency import Urgency
from pbem.matches.outage import gone_back
from pbem.ports.outbox import DueMail, QueuedMail
from pbem.service.club import Club
from pbem.service.delivery.rates import DAY, MINUTE, SPELL, Room, Tried
from pbem.service.work import Work, reading, writing

_P, _N, _A, _R = Urgency
ROUND = (_P, _P, _N, _P, _A, _P, _P, _N, _P, _R, _P, _P, _N, _P, _A, _P, _P, _N, _P, _R)
"""Whose the next mail is, in turn: of twenty, twelve are played with, and two are reports. What an
urgency does not need falls to the most urgent that waits."""


def chosen(due: Sequence[DueMail], room: Room, most: int, start: int) -> list[int]:
    """Ids of the mails that go, in this order; the round begins at `start`."""
    lines = {urgency: deque(each for each in due if each.urgency is urgency) for urgency in Urgency}
    going: list[DueMail] = []
    while len(going) < most and any(lines.values()) and room.left() != 0:
        whose = ROUND[(start + len(going)) % len(ROUND)]
        line = lines[whose] or next(filter(None, lines.values()))
        mail = line.popleft()
        if room.take(mail.urgency, mail.domain):
            going.append(mail)
    return [mail.id for mail in sorted(going, key=lambda mail: mail.urgency)]


log = structlog.get_logger(__name__)

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
    room = room_of(work)
    if room.left() == 0 or not room.of_day(Urgency.PLAY):
        return []
    due = work.outbox.due(work.now, BATCH, room.full)
    # Begun by chance, lest a share never come where only a few may go at a time.
    start = work.club.chance(len(ROUND)) if len(due) > BATCH or rates.any else 0
    return chosen(due, room, BATCH, start)


def room_of(work: Work) -> Room:
    """How many more mails may go now, after those that were tried of late."""
    rates, outbox, now = work.club.policy.rates, work.outbox, work.now
    if not rates.any:
        return Room(rates, Tried())
    in_day = outbox.tried(now - DAY).total() if rates.of_day else 0
    return Room(rates, Tried(outbox.tried(now - MINUTE), outbox.tried(now - SPELL), in_day))


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
