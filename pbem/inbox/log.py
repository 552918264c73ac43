"""Mail log: a line for each mail that was read or has gone, for who asks what happened that day.

It tells numbers, addresses and reasons out of lists of ours. What people wrote, subjects and tokens
are not in it.
"""

from __future__ import annotations

from typing import Any

import structlog

from pbem.commands import Found
from pbem.inbox.judgement import (
    Accepted,
    Duplicate,
    Ignored,
    Judgement,
    Kept,
    Limited,
    Parked,
    Refused,
    Stranger,
)
from pbem.mail.topic import match_of
from pbem.ports.inbound import InboundMail, InboundState
from pbem.service.questions import SureChange, UnclearChange, UnprovenChange

log = structlog.get_logger(__name__)


def log_read(judgement: Judgement) -> None:
    """What has become of a mail, once that is committed."""
    reading = judgement.reading
    match = reading.sender.match if reading.sender else None
    told = {
        "mail": reading.mail.id,
        "sender": reading.mail.sender or "nobody",
        "match": match.id if match else None,
        "fate": str(judgement.state),
        "reason": _reason(judgement),
    }
    log.info("mail read", **_known(told))


def log_shunted(mail: InboundMail, trace: str) -> None:
    """The same of one that was set aside, with where in the code the error arose."""
    fate, kind = str(InboundState.SHUNTED), trace.strip().splitlines()[-1]
    told = {"mail": mail.id, "sender": mail.sender, "match": match_of(mail.topic), "fate": fate}
    log.info("mail read", **_known({**told, "reason": kind}))
    log.error("shunted", mail=mail.id, traceback=trace)


def _known(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if value not in (None, "")}


def _reason(judgement: Judgement) -> str:
    """Why, in words of ours: the name of a refusal, not its text, which may quote the mail."""
    match judgement:
        case Ignored():
            # What stands behind the colon is quoted from the mail.
            screening = judgement.reading.screening
            return f"{screening.verdict}, {screening.reason.partition(': ')[0]}"
        case Stranger():
            return "no player has this address"
        case Duplicate():
            return "it came before"
        case Kept() | Limited():
            return judgement.reason
        case Parked():
            return WAITS[type(judgement.change)]
        case Refused():
            return judgement.refusal.name().replace("_", " ")
        case Accepted():
            return _done(judgement)


WAITS = {
    UnprovenChange: "no proof of its sender; waits for confirm",
    UnclearChange: "not certain; waits for confirm",
    SureChange: "shown first; waits for confirm",
}
"""Why a change waits."""


def _done(judgement: Accepted) -> str:
    """What a mail that was carried out has asked for, by kinds and numbers."""
    words = []
    if judgement.reading.confirmed is not None:
        words.append(f"confirms mail {judgement.reading.confirmed.pending.asked.inbound_id}")
    played = len(judgement.done.played)
    if played:
        words.append("1 action" if played == 1 else f"{played} actions")
    found = (item for item in judgement.requests.items if isinstance(item, Found))
    words += dict.fromkeys(item.command.word for item in found)
    return ", ".join(words)
