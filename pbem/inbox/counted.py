"""Counted: what has become of mails, for the numbers of a club."""

from __future__ import annotations

from pbem.commands import Found
from pbem.inbox.judgement import Accepted, Ignored, Judgement, Parked, Refused
from pbem.service.ports import Meter


def count_read(meter: Meter, judgement: Judgement) -> None:
    """What has become of a mail, once that is committed, and what it asked for."""
    meter.read(judgement.state, _reason(judgement))
    if isinstance(judgement, Accepted):
        for item in judgement.requests.items:
            if isinstance(item, Found):
                meter.asked(item.command.word)


def _reason(judgement: Judgement) -> str:
    """Of a mail of which nothing was done: a name of ours, never what stands in the mail."""
    match judgement:
        case Ignored():
            return judgement.reading.screening.verdict
        case Parked():
            return judgement.change.kind
        case Refused():
            return judgement.refusal.name()
        case _:
            return ""
