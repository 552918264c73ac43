"""Decide: an order of a director is carried out, logged, and told to the table."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from pbem.mail.outgoing.kinds import DirectorDecided, HandedOver
from pbem.matches.acting import Change
from pbem.matches.clock import PauseReason
from pbem.matches.decision import Replaced, Undone
from pbem.matches.history import Kind
from pbem.matches.match import Match, Player, PlayerId
from pbem.matches.record import written
from pbem.ports.play import LoggedDecision
from pbem.ports.room import PageKind
from pbem.service.clocks.schedule import as_chosen, rescheduled
from pbem.service.clocks.start import start_clock
from pbem.service.direct.orders import Order
from pbem.service.members.roles import directors
from pbem.service.play.competitions import give_up_all, go_on
from pbem.service.play.heartbeat import counted
from pbem.service.play.notices import News
from pbem.service.play.notify import notify
from pbem.service.post.post import post
from pbem.service.room.room import Public
from pbem.service.snapshots import EVERY, keep_snapshot, snapshot_in_turn
from pbem.service.work import Work


class Director(NamedTuple):
    """Who decides: a member with the role, or whoever sits at the shell."""

    player: PlayerId | None = None


SHELL = Director()


def decide(work: Work, order: Order, by: Director) -> Match:
    """The match after an order; raises DecisionError, or an ActionError."""
    before = work.lock_match(order.match)
    change = order.change(work, before)
    match = _recorded(work, before, change)
    log(work, by, order.line, order.reason, match.id)
    tell_others(work, by, order.line_for(work), order.reason)
    gone = _gone(work, match, change)
    if gone:
        return give_up_all(work, match, gone, change.events)
    _tell(work, before, match, change)
    go_on(work, replace(match, place=before.place))
    return match


def log(work: Work, by: Director, line: str, reason: str, match: int | None = None) -> None:
    """Keeps who did what, when and why."""
    work.decisions.add(LoggedDecision(work.now, by.player, match, line, reason))


def tell_others(work: Work, by: Director, line: str, reason: str) -> None:
    """The other directors hear what was decided, so that none of them decides it once more.

    It is their newest mail then, and an answer to the report that they have decides nothing.
    """
    name = "" if by.player is None else work.players.get(by.player).name
    for director in directors(work):
        if director.id != by.player:
            post(work, DirectorDecided(name, line, reason, by_mail=True), director)


def _recorded(work: Work, before: Match, change: Change) -> Match:
    """The match as it is stored, its history gone on."""
    match, actions, happenings = written(before, change.match, change.events, work.now)
    work.append(match, actions, happenings)
    snapshot_in_turn(work.snapshots, match, actions)
    for each in happenings:
        if each.kind is Kind.UNDONE:
            work.matches.take_back(match.id, int(each.text), each.entry)
            _snapshot_again(work, match)
    match = _clocked(work, before, match)
    if match.result is not None and not match.counts:
        match = replace(match, public=Public.NEVER)
    work.matches.save(match)
    if before.place is not None:
        work.stale.mark(PageKind.COMPETITION, [before.place.competition])
    work.jobs.enqueue("pages", match.id)
    return match


def _snapshot_again(work: Work, match: Match) -> None:
    """Another snapshot, as what the last one was taken of may stand no more."""
    standing = work.matches.recorded(match.id)
    if len(standing) >= EVERY:
        keep_snapshot(work.snapshots, match, standing[-1])


def _clocked(work: Work, before: Match, match: Match) -> Match:
    """The clock started for the turn that begins, or going on for who goes on with it."""
    at = counted(work, work.now)
    if (match.token_turn, match.to_act) != (before.token_turn, before.to_act):
        return start_clock(work, replace(match, clock=match.clock.stop(at)))
    if match.player_to_act is None or match.player_to_act == before.player_to_act:
        # More time may meet more holidays, and a pause may have begun or ended.
        return rescheduled(work, match, at)
    player = work.players.get(match.player_to_act)
    if player.bot or match.clock.runs_for is None:
        return start_clock(work, replace(match, clock=match.clock.dropped()))
    clock = as_chosen(work, match, player, at)
    if player.reachable:
        return replace(match, clock=clock.resume(PauseReason.UNREACHABLE, at))
    return replace(match, clock=clock.pause(PauseReason.UNREACHABLE, at))


def _gone(work: Work, match: Match, change: Change) -> list[Player]:
    """Who has left the club and plays again, since their resignation was taken back."""
    if not any(isinstance(event, Undone) for event in change.events):
        return []
    players = map(work.players.get, match.players)
    return [each for each in players if each.former and not match.has_resigned(each.id)]


def _tell(work: Work, before: Match, match: Match, change: Change) -> None:
    """The table hears of it, and who has left it, or would have come back to it."""
    notify(work, News(match, events=change.events))
    for event in change.events:
        if isinstance(event, Replaced):
            whose = before.hands.kept_for.get(event.seat, event.player)
            leaver, successor = map(work.players.get, (whose, event.successor))
            post(work, HandedOver(match.id, leaver.name, successor.name, event.reason), leaver)
