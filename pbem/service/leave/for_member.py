"""For a member: the director takes leave for somebody, or ends it; they hear of it."""

from __future__ import annotations

from pbem.mail.outgoing.kinds import LeaveTaken
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.direct.decide import Director, log
from pbem.service.leave.taking import Taking, changes, do
from pbem.service.post.post import post
from pbem.service.work import Work


def do_for(work: Work, member: Player, taking: Taking, line: str, by: Director) -> None:
    """Does it by a line as it was written; raises LeaveError, and StorageError for a bot."""
    if member.bot:
        raise StorageError(f"{member.name} is a computer opponent")
    before, after = do(work, member.id, taking, work.now)
    log(work, by, f"leave {{{member.id}}} {line}", "")
    change = changes(before, after, work.now)
    if change is not None:
        leave, year = change.leave, change.leave.last.year
        why = "ended" if change.ends else "director"
        post(work, LeaveTaken(None, why, leave.first, leave.last, year, after.left(year)), member)
