"""Problems: what keeps a club from its work, according to its status."""

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
"""Anything due every minute has stopped if it has not happened for this long."""
MISSED_POLLS = 5
"""A mailbox that was not read for this many rounds has a problem."""
LONG = timedelta(minutes=15)
"""Emails that no limit holds never wait this long."""
NONE = timedelta()
HELD = "the club was restored and its mail is held"


class ClubPart(StrEnum):
    """The part of a club that a problem affects."""

    HEARTBEAT = "heartbeat"
    HELD = "held"
    INTAKE = "intake"
    JOBS = "jobs"
    CLOCK = "clock"
    INBOUND = "inbound"
    OUTBOX = "outbox"
    TEMPLATES = "templates"


class Problem(NamedTuple):
    """A problem of a club in service."""

    part: ClubPart
    text: str
    """A description for people."""
    since: datetime | None = None
    """Start of the problem. None if unknown, or if it has always been there."""

    def __str__(self) -> str:
        return self.text if self.since is None else f"{self.text} since {self.since:%F %H:%M} UTC"


def problems_of(status: Status, poll_seconds: float) -> list[Problem]:
    """Return the problems of a club whose mailboxes are read every `poll_seconds`."""
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
