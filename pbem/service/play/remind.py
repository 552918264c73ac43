"""Remind: send one email for all matches of a day in which a player's time runs out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from pbem.mail.outgoing.kinds import Reminder, TurnDue, TurnsDue
from pbem.mail.outgoing.time_view import due
from pbem.matches.clock import ENDS, Clock
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.time_control import Due
from pbem.matches.zones import zone_named
from pbem.service.clocks.schedule import paused, unreached_since
from pbem.service.people import names_in
from pbem.service.post.post import post, view_of
from pbem.service.work import Work

_LATER = datetime.max.replace(tzinfo=UTC)


def remind(work: Work, player_id: PlayerId, now: datetime) -> bool:
    """Remind a player of all that is due by now or later on their day. Return whether it did.

    `now` is when the sweep looked for reminders. By now, none may be due.
    """
    player = work.players.get(player_id)
    midnight, unreached = _midnight(player, now), unreached_since(work, player)
    # In order, so that two workers never deadlock.
    locked = (work.matches.lock(each) for each in work.deadlines.of_player(player_id, midnight))
    mine = (match for match in locked if match.player_to_act == player_id)
    asked = [match for match in mine if not match.lacks_rules]
    matches = [replace(match, clock=paused(work, match, unreached)) for match in asked]
    told = [(match, _dues(match.clock, now, midnight)) for match in matches]
    if not any(due.due_at <= now for _, dues in told for due in dues):
        work.matches.save_clocks(matches)  # removes index entries that the clocks no longer have
        return False
    _tell(work, player, [_seen_to(match, dues) for match, dues in told if dues])
    return True


def _dues(clock: Clock, now: datetime, midnight: datetime) -> Sequence[Due]:
    """Return the reminders to send now: those that are due, or else the next of the day.

    The next one keeps its own hour if another of the same turn was sent shortly before.
    """
    dues = [due for due in clock.dues if due.kind not in ENDS and due.due_at <= midnight]
    due_now = [due for due in dues if due.due_at <= now]
    return due_now if due_now or clock.reminded_shortly_before(now) else dues[:1]


def _seen_to(match: MatchSummary, dues: Sequence[Due]) -> MatchSummary:
    clock = match.clock
    for each in dues:
        clock = clock.see_to(each.kind)
    return replace(match, clock=clock)


def _tell(work: Work, player: Player, matches: Sequence[MatchSummary]) -> None:
    """Queue the reminder, with the board if it is about one match."""
    work.matches.save_clocks(matches)
    if len(matches) == 1:
        view = view_of(work, work.whole(matches[0]), player)
        post(work, Reminder(view), player)
        return
    by_flag = sorted(matches, key=lambda match: match.clock.flag_at or _LATER)
    post(work, TurnsDue([_turn(work, match, player) for match in by_flag]), player)


def _turn(work: Work, match: MatchSummary, player: Player) -> TurnDue:
    names = names_in(work, match, player)
    others = [names[each] for each in match.others(player.id)]
    flag_at = match.clock.flag_at
    falls = None if flag_at is None else due(flag_at, player.time_zone, work.now)
    return TurnDue(match, others, falls)


def _midnight(player: Player, now: datetime) -> datetime:
    """Return when the current day ends for a player."""
    zone, _ = zone_named(player.time_zone)
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(), zone).astimezone(UTC)
