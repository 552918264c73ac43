"""Notify: what a change of a match entails: its mails, its new due times, the matches after it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pbem.matches.clock import PauseReason
from pbem.matches.event import FlagFell, MatchBegun
from pbem.matches.match import SummaryT
from pbem.matches.record import written
from pbem.service.play.heartbeat import counted
from pbem.service.play.notices import News, report, tell_players
from pbem.service.work import Work


def notify(work: Work, news: News) -> None:
    """Tells what happened in a match, and starts what follows it."""
    tell_players(work, news)
    if news.match.result is not None:
        work.jobs.enqueue("publish", news.match.id)
    begun = any(isinstance(event, MatchBegun) for event in news.events)
    if news.match.result is not None or begun:
        work.jobs.enqueue("pages", news.match.id)


def start_clock(work: Work, match: SummaryT) -> SummaryT:
    """The match, its clock started for the turn that begins; not for a bot, nor after the end.

    The clock of a player whom no mail reaches is paused.
    """
    if match.result is not None:  # a director's pause, too, is over with it
        return replace(match, clock=replace(match.clock.stop(work.now), pauses={}))
    started, asked = match.turn_started_at, match.player_to_act
    player = None if asked is None else work.players.get(asked)
    if player is not None and player.bot:
        work.jobs.enqueue("bots", match.id)
    if player is None or started is None or player.bot:
        return replace(match, clock=match.clock.stop(counted(work, work.now)))
    # That of somebody who has left runs: when the flag falls, the director hears.
    paused = () if player.reachable or player.former else (PauseReason.UNREACHABLE,)
    return replace(match, clock=match.clock.start(player.id, counted(work, started), paused))


def report_flag(work: Work, match: SummaryT, due_at: datetime) -> SummaryT:
    """Records that the player to act was out of time, and tells the director.

    Returns the match with its history gone on.
    """
    assert match.player_to_act is not None, "a seat is to act"
    player = work.players.get(match.player_to_act)
    fell = FlagFell(player.id, match.turn, match.seats_of(player.id)[0])
    match, _, happenings = written(match, match, (fell,), due_at)
    work.matches.append(match.id, (), happenings)
    work.matches.save(match)
    report(work, match, fell, due_at)
    return match
