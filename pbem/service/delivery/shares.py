"""Shares: of mails that wait, which go now; the more urgent first, and each urgency some."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pbem.mail.outgoing.urgency import Urgency
from pbem.service.delivery.rates import Room
from pbem.service.ports import DueMail

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
