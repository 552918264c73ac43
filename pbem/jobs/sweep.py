"""Sweep: reminders, flags, offers and questions that expire, outages, and email kept by a limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import takewhile

from pbem.inbox.pending import process_pending
from pbem.inbox.proof.rate_limits import RATE_SPAN
from pbem.inbox.strangers import reopen_held
from pbem.log import get_logger
from pbem.matches.clock import ENDS
from pbem.matches.match import PlayerId
from pbem.matches.time_control import FLAG, Due
from pbem.ports.play import Deadline
from pbem.ports.process import StorageUnavailable
from pbem.service.clocks.heartbeat import beat
from pbem.service.clocks.schedule import clock_of
from pbem.service.club import Club
from pbem.service.delivery.held_mail import is_held
from pbem.service.flags.falling import see_to
from pbem.service.leave import put_off
from pbem.service.offers.answering import lapse
from pbem.service.offers.reopening import is_stale, rest_or_open
from pbem.service.play.digests import due_readers, send_due
from pbem.service.play.remind import remind
from pbem.service.receive import put_into_line
from pbem.service.work import Work, reading, writing

log = get_logger(__name__)

BATCH = 20
"""Players reminded in one transaction, while nobody else can write."""


def sweep(
    club: Club,
    stopping: Callable[[], bool] = lambda: False,
    process: Callable[[Club, Callable[[], bool]], object] = process_pending,
) -> int:
    """Record a heartbeat, then handle everything due. Return how many emails that caused.

    `process` may leave waiting emails to others. No flag is judged before they are processed. While
    email is held after a restore, nothing else is done and no heartbeat recorded, so that period
    is an outage.
    """
    if is_held(club):
        process(club, stopping)
        return 0
    now = club.clock.now()
    judged_until = beat(club, now)
    with writing(club) as work:
        for mail in work.inbound.reopen(now - RATE_SPAN):
            put_into_line(work, mail)
        reopen_held(work)
        work.questions.drop_expired(now)
    process(club, stopping)
    with reading(club) as work:
        # The clock is read once. The next heartbeat credits a jump since the last one. If another
        # process has done so meanwhile, the due times are not comparable with this reading.
        seen_at = min(now, work.service.last_beat() or now)
        due, reminded = work.deadlines.due(seen_at), work.deadlines.reminded(seen_at)
        judged_until = min(judged_until, work.service.last_poll(club.intakes) or judged_until)
        judged_until = min(judged_until, work.inbound.waiting_since() or judged_until)
        expired = work.offers.expired(now)
        readers = due_readers(work, seen_at)
        changed = [each.number for each in work.offers.standing() if is_stale(work, each)]
    for number in expired:
        with writing(club) as work:
            lapse(work, number)
    for number in changed:
        with writing(club) as work:
            rest_or_open(work, number)
    batches = [reminded[first : first + BATCH] for first in range(0, len(reminded), BATCH)]
    steps: list[Callable[[], int]] = [partial(_remind, club, each, seen_at) for each in batches]
    steps += [partial(_send_digest, club, reader, seen_at) for reader in readers]
    # A flag is judged only once every email received before it fell has been read.
    judged = [each for each in due if each.kind in ENDS and each.due_at <= judged_until]
    steps += [partial(_judge_flag, club, each) for each in judged]
    return sum(step() for step in takewhile(lambda _: not stopping(), steps))


def _remind(club: Club, players: Sequence[PlayerId], now: datetime) -> int:
    """Remind players in one transaction, which is cheaper. Return how many emails that caused.

    A match that cannot be replayed does not block the other reminders.
    """
    try:
        with writing(club) as work:
            return sum(remind(work, player, now) for player in players)
    except StorageUnavailable:
        raise
    except Exception:
        if len(players) == 1:
            log.exception("not reminded", player=players[0])
            return 0
    return sum(_remind(club, [player], now) for player in players)


def _alone(club: Club, step: Callable[[Work], int], failed: str, **about: int) -> int:
    """Return how many emails a step caused. If it fails, that is logged and delays no other."""
    try:
        with writing(club) as work:
            return step(work)
    except StorageUnavailable:
        raise
    except Exception:
        log.exception(failed, **about)
        return 0


def _send_digest(club: Club, reader: PlayerId, now: datetime) -> int:
    """Send a member what waits for their digest. Return how many emails that caused."""
    return _alone(club, lambda work: send_due(work, reader, now), "no digest", player=reader)


def _judge_flag(club: Club, due: Deadline) -> int:
    """Handle a fallen flag. Return how many emails that caused."""
    return _alone(club, lambda work: _see_to(work, due), "flag not judged", match=due.match_id)


def _see_to(work: Work, deadline: Deadline) -> bool:
    match = work.matches.lock(deadline.match_id)
    if match.lacks_rules:  # it fell before, and is judged once the game is back
        return False
    clock = clock_of(work, match)
    if Due(deadline.kind, deadline.due_at) not in clock.dues:
        work.matches.save_clocks([replace(match, clock=clock)])
        return False
    if deadline.kind == FLAG and put_off(work, replace(match, clock=clock), deadline.due_at):
        return True
    match = replace(match, clock=clock.see_to(deadline.kind))
    work.matches.save_clocks([match])
    see_to(work, match, Due(deadline.kind, deadline.due_at))
    return True
