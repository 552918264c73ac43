"""Time view: deadlines, clocks and pauses of a match, as shown to one player."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from pbem.matches.clock import Clock, PauseReason
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.off_time import WEEKEND, Schedule, Span, standing
from pbem.matches.zones import zone_named

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
MOST_DAYS = 5
"""Maximum days of holidays and leave that an email lists for a turn."""


class WidePause(NamedTuple):
    """A pause of all matches of a competition or the club."""

    reason: PauseReason
    until: datetime | None
    """End of the pause. None if it lasts until a director resumes the clocks."""


class PlayerTime(NamedTuple):
    """The time of one player."""

    name: str
    you: bool
    left: Length | None
    """Time left. None if there is no limit."""
    used: Length
    for_turn: bool = False
    """Whether `left` is only for this turn, since time will count double in it."""


class TimeRow(NamedTuple):
    """Consecutive days."""

    first: date
    last: date


@dataclass(frozen=True)
class Stopped:
    """Why the clock is paused now."""

    why: str
    """A pause reason, or `agreed`, `ordered`, `leave`, `holiday`, `weekend`, `night`."""
    until: DueTime | None
    """When the clock runs again, None if unknown."""


@dataclass(frozen=True)
class Quiet:
    """Off time in the turn, besides pauses."""

    weekends: bool
    nights: str
    """`22-08`, empty for none."""
    days: Sequence[TimeRow]
    """The first holidays and days of leave before the deadline."""

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return self.weekends or bool(self.nights or self.days)


@dataclass(frozen=True)
class TimeView:
    """All clocks of a match."""

    players: Sequence[PlayerTime]
    """Starts with the reader. Leaves out bots and players who have stopped playing."""
    limited: bool
    stopped: Stopped | None
    quiet: Quiet
    whose: str
    """Name of the player whose clock runs, empty for the reader or if none runs."""

    @property
    def told(self) -> bool:
        """Whether there is anything to show: a limit, or time used."""
        return self.limited or any(any(each.used) for each in self.players)


def time_view(
    match: MatchSummary,
    you: Player,
    names: Mapping[PlayerId, str],
    now: datetime,
    *,
    without: Collection[PlayerId] = (),
    wide: Sequence[WidePause] = (),
) -> TimeView:
    """Return the clocks of a match as shown to a player."""
    people = [each for each in match.players if each not in without]
    in_order = sorted(people, key=lambda each: each != you.id)
    runs_for = None if match.result is not None else match.clock.runs_for
    running = runs_for is not None
    return TimeView(
        [_time(match.clock, each, names[each], now, you=each == you.id) for each in in_order],
        limited=match.result is None and match.clock.control.opening is not None,
        stopped=_stopped(match, you, now, wide) if running else None,
        quiet=_quiet(match, now) if running else Quiet(False, "", ()),
        whose="" if runs_for in (None, you.id) else names[runs_for or 0],
    )


def _time(clock: Clock, player: PlayerId, name: str, now: datetime, *, you: bool) -> PlayerTime:
    left, used = clock.left(player, now), length(clock.used(player, now))
    if left is None:
        return PlayerTime(name, you, None, used)
    lasts = clock.lasts(now) if player == clock.runs_for else None
    shown = length(left if lasts is None else lasts)
    return PlayerTime(name, you, shown, used, for_turn=shown != length(left))


def _stopped(
    match: MatchSummary, you: Player, now: datetime, wide: Sequence[WidePause]
) -> Stopped | None:
    clock = match.clock
    for reason in REASONS:
        if reason in clock.pauses:
            return Stopped(str(reason), None)
    why = next(_why_quiet(match, now, wide), "")
    wakes = clock.schedule.when(now, timedelta())
    return Stopped(why, due(wakes, you.time_zone, now)) if why and wakes > now else None


REASONS = (
    PauseReason.GAME,
    PauseReason.CLUB,
    PauseReason.COMPETITION,
    PauseReason.DIRECTOR,
    PauseReason.UNREACHABLE,
)
"""Order of precedence, since only the first reason is shown."""


def _why_quiet(match: MatchSummary, now: datetime, wide: Sequence[WidePause]) -> Iterator[str]:
    """Yield the reasons why a moment is off time, the most important first."""
    yield from (str(each.reason) for each in wide if each.until is not None and now < each.until)
    pause = standing(match.breaks, now)
    if pause is not None:
        yield "agreed" if pause.agreed else "ordered"
    schedule = match.clock.schedule
    wall = now.astimezone(zone_named(schedule.zone)[0])
    if any(leave.start <= now < leave.end for leave in schedule.leaves):
        yield "leave"
    if wall.date() in schedule.holidays:
        yield "holiday"
    if schedule.weekends and wall.weekday() >= WEEKEND:
        yield "weekend"
    if Schedule(schedule.zone, nights=schedule.nights).quiet_at(now):
        yield "night"


def _quiet(match: MatchSummary, now: datetime) -> Quiet:
    schedule, last = match.clock.schedule, match.clock.flag_at
    nights = "" if schedule.nights is None else str(schedule.nights)
    if last is None:
        return Quiet(schedule.weekends, nights, ())
    zone = zone_named(schedule.zone)[0]
    today, until = now.astimezone(zone).date(), last.astimezone(zone).date()
    days = {day for day in schedule.holidays if today <= day <= until}
    for leave in schedule.leaves:
        if leave.start > now:  # current leave is shown as the reason for the pause
            days.update(_days_of(leave, schedule.zone, until))
    return Quiet(schedule.weekends, nights, list(_rows(sorted(days)))[:MOST_DAYS])


def _days_of(leave: Span, zone: str, until: date) -> Iterator[date]:
    """Yield the days of a leave in the time zone of the player on leave."""
    place = zone_named(zone)[0]
    day = leave.start.astimezone(place).date()
    last = min((leave.end - MINUTE).astimezone(place).date(), until)
    while day <= last:
        yield day
        day += DAY


def _rows(days: Sequence[date]) -> Iterator[TimeRow]:
    """Yield rows of consecutive days."""
    row: TimeRow | None = None
    for day in days:
        if row is not None and row.last + DAY == day:
            row = TimeRow(row.first, day)
            continue
        if row is not None:
            yield row
        row = TimeRow(day, day)
    if row is not None:
        yield row


class Length(NamedTuple):
    """A length of time for the template: whole days, hours and minutes."""

    days: int
    hours: int
    minutes: int


class DueTime(NamedTuple):
    """A moment at which something is due, for the template."""

    local: datetime
    zone: str
    """The zone's name as people say it: `Warsaw`."""
    far: bool
    """Whether the year must be shown."""
    past: bool
    left: Length
    """Time from now until then."""


_LONG = 6
"""Hours from which minutes are left out."""
_SECOND = timedelta(seconds=1)


def length(time: timedelta) -> Length:
    """Return a length of time in whole hours, with minutes if it is short. Rounds down.

    Ignores fractions of a second, since mail servers stamp emails by the second.
    """
    hours, seconds = divmod(max(round(time / _SECOND), 0), 3600)
    return Length(*divmod(hours, 24), 0 if hours >= _LONG else seconds // 60)


_YEAR_GOES_WITHOUT_SAYING = timedelta(days=180)


def due(moment: datetime, time_zone: str, now: datetime) -> DueTime:
    """Return a moment in a reader's time zone, or in UTC if the zone is unknown."""
    zone, name = zone_named(time_zone)
    left = moment - now
    return DueTime(
        moment.astimezone(zone),
        name,
        far=abs(left) > _YEAR_GOES_WITHOUT_SAYING,
        past=left < timedelta(),
        left=length(left),
    )
