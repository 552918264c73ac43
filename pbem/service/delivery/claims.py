"""Claims: mail that a worker held who has died is sent at once, not when the claim runs out."""

from __future__ import annotations

import structlog

from pbem.service.club import Club
from pbem.service.work import reading, writing

log = structlog.get_logger(__name__)


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
