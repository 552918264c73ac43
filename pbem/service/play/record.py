"""Record: what somebody did to a match, as it is stored, and its clock as of then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from pbem.matches.acting import Change
from pbem.matches.breaks import with_break
from pbem.matches.event import BreakAgreed, Event
from pbem.matches.match import Match
from pbem.matches.outage import outage
from pbem.matches.record import written
from pbem.service.clocks.schedule import rescheduled
from pbem.service.clocks.start import start_clock
from pbem.service.flags import late
from pbem.service.leave.auto import put_off
from pbem.service.play.heartbeat import counted
from pbem.service.snapshots import snapshot_in_turn
from pbem.service.work import Work


def record(work: Work, before: Match, change: Change, received_at: datetime) -> Match:
    """Stores the actions and the match as they are after a change; returns the match.

    An action's time is that of the mail's receipt: not before its turn began, not after now.
    """
    after = change.match
    received_at = min(received_at, work.now)
    at = min(max(received_at, before.turn_started_at or received_at), work.now)
    turned = (after.turn, after.to_act) != (before.turn, before.to_act)
    if turned and after.clock == before.clock:
        before = _on_leave(work, before, received_at)
        after = replace(after, clock=before.clock)
    due_at = _fallen_flag(work, before, received_at) if turned else None
    if due_at is not None:
        before = late(work, before, due_at)
    match, actions, happenings = written(before, after, change.events, at)
    work.append(before, actions, happenings)
    snapshot_in_turn(work.snapshots, match, actions)
    match, stops = _with_break(match, change.events, at), min(at, counted(work, work.now))
    if turned:
        match = start_clock(work, replace(match, clock=match.clock.stop(stops)))
    elif (match.breaks, match.clock) != (before.breaks, before.clock):
        match = rescheduled(work, match, stops)
    if match.offer not in (None, before.offer):
        work.jobs.enqueue("bots", match.id)  # it may be a bot that is asked
    work.matches.save(match)
    return match


def _with_break(match: Match, events: Iterable[Event], at: datetime) -> Match:
    """The match, paused if that was agreed: from when the mail came that completed it."""
    spans = [event.span for event in events if isinstance(event, BreakAgreed)]
    for span in spans if match.result is None else ():
        match = replace(match, breaks=with_break(match.breaks, at, span, agreed=True))
    return match


def _on_leave(work: Work, match: Match, at: datetime) -> Match:
    """The match with leave in place of each flag that fell before a late mail, if wanted so."""
    due_at = _fallen_flag(work, match, at)
    while due_at is not None and put_off(work, match, due_at):
        match = replace(match, clock=work.matches.get(match.id).clock)
        due_at = _fallen_flag(work, match, at)
    return match


def _fallen_flag(work: Work, match: Match, at: datetime) -> datetime | None:
    """When a flag fell that no sweep has judged before a late mail was read; None if none did."""
    due_at = match.clock.flag_at
    if due_at is None or at <= due_at:
        return None
    last_beat = work.last_beat
    # An outage that no sweep has credited yet moves what was due after its beginning past now.
    ends_outage = outage(last_beat, work.now) is not None
    return None if ends_outage and last_beat is not None and due_at > last_beat else due_at
