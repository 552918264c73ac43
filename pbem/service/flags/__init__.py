"""Flags: what happens when a player's time is over; one module a choice, found by being here.

`play_on` is for `flag=play-on`. Each has `fell(work, match, due_at)`, which does what was agreed:
once the flag has fallen, or at the end of the grace behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from importlib import import_module

from pbem.matches.choices import FLAG as CHOICE
from pbem.matches.event import FlagFell
from pbem.matches.match import MatchSummary, SummaryT
from pbem.matches.record import written
from pbem.service.work import Work

Fell = Callable[[Work, MatchSummary, datetime], None]


def late(work: Work, match: SummaryT, due_at: datetime) -> SummaryT:
    """The match when a late turn is read that no sweep has gone before: the turn counts."""
    match = recorded(work, match, due_at)
    if not match.clock.grace and match.options.of(CHOICE) == CHOICE.usual:
        agreed(match)(work, match, due_at)
    return match


def recorded(work: Work, match: SummaryT, due_at: datetime) -> SummaryT:
    """The match as it is stored, its history gone on: the player to act is out of time."""
    player = match.player_to_act
    assert player is not None, "a seat is to act"
    fell = FlagFell(player, match.turn, match.seats_of(player)[0])
    match, _, happenings = written(match, match, (fell,), due_at)
    work.append(match, (), happenings)
    work.matches.save(match)
    return match


def was_known(match: MatchSummary, due_at: datetime) -> bool:
    """Whether the player had no time left when the turn began, which its email said."""
    return any(span.start >= due_at for span in match.clock.ran(due_at)[:1])


def agreed(match: MatchSummary) -> Fell:
    """What was agreed for a match."""
    name = match.options.of(CHOICE).replace("-", "_")
    fell: Fell = import_module(f"{__name__}.{name}").fell
    return fell
