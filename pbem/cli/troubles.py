"""Troubles: mails that have not gone, as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from pbem.mail.bounce.failure import one_line
from pbem.ports.outbox import TroubledMail

LOOKED_BACK = timedelta(days=30)
"""How old a mail may be to be listed."""
MOST_SHOWN = 10


def lines_of(mails: Iterable[TroubledMail]) -> Iterator[str]:
    """Which mail it is, what became of it, and why."""
    for mail in mails:
        about = f" of {mail.topic}" if mail.topic is not None else ""
        queued = f"{mail.queued_at:%Y-%m-%d %H:%M} UTC"
        state = "is tried again" if mail.failed_at is None else "has failed"
        yield f"{queued}  {mail.kind}{about} to {mail.recipient} {state}: {one_line(mail.reply)}"
