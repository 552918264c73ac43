"""Problems: what keeps a club from its work, according to its status."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from importlib import metadata
from typing import Any, NamedTuple

from pbem.games.phrases import ENGLISH, Phrase
from pbem.mail.outgoing.letter import Urgency
from pbem.matches.zones import minute
from pbem.ports.inbound import InboundState
from pbem.ports.process import Tally
from pbem.service.clocks.heartbeat import SKEW
from pbem.service.status import Status
from pbem.service.words import phrase

LATELY = timedelta(minutes=5)
"""Anything due every minute has stopped if it has not happened for this long."""
MISSED_POLLS = 5
"""A mailbox that was not read for this many rounds has a problem."""
LONG = timedelta(minutes=15)
"""Emails that no limit holds never wait this long."""
WEBHOOK_PATIENCE = timedelta(hours=1)
"""How long a webhook may fail before anybody needs to know."""
NONE = timedelta()


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
    BOTS = "bots"
    COMPETITIONS = "competitions"
    WEBHOOK = "webhook"


CLUB_CONTINUES = frozenset({ClubPart.TEMPLATES, ClubPart.BOTS, ClubPart.COMPETITIONS})
"""Parts whose problems keep the club neither from email nor from play."""


class Problem(NamedTuple):
    """A problem of a club in service."""

    part: ClubPart
    what: Phrase
    """A description for people."""
    since: datetime | None = None
    """Start of the problem. None if unknown, or if it has always been there."""

    @property
    def said(self) -> Phrase:
        """The description with the start of the problem."""
        if self.since is None:
            return self.what
        return phrase("problem.since", problem=self.what, moment=minute(self.since))

    @property
    def text(self) -> str:
        """The description in English, for programs."""
        return ENGLISH.text(self.what)

    def __str__(self) -> str:
        return ENGLISH.text(self.said)


def problems_of(status: Status, poll_seconds: float) -> list[Problem]:
    """Return the problems of a club whose mailboxes are read every `poll_seconds`."""
    return [
        *_stood_still(status, poll_seconds),
        *_piled_up(status),
        *_unwritten(status),
        *_unanswered(status),
        *_stuck(status),
        *_unheard(status),
    ]


def status_facts(status: Status, problems: list[Problem]) -> dict[str, Any]:
    """Return what directors see of a status, problems first."""
    return {"status": status, "problems": problems, "version": metadata.version("pbem")}


def _unwritten(status: Status) -> Iterator[Problem]:
    for template, failed_at in status.failed_templates.items():
        what = phrase("problem.template", template=template, moment=minute(failed_at))
        yield Problem(ClubPart.TEMPLATES, what)


def _unanswered(status: Status) -> Iterator[Problem]:
    for bot in sorted({each.bot for each in status.failed_bots}):
        found = [failed for each, failed in status.failed_bots.items() if each.bot == bot]
        what = phrase("problem.bot", bot=f"bot-{bot}", count=len(found))
        yield Problem(ClubPart.BOTS, what, min(failed.since for failed in found))


def _stuck(status: Status) -> Iterator[Problem]:
    for number, since in sorted(status.stuck_competitions.items()):
        yield Problem(ClubPart.COMPETITIONS, phrase("problem.competition", number=number), since)


def _unheard(status: Status) -> Iterator[Problem]:
    since = status.webhook_fails_since
    if since is not None and status.now - since > WEBHOOK_PATIENCE:
        yield Problem(ClubPart.WEBHOOK, phrase("problem.webhook"), since)


def _stood_still(status: Status, poll_seconds: float) -> Iterator[Problem]:
    if status.held_since is not None:
        yield Problem(ClubPart.HELD, phrase("problem.held"), status.held_since)
    elif _is_late(status, status.last_beat):
        yield Problem(ClubPart.HEARTBEAT, phrase("problem.heartbeat"), status.last_beat)
    patience = max(LATELY, timedelta(seconds=MISSED_POLLS * poll_seconds))
    for intake in status.intakes:
        if _is_late(status, intake.seen_at, patience):
            what = phrase("problem.intake", place=intake.place)
            yield Problem(ClubPart.INTAKE, what, intake.seen_at)
    if status.jobs is not None and not status.jobs.workers:
        yield Problem(ClubPart.JOBS, phrase("problem.jobs"), status.jobs.last_seen)
    if status.ahead is not None and abs(status.ahead) > SKEW:
        seconds = round(abs(status.ahead).total_seconds())
        if status.ahead > NONE:
            yield Problem(ClubPart.CLOCK, phrase("problem.clock-ahead", seconds=seconds))
        else:
            yield Problem(ClubPart.CLOCK, phrase("problem.clock-behind", seconds=seconds))


def _is_late(status: Status, last: datetime | None, patience: timedelta = LATELY) -> bool:
    return last is None or status.now - last > patience


def _piled_up(status: Status) -> Iterator[Problem]:
    new = status.mails[InboundState.NEW]
    if _waits_long(status, new):
        what = phrase("problem.to-be-read", count=new.number)
        yield Problem(ClubPart.INBOUND, what, new.since)
    for line in status.lines:
        mails = Tally(line.mails, line.since)
        if line.urgency is Urgency.PLAY and not line.limit and _waits_long(status, mails):
            what = phrase("problem.to-go", count=mails.number)
            yield Problem(ClubPart.OUTBOX, what, mails.since)


def _waits_long(status: Status, mails: Tally) -> bool:
    return mails.since is not None and status.now - mails.since > LONG
