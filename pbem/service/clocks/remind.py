"""Remind: the mail that tells a player how time runs out, one for all their matches of a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from pbem.mail.outgoing.due import due, length
from pbem.mail.outgoing.kinds import Reminder, TurnDue, TurnsDue
from pbem.matches.clock import ENDS
from pbem.matches.match import MatchSummary, Player
from pbem.matches.time_control import NOTHING
from pbem.matches.zones import zone_named
from pbem.service.clocks.reached import clock_of
from pbem.service.post.post import post, view_of
from pbem.service.work import Work

_LATER = datetime.max.replace(tzinfo=UTC)


def remind(work: Work, match_id: int) -> Sequence[int]:
    """Reminds the player to act in a match of what is due there now.

    The same mail tells of all their matches where something falls due later that day; returns the
    ids of all that it tells of, none where nothing is due after all.
    """
    asked = work.matches.get(match_id).player_to_act
    if asked is None:
        return ()
    player = work.players.get(asked)
    today = work.deadlines.of_player(asked, _midnight(player, work.now))
    # In order, lest two workers wait for each other.
    locked = [work.matches.lock(each) for each in sorted({match_id, *today})]
    matches = [replace(match, clock=clock_of(work, match)) for match in locked]
    told = list(_told(work, player, matches))
    if not any(match.id == match_id for match, now in told if now):
        work.matches.save_clocks([match for match in matches if match.id == match_id])
        return ()
    _tell(work, player, [match for match, _ in told])
    return [match.id for match, _ in told]


def _told(
    work: Work, player: Player, matches: Sequence[MatchSummary]
) -> Iterator[tuple[MatchSummary, bool]]:
    """Matches with something due on the day, that seen to; and whether it is due by now.

    A second reminder of one match stays what it was.
    """
    until = _midnight(player, work.now)
    for match in matches:
        if match.player_to_act != player.id:
            continue
        dues = [due for due in match.clock.dues() if due.kind not in ENDS and due.due_at <= until]
        by_now = [due for due in dues if due.due_at <= work.now]
        clock = match.clock
        for each in by_now or dues[:1]:
            clock = clock.see_to(each.kind)
        if dues:
            yield replace(match, clock=clock), bool(by_now)


def _tell(work: Work, player: Player, matches: Sequence[MatchSummary]) -> None:
    """Queues the mail, with the board where it is about one match."""
    work.matches.save_clocks(matches)
    if len(matches) == 1:
        view = view_of(work, work.whole(matches[0]), player)
        post(work, Reminder(view, length(_left(work, matches[0], player))), player)
        return
    by_flag = sorted(matches, key=lambda match: match.clock.flag_at or _LATER)
    post(work, TurnsDue([_turn(work, match, player) for match in by_flag]), player)


def _turn(work: Work, match: MatchSummary, player: Player) -> TurnDue:
    others = [work.players.get(each).name for each in match.others(player.id)]
    flag_at, left = match.clock.flag_at, _left(work, match, player)
    falls = None if flag_at is None else due(flag_at, player.time_zone, work.now)
    return TurnDue(match, others, length(left), falls)


def _left(work: Work, match: MatchSummary, player: Player) -> timedelta:
    return match.clock.left(player.id, work.now) or NOTHING


def _midnight(player: Player, now: datetime) -> datetime:
    """When the day ends that it is for a player."""
    zone, _ = zone_named(player.time_zone)
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(), zone).astimezone(UTC)
