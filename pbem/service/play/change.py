"""Change: the one place where a match changes, with its clock, snapshot, pages, jobs and emails.

Other modules only work out the change. Its events show who made it, which decides the clock's
rules: a player, a director, or somebody who takes over seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

from pbem.archive.site import addresses
from pbem.games import game_of
from pbem.log import get_logger
from pbem.mail.outgoing.kinds import DirectorFlag
from pbem.matches.clock import Clock, PauseReason, outage
from pbem.matches.competition import Competition, Pairing
from pbem.matches.competition_place import Place
from pbem.matches.decision import Decision
from pbem.matches.event import (
    BEGUN,
    ActionsPlayed,
    BreakAgreed,
    Event,
    FlagFell,
    LeftTheClub,
    LostOnTime,
    MatchBegun,
    Resigned,
    TakenBack,
)
from pbem.matches.history import Happening, Kind
from pbem.matches.match import (
    REOPENABLE,
    BeforeEnd,
    Match,
    MatchSummary,
    Player,
    PlayerId,
    SummaryT,
    new_match,
)
from pbem.matches.match_options import FLAG, TAKEBACKS
from pbem.matches.off_time import with_break
from pbem.matches.player_actions import Change, resign
from pbem.matches.record import WrittenHistory, opened, written
from pbem.matches.reliability import TurnTime
from pbem.matches.seat_changes import HandedOn
from pbem.matches.time_control import FLAG as FALLEN, TimeAccount
from pbem.matches.time_over import grace_for
from pbem.ports.room import PageKind
from pbem.service.clocks.schedule import (
    as_chosen,
    counted,
    reasons,
    reminders_of,
    rescheduled,
    schedule_of,
)
from pbem.service.club import Public
from pbem.service.leave import put_off
from pbem.service.people import heeding
from pbem.service.play.notices import News, tell_players
from pbem.service.play.plans import Answer, follow
from pbem.service.positions import EVERY, keep_snapshot, snapshot_in_turn
from pbem.service.post.competition_news import report_lost_on_time, tell_byes, tell_freed
from pbem.service.post.post import tell_director
from pbem.service.work import Work

log = get_logger(__name__)

FIRST_TURN = timedelta(days=5)
"""Least time that a substitute gets, or the opening time if that is less."""


def apply(work: Work, before: Match, change: Change, at: datetime) -> Match:
    """Store a change of a locked match with all that follows from it. Return the match.

    A player's change is dated by the receipt of their email, but not before the turn began and
    not after now.
    """
    after, events = change
    handed = next((each for each in events if isinstance(each, HandedOn)), None)
    decided = any(isinstance(each, Decision) for each in events)
    taken_back = any(isinstance(each, TakenBack) for each in events)
    if handed is None and not decided:
        received_at = min(at, work.now)
        at = min(max(received_at, before.turn_started_at or received_at), work.now)
        if not taken_back:  # nobody is late in a turn that is taken back
            before, after = _judged(work, before, after, received_at)
    match, actions, happenings = _append(work, before, after, events, at)
    snapshot_in_turn(work.snapshots, match, actions)
    _take_back(work, match, happenings)
    match = _reopenable(work, before, match)
    if decided:
        match = _clock_after_decision(work, before, match)
    elif handed is not None:
        match = _clock_handed_on(work, before, match, handed, at)
    else:
        match = _clock_after_turn(work, before, _with_break(match, events, at), at)
        if any(offer not in before.offers for offer in match.offers):
            work.jobs.enqueue("bots", match.id)  # a bot may have to answer the offer
    work.matches.save(match)
    if decided or handed is not None or taken_back:
        if before.place is not None:
            work.stale.mark(PageKind.COMPETITION, [before.place.competition])
        work.jobs.enqueue("pages", match.id)
    return match


def _reopenable(work: Work, before: Match, match: Match) -> Match:
    """Keep in a match that was just decided what it needs to continue.

    If it was reopened, have its record and its place in the calendar removed.
    """
    result = match.result
    if before.result is not None and result is None:
        at = before.result.ended_at
        work.stale.mark(PageKind.MONTH, [addresses.month(at.year, at.month)])
        work.jobs.enqueue("publish", match.id)
    if before.result is not None or result is None or result.termination not in REOPENABLE:
        return match
    clock = before.clock.halted(counted(work, work.now))
    kept = BeforeEnd(clock, before.place, before.public)
    public = match.public if match.counts else Public.NEVER
    return replace(match, public=public, result=replace(result, before=kept))


def flag_fell(work: Work, match: SummaryT, due_at: datetime) -> SummaryT:
    """Store that the player to act ran out of time. Return the match. Needs no position."""
    player = match.player_to_act
    assert player is not None, "the match has a player to act"
    fell = FlagFell(player, match.turn, match.seats_of(player)[0])
    match = _append(work, match, match, (fell,), due_at).match
    work.matches.save(match)
    return match


def report_flag(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """Ask the directors what to do about a player who ran out of time."""
    assert match.player_to_act is not None, "the match has a player to act"
    tell_director(work, DirectorFlag(match, work.players.get(match.player_to_act), due_at))


def tell(work: Work, news: News, place: Place | None = None) -> Match:
    """Email the players what happened, and do what the players to act have planned for that.

    Returns the match after that. `place` is the match's place in a competition, if the change took
    it out of there.
    """
    for answers in count():
        answer, lapsed = follow(work, news.match, news.events, answers)
        answers_at_once = None if answer is None else answer.player
        _tell(work, replace(news, answers_at_once=answers_at_once, lapsed=lapsed), place)
        if answer is None:
            break
        # The player whose email led to it has not caused it.
        work, place = replace(work, cause=None), None
        elsewhere = news.answered_elsewhere
        news = replace(_answered(work, news.match, answer), answered_elsewhere=elsewhere)
    return news.match


def _answered(work: Work, before: Match, answer: Answer) -> News:
    """Play what a player has planned, as a turn of its own that uses no time."""
    work.matches.lock(before.id)
    match = apply(work, before, answer.change, work.now)
    silent_to = answer.player if answer.silent else None
    return News(match, events=answer.change.events, before=before, silent_to=silent_to)


def _tell(work: Work, news: News, place: Place | None) -> None:
    """Email the players, queue what follows, and continue the competition."""
    match = news.match
    tell_players(work, news)
    if match.result is not None:
        work.jobs.enqueue("publish", match.id)
    if match.result is not None or any(isinstance(each, MatchBegun) for each in news.events):
        work.jobs.enqueue("pages", match.id)
    place = place or match.place
    for each in news.events:
        if place is not None and isinstance(each, LostOnTime):
            report_lost_on_time(work, work.competitions.get(place.competition), match, each.player)
    if match.result is not None and place is not None:
        competition = work.competitions.lock(place.competition)
        if match.place is None and match.hands.earlier:  # it is replayed
            entrants = competition.entrants(match, place.index)
            competition = competition.with_replay(place.index, match.entered, entrants)
            work.competitions.save(competition)
        tell_freed(work, competition, place.index)
        _continue(work, competition)
        if competition.announcement is not None:
            work.jobs.enqueue("competitions")


def _continue(work: Work, competition: Competition) -> None:
    """Start the matches that are due after one has ended. If the pairing fails, its end counts."""
    if not competition.continues:
        return
    begun, competition = work.matches.of_competition(competition.id), heeding(work, competition)
    try:
        due = competition.due(begun)
    except Exception:
        log.exception("competition does not proceed", competition=competition.id)
        return
    _start_all(work, competition, due, begun[0].public if begun else "", BEGUN)


def begin(work: Work, match: Match, begun: MatchBegun = BEGUN) -> Match:
    """Store a new match, start its clock and queue its first emails. Return the match."""
    return tell(work, News(store(work, match), events=(begun,)))


def start_due(
    work: Work, competition: Competition, public: str = "", told: MatchBegun = BEGUN
) -> None:
    """Start the matches that are due in a competition. Players who have left resign at once.

    All are stored before anything follows from one of them, such as the next round.
    """
    if not competition.continues:
        return
    begun = work.matches.of_competition(competition.id)
    public = begun[0].public if begun else public
    _start_all(work, competition, heeding(work, competition).due(begun), public, told)


def _start_all(
    work: Work, competition: Competition, due: Iterable[Pairing], public: str, told: MatchBegun
) -> None:
    game = game_of(competition.game_key)
    new = [
        new_match(
            game,
            competition.seated(pairing),
            competition.options,
            work.now,
            place=competition.place(pairing),
        )
        for pairing in due
    ]
    # In order, so that two competitions of the same players never deadlock.
    first = {match.player_to_act for match in new if match.player_to_act is not None}
    for player in sorted(first) if len(first) > 1 else ():
        work.players.lock(player)
    stored = [store(work, replace(match, public=public)) for match in new]
    tell_byes(work, competition, stored)
    for match in stored:
        former = [player for player in map(work.players.get, match.players) if player.former]
        if former:
            give_up(work, match, former, (told,))
        else:
            tell(work, News(match, events=(told,)))


def give_up(
    work: Work, match: Match, players: Iterable[Player], events: tuple[Event, ...] = ()
) -> Match:
    """Resign a locked match for players who have left. `events` are reported with the first."""
    for player in players:
        if match.result is None:
            change = resign(match, player.id, work.now)
            match = apply(work, match, change, work.now)
            told = (*events, LeftTheClub(player.id), *change.events)
            match = tell(work, News(match, events=told))
            events = ()
    return match


def store(work: Work, match: Match) -> Match:
    """Store a new match and start its clock. Return the match."""
    match = replace(match, club=work.club.name)
    match = start_clock(work, opened(replace(match, id=work.matches.add(match).id)))
    work.matches.save(match)
    return match


def _append(
    work: Work, before: SummaryT, after: SummaryT, events: Iterable[Event], at: datetime
) -> WrittenHistory[SummaryT]:
    """Append to a history and count the entries. Raises StorageError if a number is taken."""
    result = written(before, after, events, at)
    account = _account_of_turn(before, events)
    timed = _timed_turn(work, before, after, events, at)
    work.matches.append(before.id, result.actions, result.happenings, account, timed)
    work.entries[before.game_key, Kind.ACTION] += len(result.actions)
    work.entries.update((before.game_key, Kind(each.kind)) for each in result.happenings)
    return result


def _account_of_turn(before: MatchSummary, events: Iterable[Event]) -> TimeAccount | None:
    """Return the time account of the player who acts, in case the turn is taken back."""
    player = before.clock.runs_for
    acts = any(isinstance(each, ActionsPlayed) and each.player == player for each in events)
    if player is None or not acts or before.options.of(TAKEBACKS) == "off":
        return None
    return before.clock.account(player)


def _timed_turn(
    work: Work,
    before: MatchSummary,
    after: MatchSummary,
    events: Iterable[Event],
    at: datetime,
) -> TurnTime | None:
    """Return the turn that its player has completed, if it counts for their reliability.

    It does in a match with a clock against another person, unless they or somebody else ended their
    part in the match.
    """
    player, clock = before.clock.runs_for, before.clock
    played = any(isinstance(each, ActionsPlayed) and each.player == player for each in events)
    if player is None or not played or clock.account(player).bank is None:
        return None
    if not _has_turned(before, after) or any(isinstance(each, _NO_TURN) for each in events):
        return None
    if all(work.players.get(each).bot for each in before.players if each != player):
        return None
    late = FALLEN in clock.seen or _fallen_flag(work, before, at) is not None
    return TurnTime(player, clock.spent_at(at), late)


_NO_TURN = (Decision, LostOnTime, Resigned)
"""Events whose actions are not a turn of their player."""


def _take_back(work: Work, match: Match, happenings: Iterable[Happening]) -> None:
    """Take back actions if a turn was undone, and replace a snapshot that includes them."""
    for each in happenings:
        if each.kind is Kind.UNDONE:
            work.matches.take_back(match.id, int(each.text), each.entry)
            standing = work.matches.recorded(match.id)
            if len(standing) >= EVERY:
                keep_snapshot(work.snapshots, match, standing[-1])


def _judged(work: Work, before: Match, after: Match, received_at: datetime) -> tuple[Match, Match]:
    """Take the leave and record the flag that came due before a late turn was read."""
    if not _has_turned(before, after):
        return before, after
    due_at = _fallen_flag(work, before, received_at)
    while after.clock == before.clock and due_at is not None and put_off(work, before, due_at):
        before = replace(before, clock=work.matches.get(before.id).clock)
        after = replace(after, clock=before.clock)
        due_at = _fallen_flag(work, before, received_at)
    if due_at is not None:
        before = flag_fell(work, before, due_at)
        if not before.clock.grace and before.options.of(FLAG) == FLAG.usual:
            report_flag(work, before, due_at)
    return before, after


def _fallen_flag(work: Work, match: MatchSummary, at: datetime) -> datetime | None:
    """Return when a flag fell that no sweep had judged before a late email, None if none did."""
    due_at = match.clock.flag_at
    if due_at is None or at <= due_at:
        return None
    last_beat = work.last_beat
    # An uncredited outage moves anything due after its beginning past now.
    ends_outage = outage(last_beat, work.now) is not None
    return None if ends_outage and last_beat is not None and due_at > last_beat else due_at


def _with_break(match: Match, events: Iterable[Event], at: datetime) -> Match:
    """Pause a match if its players agreed, from when the last of them did."""
    spans = [event.span for event in events if isinstance(event, BreakAgreed)]
    for span in spans if match.result is None else ():
        match = replace(match, breaks=with_break(match.breaks, at, span, agreed=True))
    return match


def _has_turned(before: MatchSummary, after: MatchSummary) -> bool:
    return (after.token_turn, after.to_act) != (before.token_turn, before.to_act)


def _clock_after_turn(work: Work, before: Match, match: Match, at: datetime) -> Match:
    """Start the clock for the next turn, or adjust it if the turn continues."""
    stops = min(at, counted(work, work.now))
    if _has_turned(before, match):
        return start_clock(work, replace(match, clock=match.clock.stop(stops)))
    if (match.breaks, match.clock) != (before.breaks, before.clock):
        return rescheduled(work, match, stops)
    return match


def _clock_after_decision(work: Work, before: Match, match: Match) -> Match:
    """Start the clock for a new turn, or adjust it for whoever continues the turn."""
    at = counted(work, work.now)
    if before.result is not None:
        return start_clock(work, match, Clock.proceed)
    if _has_turned(before, match):
        return start_clock(work, replace(match, clock=match.clock.stop(at)))
    if match.player_to_act is None or match.player_to_act == before.player_to_act:
        # More time may meet more holidays, and a pause may have started or ended.
        return rescheduled(work, match, at)
    player = work.players.get(match.player_to_act)
    if player.bot or match.clock.runs_for is None:
        return start_clock(work, replace(match, clock=match.clock.dropped()))
    clock = as_chosen(work, match, player, at)
    if player.reachable:
        return replace(match, clock=clock.resume(PauseReason.UNREACHABLE, at))
    return replace(match, clock=clock.pause(PauseReason.UNREACHABLE, at))


def _clock_handed_on(
    work: Work, before: Match, match: Match, event: HandedOn, at: datetime
) -> Match:
    """Charge the running turn to its player, and start the clock for the successor.

    A substitute gets the time of the player who had it. A partner and a bot do not.
    """
    owner = before.hands.kept_for.get(event.seat, event.player)  # a bot has no time of its own
    changed = before.player_to_act != match.player_to_act
    clock = match.clock.stop(counted(work, at)) if changed else match.clock
    new = [player for player in match.players if player not in before.players]
    if new and new[0] != owner and not work.players.get(new[0]).bot:
        clock = _with_a_turn(clock.handed_over(owner, new[0]), new[0], at)
    match = replace(match, clock=clock)
    return start_clock(work, replace(match, turn_started_at=at)) if changed else match


def _with_a_turn(clock: Clock, player: PlayerId, at: datetime) -> Clock:
    """Return a clock with at least the time for a first turn."""
    bank, opening = clock.account(player).bank, clock.control.opening
    if bank is None or opening is None:
        return clock
    return clock.added(player, max(min(FIRST_TURN, opening) - bank, timedelta()), at)


def start_clock(work: Work, match: SummaryT, start: Callable[..., Clock] = Clock.start) -> SummaryT:
    """Start the clock for a new turn, unless it is a bot's turn or the match has ended.

    With `Clock.proceed`, the turn continues. It is paused if the player is unreachable or a
    director paused the competition or the club.
    """
    if match.result is not None:  # the end also ends a director's pause
        return replace(match, clock=replace(match.clock.stop(work.now), pauses={}))
    started, asked = match.turn_started_at, match.player_to_act
    player = None if asked is None else work.players.get(asked)
    if player is not None and player.bot:
        work.jobs.enqueue("bots", match.id)
    if player is None or started is None or player.bot:
        return replace(match, clock=match.clock.stop(counted(work, work.now)))
    # Their settings may be changing in a transaction that does not see this turn yet.
    player = work.players.lock(player.id)
    # A former member's clock runs, so that the director learns when the flag falls.
    unreached = () if player.reachable or player.former else (PauseReason.UNREACHABLE,)
    clock = start(
        match.clock,
        player.id,
        counted(work, started),
        (*unreached, *reasons(work, match)),
        schedule_of(work, match, player),
        reminders_of(player),
        grace_for(match, player.id),
    )
    return replace(match, clock=clock)
