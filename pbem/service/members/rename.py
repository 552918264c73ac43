"""Rename: a member is called otherwise, in what is played, in records and in the reading room."""

from __future__ import annotations

from pbem.mail.identity import KNOWN_BEFORE
from pbem.mail.outgoing.kinds import Renamed
from pbem.matches.match import Player
from pbem.ports.room import PageKind
from pbem.service.post.post import post
from pbem.service.work import Work


def rename(work: Work, member: Player, name: str) -> Player:
    """Gives a member another name; raises StorageError if it is taken."""
    after = work.players.rename(member.id, name)
    remember(work, member, after)
    work.matches.archive_again(member.id)
    work.stale.mark(PageKind.PERSON, [member.id])
    for job in ("publish", "pages"):
        work.jobs.enqueue(job)
    return after


def rename_by_director(work: Work, member: Player, name: str) -> Player:
    """The same, which the member hears of."""
    after = rename(work, member, name)
    post(work, Renamed(member.name, name), after)
    return after


def remember(work: Work, before: Player, after: Player) -> None:
    """Notes what a member was known by, and is no more."""
    now = {after.name, *after.addresses}
    gone = [each for each in (before.name, *before.addresses) if each not in now]
    known = work.players.get(after.id).settings.get(KNOWN_BEFORE, "").splitlines()
    lines = [each for each in dict.fromkeys((*known, *gone)) if each not in now]
    if lines != known:
        work.players.choose(after.id, KNOWN_BEFORE, "\n".join(lines))
