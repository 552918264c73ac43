"""Check of what takes mail by LMTP."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.cli.doctor.examined import LATELY, Examined
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import minute
from pbem.ports.storage import HANDED_OVER


def look(examined: Examined) -> Iterator[Finding]:
    """Whether somebody takes what the mail server hands over, if the club is served at all."""
    section = examined.config.lmtp
    if section is None or examined.config.club.embedded:
        return
    way = next(each for each in examined.status.intakes if each.name == HANDED_OVER)
    listened, complete = way.seen_at, way.complete_until
    lately = examined.status.now - LATELY
    if examined.is_served and (listened is None or listened < lately):
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
