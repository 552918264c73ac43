"""Schedule: off time of a player, pauses, secret files, and changes of players' clocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from pbem.archive.site import addresses
from pbem.log import get_logger
from pbem.mail.outgoing.time_view import WidePause
from pbem.matches.clock import Clock, PauseReason, clock_rollback, outage
from pbem.matches.match import MatchSummary, Player, PlayerId, SummaryT
from pbem.matches.off_time import Schedule, Span
from pbem.matches.reminders import USUAL_NIGHTS, Reminders, Rest
from pbem.matches.time_control import NOTHING
from pbem.ports.play import CLUB, Pause
from pbem.ports.room import PageKind
from pbem.service.club import Club
from pbem.service.work import Work, writing
from pbem.settings import NEW, OFF, ON, SecretFile, calendar, feed, nights, reminders

SECRET_FILES = {each.setting.key: each for each in (calendar.FILE, feed.FILE)}
"""Files at secret addresses, by the key of their setting."""


def with_file(club: Club, player: Player, file: SecretFile, value: str) -> Player:
    """Return a player with a secret file turned on or off, or at a new address."""
    chosen = {**player.settings, file.setting.key: OFF if value == OFF else ON}
    if value == OFF:
        chosen[file.key] = ""
    elif value == NEW or not chosen.get(file.key):
        chosen[file.key] = club.unique() + club.unique()
    return replace(player, settings=chosen)


def choose_file(work: Work, player: Player, file: SecretFile) -> None:
    """Store a player's settings for a secret file, and mark it to be written or removed."""
    for key in (file.setting.key, file.key):
        work.players.choose(player.id, key, player.settings[key])
    work.stale.mark(PageKind.FEED, [player.id])
    work.jobs.enqueue("pages")


def address_of(club: Club, player: Player, file: SecretFile) -> str:
    """Return the address of a player's file. Empty if there is none or the site has no address."""
    secret = file.secret_of(player)
    if not secret or club.room is None or not club.room.site.url:
        return ""
    return club.room.site.url + addresses.deadlines(player.id, secret, file.form)


def has_files(player: Player) -> bool:
    """Return whether a player has a calendar or a feed in the reading room."""
    return any(file.is_on(player) for file in SECRET_FILES.values())


def mark_feeds(work: Work) -> None:
    """Mark all feeds as stale, after a change of all clocks."""
    subscribed = (player.id for player in work.players.all() if has_files(player))
    work.stale.mark(PageKind.FEED, subscribed)


YEAR = timedelta(days=366)
BACK = timedelta(days=31)
QUIET_AT_MOST = 4
"""Ratio of a turn's longest duration to its time, with nights, weekends, leave and holidays."""


def schedule_of(
    work: Work, match: MatchSummary, player: Player, at: datetime | None = None
) -> Schedule:
    """Return the off time of the player to move. Weekends belong to the match's time control.

    Leave taken after the player ran out of time, at `at` or by now, does not count.
    """
    schedule = Schedule(player.time_zone, nights=nights.nights_of(nights.SETTING.of(player)))
    schedule = schedule.on_holidays(_holidays(work, match, player))
    for pause in spans(work, match):
        schedule = schedule.on_leave(*pause)
    too_late = match.clock.had_fallen(at or work.now)
    for leave in work.leaves.of(player.id, match.turn_started_at or work.now):
        known = match.clock.schedule.leave_in(leave.start, leave.end)
        for span in known if too_late else ((leave.start, leave.end),):
            schedule = schedule.on_leave(*span)
    return schedule


def reminders_of(player: Player) -> Reminders:
    """Return when a player wants reminders, and their quiet hours."""
    rest = Rest(player.time_zone, nights.nights_of(nights.SETTING.of(player)) or USUAL_NIGHTS)
    return replace(Reminders.read(reminders.SETTING.of(player)), rest=rest)


def as_chosen(work: Work, match: MatchSummary, player: Player, at: datetime) -> Clock:
    """Return a match's clock with the player's current settings, from a moment on."""
    clock = match.clock.rescheduled(schedule_of(work, match, player, at), at)
    wanted = reminders_of(player)
    return clock if clock.reminders == wanted else clock.reminded(wanted, at)


def reschedule(work: Work, player: Player, at: datetime | None = None) -> None:
    """Reschedule a player's running clocks from a moment on, by default now."""
    since = min(at or work.now, counted(work, work.now))
    change_of_player(work, player.id, lambda match: as_chosen(work, match, player, since))


def rescheduled(work: Work, match: SummaryT, at: datetime) -> SummaryT:
    """Return a match whose clock has the schedule of the player to act, from a moment on.

    Returns it unchanged if the schedule is the same.
    """
    if match.clock.runs_for is None:
        return match
    player = work.players.get(match.clock.runs_for)
    clock = match.clock.rescheduled(schedule_of(work, match, player, at), at)
    return match if clock.schedule == match.clock.schedule else replace(match, clock=clock)


def _holidays(work: Work, match: MatchSummary, player: Player) -> Sequence[date]:
    """Return the club's holidays that the turn can meet, with some to spare."""
    today, bank = work.now.date(), match.clock.account(player.id).bank
    left = max(bank or NOTHING, NOTHING)  # a player far over time can still move late
    coming = (span for span in spans(work, match) if span.end > work.now)
    paused = (span.end - max(span.start, work.now) for span in coming)
    lasts = YEAR + QUIET_AT_MOST * (left + match.clock.grace) + sum(paused, NOTHING)
    return work.club.holidays.within(today - BACK, today + lasts)


log = get_logger(__name__)


def freshen(club: Club) -> int:
    """Reschedule turns for which the configured holidays have changed. Return how many.

    Time already used stays used. Works in batches, so that nobody waits for long.
    """
    after, changed = 0, 0
    while True:
        with writing(club) as work:
            matches = work.matches.playing(after, BATCH)
            if not matches:
                break
            at = counted(work, work.now)
            new = [(match, rescheduled(work, match, at)) for match in matches]
            others = [now for old, now in new if _coming(old, at) != _coming(now, at)]
            work.matches.save_clocks(others)
            after, changed = matches[-1].id, changed + len(others)
    if changed:
        with writing(club) as work:
            mark_feeds(work)
        log.info("other holidays", clocks=changed)
    return changed


def _coming(match: MatchSummary, at: datetime) -> Sequence[date]:
    """Return the holidays that count in a turn."""
    first, last = at.date(), (at + YEAR).date()
    return [day for day in match.clock.schedule.holidays if first <= day <= last]


BATCH = 200
"""Matches read at once, which bounds memory however many are being played."""


def pauses_of(work: Work, match: MatchSummary) -> Sequence[Pause]:
    """Return the pauses of the club and the match's competition that are not over."""
    return _not_over(work, _all(work, match))


def _not_over(work: Work, pauses: Sequence[Pause]) -> Sequence[Pause]:
    return [each for each in pauses if each.end is None or each.end > work.now]


def reasons(work: Work, match: MatchSummary) -> dict[PauseReason, Pause]:
    """Return the open-ended pauses of the club and the competition, beyond those of the match."""
    return {
        reason_of(each.competition): each for each in pauses_of(work, match) if each.end is None
    }


def paused_with_all(work: Work, match: MatchSummary) -> Clock:
    """Return the match's clock with the pauses of its competition and the club.

    A pause with a known end is in the schedule, unless the turn began as it was decided.
    """
    clock = match.clock
    for reason, pause in reasons(work, match).items():
        clock = clock.pause(reason, pause.start)
    if clock.runs_for is None:
        return clock
    for span in spans(work, match):
        if not clock.schedule.has_leave(span):
            clock = clock.rescheduled(clock.schedule.on_leave(*span), span.start)
    return clock


def club_pauses(work: Work) -> Sequence[Pause]:
    """Return the pauses of the whole club that are not over: one or none."""
    return _not_over(work, work.pauses.of(CLUB))


def wide_pauses(work: Work, match: MatchSummary) -> list[WidePause]:
    """Return the pauses that affect more than this match, as players see them."""
    return [WidePause(reason_of(each.competition), each.end) for each in pauses_of(work, match)]


def spans(work: Work, match: MatchSummary) -> list[Span]:
    """Return the pauses with a known end that overlap the current turn.

    They may be of the match, its competition or the club.
    """
    of_all = (Span(each.start, each.end) for each in _all(work, match) if each.end is not None)
    own = (Span(each.start, each.end) for each in match.breaks)
    begun = match.turn_started_at or work.now
    return [each for each in (*own, *of_all) if each.end > begun]


def _all(work: Work, match: MatchSummary) -> Sequence[Pause]:
    return work.pauses.of(CLUB if match.place is None else match.place.competition)


def reason_of(competition: int) -> PauseReason:
    """Return the reason that a pause of the club or a competition gives a clock."""
    return PauseReason.CLUB if competition == CLUB else PauseReason.COMPETITION


def clock_of(work: Work, match: MatchSummary) -> Clock:
    """Return a match's clock, paused if email does not reach the player or a director paused it."""
    asked = None if match.player_to_act is None else work.players.get(match.player_to_act)
    return paused(work, match, None if asked is None else unreached_since(work, asked))


def paused(work: Work, match: MatchSummary, unreached: datetime | None) -> Clock:
    """Do the same, given the time of the first rejection, None if email reaches the player."""
    clock = paused_with_all(work, match)
    return clock if unreached is None else clock.pause(PauseReason.UNREACHABLE, unreached)


def unreached_since(work: Work, player: Player) -> datetime | None:
    """Return when email last stopped reaching a player, None if it reaches them or they left."""
    if player.reachable or player.former:
        return None
    addresses = work.players.addresses(player.id)
    return max(each.failed_at for each in addresses if each.failed_at is not None)


def counted(work: Work, now: datetime) -> datetime:
    """Return a moment as running clocks count it.

    After an outage or clock jump that no heartbeat has credited yet, that is its beginning. All
    running clocks will be credited from there, exactly once.
    """
    last = work.last_beat
    return last if last is not None and has_jumped(last, now) else now


def has_jumped(last: datetime | None, now: datetime) -> bool:
    return outage(last, now) is not None or clock_rollback(last, now) is not None


def change_all(work: Work, change: Callable[[Clock], Clock]) -> int:
    """Change the clock of every running match. Return how many changed."""
    after, moved = 0, 0
    while matches := work.matches.playing(after, BATCH):
        changed = [replace(match, clock=change(match.clock)) for match in matches]
        others = [new for old, new in zip(matches, changed, strict=True) if new != old]
        work.matches.save_clocks(others)
        after, moved = matches[-1].id, moved + len(others)
    return moved


def change_of_player(
    work: Work, player: PlayerId, change: Callable[[MatchSummary], Clock]
) -> list[MatchSummary]:
    """Change the clocks of the matches where it is a player's turn. Return these matches."""
    mine = (match.id for match in work.matches.of_player(player) if match.player_to_act == player)
    locked = [work.matches.lock(match_id) for match_id in mine]
    # The turn may have passed to another player before the lock.
    asked = [match for match in locked if match.player_to_act == player]
    changed = [replace(match, clock=change(match)) for match in asked]
    work.matches.save_clocks(changed)
    work.stale.mark(PageKind.FEED, [player])
    return changed
