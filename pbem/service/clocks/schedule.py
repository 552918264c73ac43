"""Schedule: the hours that do not count for a player, pauses, and changes of their clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.archive.site import addresses
from pbem.log import get_logger, trace_of
from pbem.mail.outgoing.calendar import TurnEvent, attached
from pbem.mail.outgoing.letter import Attachment
from pbem.mail.outgoing.time_view import WidePause
from pbem.matches.clock import Clock, PauseReason, gone_back, outage
from pbem.matches.match import MatchSummary, Player, PlayerId, SummaryT
from pbem.matches.quiet import Schedule, Span
from pbem.matches.reminders import USUAL_NIGHTS, Reminders, Rest
from pbem.matches.time_control import FLAG, NOTHING
from pbem.ports.play import CLUB, Pause
from pbem.ports.room import PageKind
from pbem.service.club import Club
from pbem.service.work import Work, writing
from pbem.settings import calendar, nights, reminders

if TYPE_CHECKING:
    from pbem.mail.outgoing.render import Renderer

SUMMARY = "_calendar.txt.j2"
ATTACHED_AS = "text/calendar; method=PUBLISH"


def with_calendar(club: Club, player: Player, value: str) -> Player:
    """The player as they are once they have turned it on or off, or asked for another address."""
    stored = calendar.OFF if value == calendar.OFF else calendar.ON
    chosen = {**player.settings, calendar.SETTING.key: stored}
    if value == calendar.OFF:
        chosen[calendar.ADDRESS_KEY] = ""
    elif value == calendar.NEW or not chosen.get(calendar.ADDRESS_KEY):
        chosen[calendar.ADDRESS_KEY] = club.unique() + club.unique()
    return replace(player, settings=chosen)


def choose_calendar(work: Work, player: Player) -> None:
    """Stores what a player is to have; their feed is written, or goes."""
    for key in (calendar.SETTING.key, calendar.ADDRESS_KEY):
        work.players.choose(player.id, key, player.settings[key])
    work.stale.mark(PageKind.FEED, [player.id])
    work.jobs.enqueue("pages")


def address_of(club: Club, player: Player) -> str:
    """Where their feed can be read; empty if there is none, or no address of the site is known."""
    secret = calendar.secret_of(player)
    if not secret or club.room is None or not club.room.site.url:
        return ""
    return club.room.site.url + addresses.deadlines(player.id, secret)


def turn_event(
    renderer: Renderer, host: str, match: MatchSummary, player: PlayerId
) -> TurnEvent | None:
    """The turn that a player is to play in a match; None if it is not theirs."""
    if match.player_to_act != player or match.result is not None or match.turn_started_at is None:
        return None
    return TurnEvent(
        uid=f"match-{match.id}-turn-{match.token_turn}-player-{player}@{host}",
        summary=renderer.part([SUMMARY], {"match": match}),
        begun_at=match.turn_started_at,
        due_at=match.clock.flag_at,
        fallen=FLAG in match.clock.seen,
    )


def calendar_of(
    work: Work, player: Player, match: MatchSummary, before: MatchSummary | None
) -> Sequence[Attachment]:
    """What goes with a mail to a player about a match: the turn that is theirs, or is not any more.

    Nothing, unless they want it and the match has a clock.
    """
    if not calendar.is_on(player):
        return ()
    try:
        turns = list(_told(work, player, match, before))
    except Exception as error:  # noqa: BLE001 a fault in a text must undo nothing
        template = f"{work.club.language}/{SUMMARY}"
        log.error("calendar not attached", template=template, traceback=trace_of(error))
        work.faulty_templates.add(template)
        return ()
    if not turns:
        return ()
    text = attached(turns, work.club.address, work.now)
    return (Attachment(f"match-{match.id}.ics", ATTACHED_AS, text),)


def _told(
    work: Work, player: Player, match: MatchSummary, before: MatchSummary | None
) -> Iterator[TurnEvent]:
    renderer, host = work.club.club_renderer, work.club.host
    now = turn_event(renderer, host, match, player.id)
    then = None if before is None else turn_event(renderer, host, before, player.id)
    if match.clock.account(player.id).bank is None:  # nothing falls due
        return
    if then is not None and (now is None or now.uid != then.uid):
        yield replace(then, due_at=None)
    if now is not None and not now.fallen:
        yield now


def mark_feeds(work: Work) -> None:
    """All feeds are to be written: something has befallen all clocks."""
    subscribed = (player.id for player in work.players.all() if calendar.is_on(player))
    work.stale.mark(PageKind.FEED, subscribed)


YEAR = timedelta(days=366)
BACK = timedelta(days=31)
QUIET_AT_MOST = 4
"""How much longer a turn lasts than its time: by nights, weekends, leave and holidays together."""


def schedule_of(
    work: Work, match: MatchSummary, player: Player, at: datetime | None = None
) -> Schedule:
    """What does not count for a player whose turn it is; weekends are for the match's control.

    Leave that was taken once their time was over, which is so at a moment or now, is none here.
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
    """When they want to be reminded, and when they sleep."""
    rest = Rest(player.time_zone, nights.nights_of(nights.SETTING.of(player)) or USUAL_NIGHTS)
    return replace(Reminders.read(reminders.SETTING.of(player)), rest=rest)


def as_chosen(work: Work, match: MatchSummary, player: Player, at: datetime) -> Clock:
    """The clock of a match that runs for a player, by what counts for them from a moment on."""
    clock = match.clock.rescheduled(schedule_of(work, match, player, at), at)
    wanted = reminders_of(player)
    return clock if clock.reminders == wanted else clock.reminded(wanted, at)


def reschedule(work: Work, player: Player, at: datetime | None = None) -> None:
    """Clocks that run for a player go by what counts for them from now on, or from a moment on."""
    since = min(at or work.now, counted(work, work.now))
    change_of_player(work, player.id, lambda match: as_chosen(work, match, player, since))


def rescheduled(work: Work, match: SummaryT, at: datetime) -> SummaryT:
    """A match whose clock goes by what counts for the player to act from a moment on.

    Where nothing else counts than before it is left as it is.
    """
    if match.clock.runs_for is None:
        return match
    player = work.players.get(match.clock.runs_for)
    clock = match.clock.rescheduled(schedule_of(work, match, player, at), at)
    return match if clock.schedule == match.clock.schedule else replace(match, clock=clock)


def _holidays(work: Work, match: MatchSummary, player: Player) -> Sequence[date]:
    """Those of the club that the turn can meet, and more."""
    today, bank = work.now.date(), match.clock.account(player.id).bank
    left = max(bank or NOTHING, NOTHING)  # who is far over their time still plays on, and late
    coming = (span for span in spans(work, match) if span.end > work.now)
    paused = (span.end - max(span.start, work.now) for span in coming)
    lasts = YEAR + QUIET_AT_MOST * (left + match.clock.grace) + sum(paused, NOTHING)
    return work.club.holidays.within(today - BACK, today + lasts)


log = get_logger(__name__)


def freshen(club: Club) -> int:
    """Reschedules turns for which other holidays count than are configured now; returns how many.

    What they have used so far stays used. Some at a time, so that nobody waits for long.
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
    """Holidays that count in a turn."""
    first, last = at.date(), (at + YEAR).date()
    return [day for day in match.clock.schedule.holidays if first <= day <= last]


BATCH = 200
"""Matches read at once: a bound on memory, however many are being played."""


def pauses_of(work: Work, match: MatchSummary) -> Sequence[Pause]:
    """Pauses of the club and of its competition that are not over."""
    return [each for each in _all(work, match) if each.end is None or each.end > work.now]


def reasons(work: Work, match: MatchSummary) -> dict[PauseReason, Pause]:
    """Why its clock is paused until a director has it go on, beside what is stored with it."""
    return {
        reason_of(each.competition): each for each in pauses_of(work, match) if each.end is None
    }


def paused_with_all(work: Work, match: MatchSummary) -> Clock:
    """Its clock, paused where its competition or the club is.

    A pause whose end is known is in the schedule, unless the turn began as the pause was decided.
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


def wide_pauses(work: Work, match: MatchSummary) -> list[WidePause]:
    """Pauses of more than the match, as players are told of them."""
    return [WidePause(reason_of(each.competition), each.end) for each in pauses_of(work, match)]


def spans(work: Work, match: MatchSummary) -> list[Span]:
    """Pauses whose end is known, of the match, its competition and the club, as far as the turn
    that is being played meets them."""
    of_all = (Span(each.start, each.end) for each in _all(work, match) if each.end is not None)
    own = (Span(each.start, each.end) for each in match.breaks)
    begun = match.turn_started_at or work.now
    return [each for each in (*own, *of_all) if each.end > begun]


def _all(work: Work, match: MatchSummary) -> Sequence[Pause]:
    return work.pauses.of(CLUB if match.place is None else match.place.competition)


def reason_of(competition: int) -> PauseReason:
    """Why a clock is paused by a pause of that."""
    return PauseReason.CLUB if competition == CLUB else PauseReason.COMPETITION


def clock_of(work: Work, match: MatchSummary) -> Clock:
    """The clock of a match, paused where mail reaches nobody, or a director has it so."""
    asked = None if match.player_to_act is None else work.players.get(match.player_to_act)
    return paused(work, match, None if asked is None else unreached_since(work, asked))


def paused(work: Work, match: MatchSummary, unreached: datetime | None) -> Clock:
    """The same where it is known since when no mail reaches that player; None: it does."""
    clock = paused_with_all(work, match)
    return clock if unreached is None else clock.pause(PauseReason.UNREACHABLE, unreached)


def unreached_since(work: Work, player: Player) -> datetime | None:
    """Since when no mail reaches a player; None if it does, and for who has left."""
    if player.reachable or player.former:
        return None
    addresses = work.players.addresses(player.id)
    return max(each.failed_at for each in addresses if each.failed_at is not None)


def counted(work: Work, now: datetime) -> datetime:
    """A moment as running clocks count it.

    After an outage or a jump that no heartbeat has credited yet that is its beginning: all running
    clocks will be given the time since, and to none must it be given twice, or be kept from it.
    """
    last = work.last_beat
    return last if last is not None and has_jumped(last, now) else now


def has_jumped(last: datetime | None, now: datetime) -> bool:
    return outage(last, now) is not None or gone_back(last, now) is not None


def change_all(work: Work, change: Callable[[Clock], Clock]) -> int:
    """Changes the clock of every match being played; returns how many are another now."""
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
    """Changes the clocks of the matches where a player is to act; returns these matches."""
    mine = (match.id for match in work.matches.of_player(player) if match.player_to_act == player)
    locked = [work.matches.lock(match_id) for match_id in mine]
    # One of them may have gone on before it was locked.
    asked = [match for match in locked if match.player_to_act == player]
    changed = [replace(match, clock=change(match)) for match in asked]
    work.matches.save_clocks(changed)
    work.stale.mark(PageKind.FEED, [player])
    return changed
