"""Troubles: what keeps a club from its work, as its status tells."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from pbem.mail.outgoing.letter import Urgency
from pbem.ports.inbound import InboundState
from pbem.ports.process import Tally
from pbem.service.clocks.heartbeat import SKEW
from pbem.service.status import Status

LATELY = timedelta(minutes=5)
"""What happens every minute, and has not happened for so long, has come to a halt."""
MISSED_POLLS = 5
"""So many rounds in which a mailbox was not read are more than a hiccup."""
LONG = timedelta(minutes=15)
"""For so long no mail waits that nothing holds up."""
NONE = timedelta()
HELD = "the club was restored and its mail is held"


class ClubPart(StrEnum):
    """What of a club troubles are about."""

    HEARTBEAT = "heartbeat"
    HELD = "held"
    INTAKE = "intake"
    JOBS = "jobs"
    CLOCK = "clock"
    INBOUND = "inbound"
    OUTBOX = "outbox"
    TEMPLATES = "templates"


class Problem(NamedTuple):
    """Something that is not as it should be while a club is served."""

    part: ClubPart
    text: str
    """For people."""
    since: datetime | None = None
    """None where nobody knows, or it never was otherwise."""

    def __str__(self) -> str:
        return self.text if self.since is None else f"{self.text} since {self.since:%F %H:%M} UTC"


def troubles_of(status: Status, poll_seconds: float) -> list[Problem]:
    """What keeps a club from its work, whose mailboxes are read every so many seconds."""
    return [*_stood_still(status, poll_seconds), *_piled_up(status), *_unwritten(status)]


def _unwritten(status: Status) -> Iterator[Problem]:
    for template, failed_at in status.failed_templates.items():
        text = f"{template} has a fault, so emails went out in English or in two plain sentences"
        yield Problem(ClubPart.TEMPLATES, f"{text}; it last failed at {failed_at:%F %H:%M} UTC")


def _stood_still(status: Status, poll_seconds: float) -> Iterator[Problem]:
    if status.held_since is not None:
        yield Problem(ClubPart.HELD, HELD, status.held_since)
    elif _is_late(status, status.last_beat):
        yield Problem(ClubPart.HEARTBEAT, "nobody serves the club", status.last_beat)
    patience = max(LATELY, timedelta(seconds=MISSED_POLLS * poll_seconds))
    for intake in status.intakes:
        if _is_late(status, intake.seen_at, patience):
            yield Problem(ClubPart.INTAKE, f"nobody takes mail from {intake.place}", intake.seen_at)
    if status.jobs is not None and not status.jobs.workers:
        yield Problem(ClubPart.JOBS, "no worker does the jobs", status.jobs.last_seen)
    if status.ahead is not None and abs(status.ahead) > SKEW:
        side = "ahead of" if status.ahead > NONE else "behind"
        seconds = round(abs(status.ahead).total_seconds())
        yield Problem(ClubPart.CLOCK, f"this machine's clock is {seconds} s {side} the database's")


def _is_late(status: Status, last: datetime | None, patience: timedelta = LATELY) -> bool:
    return last is None or status.now - last > patience


def _piled_up(status: Status) -> Iterator[Problem]:
    new = status.mails[InboundState.NEW]
    if _waits_long(status, new):
        yield Problem(ClubPart.INBOUND, f"{_mails(new)} to be read", new.since)
    for line in status.lines:
        mails = Tally(line.mails, line.since)
        if line.urgency is Urgency.PLAY and not line.limit and _waits_long(status, mails):
            yield Problem(ClubPart.OUTBOX, f"{_mails(mails)} to go", mails.since)


def _waits_long(status: Status, mails: Tally) -> bool:
    return mails.since is not None and status.now - mails.since > LONG


def _mails(mails: Tally) -> str:
    return "1 mail waits" if mails.number == 1 else f"{mails.number} mails wait"
