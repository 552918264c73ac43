"""Running: start competitions when entry ends, close them on their last day, and end them.

Everything happens in one transaction for each step, under the lock of the competition. Locks are
taken in one order: matches, their competition, then players by number. After a crash, the regular
job does what is still to be done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from pbem.games import game_of, keys
from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.log import get_logger
from pbem.mail.outgoing.kinds import CompetitionEnded
from pbem.matches.announcement import OPEN, Order, Phase
from pbem.matches.competition import Competition
from pbem.matches.lots import shuffled
from pbem.matches.match import PlayerId
from pbem.matches.words import phrase
from pbem.ports.process import StorageUnavailable
from pbem.service.clocks.calendars import competition_calendar, store
from pbem.service.club import Club
from pbem.service.competitions.announcing import again, in_order
from pbem.service.competitions.due import is_due, last_day_is_over, read_until
from pbem.service.competitions.entering import EntryChange, announcement_of
from pbem.service.people import directors
from pbem.service.play.change import start_due
from pbem.service.play.start import require_offered
from pbem.service.post.attaching import certificate_of
from pbem.service.post.competition_news import report, tell, tell_left, view
from pbem.service.post.post import post, standing_of
from pbem.service.reliability import rating_in
from pbem.service.work import Work, reading, writing

JOB = "competitions"
log = get_logger(__name__)


def run_competitions(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Start, close and end competitions that are due. Return how many.

    None while email is held after a restore.
    """
    with reading(club) as work:
        if work.service.held_since() is not None:
            return 0
        read = read_until(work)
        # Without its game, a competition waits.
        going_on = [each for each in work.competitions.announced(OPEN) if each.game_key in keys()]
        checks = ((each.id, partial(is_due, work, each, read)) for each in going_on)
        due = [number for number, check in checks if _alone(number, check)]
    steps = ((each, partial(_step, club, each)) for each in due)
    return sum(_alone(*step) for step in takewhile(lambda _: not stopping(), steps))


def _alone(competition_id: int, run: Callable[[], bool]) -> bool:
    """Return what a step of a competition returns. If it fails, it delays no other competition."""
    try:
        return run()
    except StorageUnavailable:
        raise
    except Exception:
        log.exception("competition does not proceed", competition=competition_id)
        return False


def _step(club: Club, competition_id: int) -> bool:
    with writing(club) as work:
        of = work.competitions.lock(competition_id)
        if announcement_of(of).phase is Phase.ENTRY:
            started = start(work, of)
            if announcement_of(started).started:
                report(work, started, "started")
        else:
            proceed(work, of)
    return True


def proceed(work: Work, of: Competition) -> Competition:
    """Close or end a locked competition, or start its next matches, if due. Return it."""
    if announcement_of(of).phase is not Phase.RUNNING:
        return of
    if last_day_is_over(work, of):
        closed = of.closed_now()
        if closed is not None:
            store(work, closed)
            of = closed
    start_due(work, of)
    if of.standing(work.matches.of_competition(of.id)).over:
        return _end(work, of)
    return of


def start(work: Work, of: Competition) -> Competition:
    """Start a locked competition with its entrants, or call it off. Return it."""
    announcement = announcement_of(of)
    few = too_few(of)
    if few is not None:
        return _called_off(work, of, few)
    room = of.places(len(of.players))
    players = in_order(work, of, _ordered(work, replace(of, players=of.players[:room])))
    waiting = (*of.players[room:], *announcement.waiting)
    announcement = replace(announcement, phase=Phase.RUNNING, waiting=waiting)
    begun = of.listing(players).begun(players)
    begun = replace(begun, announcement=announcement, created_at=work.now)
    try:
        require_offered(game_of(of.game_key))
        begun.require_playable()
    except OptionError as error:
        return _called_off(work, of, error.reason)
    store(work, begun)
    start_due(work, begun)
    matches = work.matches.of_competition(begun.id)
    seated = {player for match in matches for player in match.players}
    tell(work, begun, [each for each in (*players, *waiting) if each not in seated], "started")
    return begun


def _ordered(work: Work, of: Competition) -> Sequence[PlayerId]:
    order = announcement_of(of).order
    if order is Order.LOTS:
        return shuffled(of.seed, "order", of.players)
    if order is Order.RATING:
        people = {each: work.players.get(each) for each in of.players}
        ratings = {each: rating_in(work, who, of.game_key) or 0 for each, who in people.items()}
        return sorted(of.players, key=lambda each: -ratings[each])
    return of.players


def too_few(of: Competition) -> Phrase | None:
    """Return why a competition cannot start with its entrants, None if they are enough."""
    entered, least = len(of.players), announcement_of(of).least
    if not entered:
        return phrase("entry.nobody", least=least)
    return phrase("entry.too-few", count=entered, least=least) if entered < least else None


def _called_off(work: Work, of: Competition, reason: Phrase | str) -> Competition:
    """Call off a competition that cannot start, which directors learn too. Return it.

    If it repeats, the next one is announced, unless the previous one was called off too.
    """
    announcement = announcement_of(of)
    previous = work.competitions.get(announcement.follows) if announcement.follows else None
    ends = previous is not None and announcement_of(previous).phase is Phase.CALLED_OFF
    if ends:
        reason = phrase("entry.not-again", reason=reason)
    off = call_off(work, of, reason)
    told = (*of.players, *announcement.waiting)
    report(work, off, "off", reason=work.club.club_renderer.words.text(reason), told=told)
    if not ends:
        again(work, off)
    return off


def call_off(work: Work, of: Competition, reason: Phrase | str) -> Competition:
    """Call off a locked competition, and tell everybody in it. Return it.

    Matches in play continue.
    """
    announcement = announcement_of(of)
    off = Phase.STOPPED if announcement.started else Phase.CALLED_OFF
    after = of.in_phase(off)
    store(work, after)
    everybody = (*of.taking_part, *announcement.waiting)
    tell(work, after, everybody, "off", reason=work.club.club_renderer.words.text(reason))
    return after


def _end(work: Work, of: Competition) -> Competition:
    """End a locked competition: all who took part and the directors get the final standing."""
    ended = of.in_phase(Phase.ENDED)
    store(work, ended)
    standing = standing_of(work, ended)
    told = dict.fromkeys((*ended.players, *(each.id for each in directors(work))))
    for player in map(work.players.get, told):
        if not player.bot:
            files = certificate_of(standing, player.id, work.club.name)
            mail = CompetitionEnded(view(work, ended, player), standing, bool(files))
            files = (*files, *competition_calendar(work, player, ended))
            post(work, mail, player, attachments=files)
    again(work, ended)
    return ended


def carry_out(work: Work, change: EntryChange) -> Competition:
    """Store a change of the entries of a locked competition, with all that follows. Return it."""
    after = change.after
    store(work, after)
    tell(work, after, change.admitted, "admitted")
    if change.left is not None:
        gain = after.left_by(change.left, work.matches.of_competition(after.id))
        tell_left(work, after, change.left, gain)
    return proceed(work, after)
