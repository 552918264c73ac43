"""Sweep: reminders, flags, offers and questions that lapse, outages, and mail kept by a limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pbem.inbox.process import process_pending
from pbem.inbox.proof.limits import RATE_SPAN
from pbem.mail.outgoing.kinds import Reminder
from pbem.matches.clock import ENDS, Clock, PauseReason
from pbem.matches.match import MatchSummary
from pbem.matches.reminders import LAST_DAY
from pbem.matches.time_control import FLAG, Due
from pbem.service.clocks.pauses import paused_with_all
from pbem.service.club import Club
from pbem.service.flags.falling import see_to
from pbem.service.leave.auto import put_off
from pbem.service.play.heartbeat import beat
from pbem.service.ports import Deadline
from pbem.service.post.post import post, view_of
from pbem.service.tables.answering import lapse
from pbem.service.work import Work, reading, writing


def sweep(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Beats the heart, then sees to everything that is due; returns how many mails that made."""
    now = club.clock.now()
    judged_until = beat(club, now)
    with writing(club) as work:
        work.inbound.reopen(now - RATE_SPAN)
        work.questions.drop_expired(now)
    process_pending(club, stopping)
    with reading(club) as work:
        # The clock is looked at once: a jump since the heartbeat is credited by the next. If
        # somebody has done so meanwhile, the due times are of another reckoning than this look.
        due = work.deadlines.due(min(now, work.service.last_beat() or now))
        judged_until = min(judged_until, work.service.last_poll() or judged_until)
        expired = work.offers.expired(now)
    for number in expired:
        with writing(club) as work:
            lapse(work, number)
    told = 0
    for deadline in due:
        if stopping():
            break
        # A flag is judged only once every mail received before it fell has been read.
        if deadline.kind not in ENDS or deadline.due_at <= judged_until:
            told += _see_to(club, deadline)
    return told


def _see_to(club: Club, deadline: Deadline) -> bool:
    with writing(club) as work:
        match = work.matches.lock(deadline.match_id)
        clock = _clock(work, match)
        if Due(deadline.kind, deadline.due_at) not in clock.dues():
            work.matches.save_clocks([replace(match, clock=clock)])
            return False
        if deadline.kind == FLAG and put_off(work, replace(match, clock=clock), deadline.due_at):
            return True
        match = replace(match, clock=clock.see_to(deadline.kind))
        work.matches.save_clocks([match])
        if deadline.kind in ENDS:
            see_to(work, match, Due(deadline.kind, deadline.due_at))
        else:
            _remind(work, match, last=deadline.kind == LAST_DAY)
    return True


def _clock(work: Work, match: MatchSummary) -> Clock:
    """The clock of a match, paused if no mail reaches the player to act, or a director has it so.

    It may not be yet: that can begin while a worker begins the turn.
    """
    match = replace(match, clock=paused_with_all(work, match))
    asked = None if match.player_to_act is None else work.players.get(match.player_to_act)
    if asked is None or asked.reachable or asked.former:
        return match.clock
    addresses = work.players.addresses(asked.id)
    unreached_since = max(each.failed_at for each in addresses if each.failed_at is not None)
    return match.clock.pause(PauseReason.UNREACHABLE, unreached_since)


def _remind(work: Work, summary: MatchSummary, *, last: bool) -> None:
    match = work.whole(summary)
    assert match.player_to_act is not None, "a seat is to act"
    player = work.players.get(match.player_to_act)
    post(work, Reminder(view_of(work, match, player), last), player)
