"""Known before: the names and addresses that a member had, kept only so that they can be erased."""

from __future__ import annotations

from pbem.mail.identity import KNOWN_BEFORE
from pbem.matches.match import Player
from pbem.service.work import Work


def remember(work: Work, before: Player, after: Player) -> None:
    """Notes what a member was known by, and is no more."""
    now = {after.name, *after.addresses}
    gone = [each for each in (before.name, *before.addresses) if each not in now]
    known = work.players.get(after.id).settings.get(KNOWN_BEFORE, "").splitlines()
    lines = [each for each in dict.fromkeys((*known, *gone)) if each not in now]
    if lines != known:
        work.players.choose(after.id, KNOWN_BEFORE, "\n".join(lines))
