"""Absent for good: find members who don't answer or cannot be reached.

The directors are asked once. Seats are offered to substitutes if the players agreed to that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from pbem.mail.outgoing.kinds import DirectorAbsent
from pbem.matches.clock import PauseReason
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.service.post.post import tell_director
from pbem.service.questions import ask, waiting
from pbem.service.takeovers.change import allows_substitutes
from pbem.service.takeovers.vacancies import offer_to_substitutes
from pbem.service.work import Work

SILENT = timedelta(days=60)
"""A member is silent after not answering for this long, in any match."""
UNREACHED = timedelta(days=14)
"""A member is unreachable after no address accepted email for this long."""
_KEPT_DAYS = 3650


@dataclass(frozen=True)
class AbsentForGood:
    """Records that the directors were asked about a member. The member is the question's holder."""

    kind: ClassVar[str] = "absent"
    asked_at: str
    """In ISO 8601."""


def perhaps_absent(work: Work) -> list[PlayerId]:
    """Return members who may be absent for good, except those already reported."""
    asked = work.matches.asked_since(_heard_until(work) - SILENT)
    found = {*asked, *work.players.unreached_since(work.now - UNREACHED)}
    return [each for each in sorted(found) if not _is_known(work, work.players.get(each))]


def report_if_absent(work: Work, member: PlayerId) -> bool:
    """Report a member to the directors if absent for good. Return whether that was now."""
    player = work.players.lock(member)
    if not player.gets_mail or _is_known(work, player):
        return False
    matches = work.matches.of_player(member)
    unreached = _is_unreached(work, player)
    if not matches or not (unreached or _is_silent(work, player, matches)):
        return False
    waiting_for = [each.id for each in matches if each.player_to_act == member]
    days = (UNREACHED if unreached else SILENT).days
    offered = [each.id for each in matches if allows_substitutes(each)]
    _ask_directors(work, DirectorAbsent(player, days, unreached, waiting_for, bool(offered)))
    for match in offered:
        offer_to_substitutes(work, work.lock_match(match), player)
    return True


def _is_unreached(work: Work, player: Player) -> bool:
    if player.reachable:
        return False
    since = work.now - UNREACHED
    addresses = work.players.addresses(player.id)
    return all(each.failed_at is not None and each.failed_at <= since for each in addresses)


def _is_silent(work: Work, player: Player, matches: Sequence[MatchSummary]) -> bool:
    until = _heard_until(work)
    for match in matches:
        since = until - SILENT - _away(match, until)
        if _has_been_asked(match, player, since) and not work.inbound.heard(
            player.addresses, since
        ):
            return True
    return False


def _away(match: MatchSummary, until: datetime) -> timedelta:
    """Return how much of the current turn nobody expected an answer.

    That is while the match was paused, its player on leave, or the club out of service.
    """
    begun, schedule = match.turn_started_at or until, match.clock.schedule
    ran = [(start, min(end, until)) for start, end in match.clock.ran(until)]
    asked = sum((end - start for start, end in ran if start < end), timedelta())
    on_leave = (end - start for span in ran for start, end in schedule.leave_in(*span))
    return until - begun - asked + sum(on_leave, timedelta())


def _has_been_asked(match: MatchSummary, player: Player, since: datetime) -> bool:
    """Return whether it has been their turn since a moment, in a match that is not paused."""
    if match.player_to_act != player.id or match.clock.pauses.keys() - {PauseReason.UNREACHABLE}:
        return False
    return match.turn_started_at is not None and match.turn_started_at <= since


def _is_known(work: Work, player: Player) -> bool:
    """Return whether the directors have been asked since the member last wrote."""
    return any(
        not work.inbound.heard(player.addresses, datetime.fromisoformat(each.asked.asked_at))
        for each in waiting(work, (AbsentForGood,), player.id)
    )


def _ask_directors(work: Work, mail: DirectorAbsent) -> None:
    """Ask the directors once. Settles the question about any earlier absence."""
    for pending in waiting(work, (AbsentForGood,), mail.player.id):
        work.questions.settle(pending.question.id)
    tell_director(work, mail)
    ask(work, AbsentForGood(work.now.isoformat()), mail.player.id, _KEPT_DAYS)


def _heard_until(work: Work) -> datetime:
    """Return the time up to which all received email is recorded."""
    return work.service.last_poll(work.club.intakes) or work.now
