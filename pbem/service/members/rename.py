"""Rename: a member is called otherwise, in the mails that come and in the reading room.

Histories and records in the archive know players by their numbers.
"""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.service.ports import PageKind
from pbem.service.work import Work


def rename(work: Work, member: Player, name: str) -> Player:
    """Gives a member another name; raises StorageError if it is taken."""
    work.players.rename(member.id, name)
    work.stale.mark(PageKind.PERSON, [member.id])
    work.jobs.enqueue("pages")
    return work.players.get(member.id)
