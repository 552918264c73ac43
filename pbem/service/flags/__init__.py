"""Flags: what happens when a player's time is over; one module a choice, found by being here.

`play_on` is for `flag=play-on`. Each has `fell(work, match, due_at)`, which does what was agreed:
once the flag has fallen, or at the end of the grace behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from importlib import import_module

from pbem.matches.choices import FLAG as CHOICE
from pbem.matches.match import MatchSummary
from pbem.service.work import Work

Fell = Callable[[Work, MatchSummary, datetime], None]


def was_known(match: MatchSummary, due_at: datetime) -> bool:
    """Whether the player had no time left when the turn began, which its email said."""
    return any(span.start >= due_at for span in match.clock.ran(due_at)[:1])


def agreed(match: MatchSummary) -> Fell:
    """What was agreed for a match."""
    name = match.options.of(CHOICE).replace("-", "_")
    fell: Fell = import_module(f"{__name__}.{name}").fell
    return fell
