"""Check of what takes mail by LMTP."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import minute
from pbem.service.ports import HANDED_OVER, LISTENS
from pbem.service.work import reading

LATELY = timedelta(minutes=10)
"""Whose heart has beaten within that time is alive."""


def look(examined: Examined) -> Iterator[Finding]:
    """Whether somebody takes what the mail server hands over, if the club is served at all."""
    section = examined.config.lmtp
    if section is None or examined.config.club.embedded:
        return
    with reading(examined.club) as work:
        lately, beat = work.now - LATELY, work.service.last_beat()
        listened = work.service.last_poll((LISTENS,))
        complete = work.service.last_poll((HANDED_OVER,))
    if beat is not None and beat > lately and (listened is None or listened < lately):
        since = "" if listened is None else f" since {minute(listened)}"
        yield Finding(
            "lmtp",
            f"nobody has taken mail at {section.listen}{since}, and no flag falls meanwhile."
            " Start pbem lmtp, or pbem serve anew.",
        )
        return
    behind = listened is not None and (complete is None or complete < lately)
    waits = "; no flag falls before the mail server has tried again what may wait there"
    yield Finding("lmtp", note=f"mail is handed over at {section.listen}{waits * behind}")
