"""Often: how often members change what others feel, such as the hours that do not count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.matches.match import PlayerId
from pbem.service.work import Work


@dataclass(frozen=True)
class Bound:
    """So many changes in a span."""

    key: str
    """Under which the moments of the last ones are stored with a member's settings."""
    most: int
    span: timedelta


REST = Bound("rest changed", 3, timedelta(days=7))
"""Nights and zone: who shifted them twice a day would have a clock that never runs."""
LEAVE = Bound("leave changed", 10, timedelta(days=1))
"""Leave and its end: all who play along are mailed each time."""


def free_at(work: Work, player: PlayerId, bound: Bound) -> datetime | None:
    """When a member can make the next change; None: now."""
    made = _made(work, player, bound)
    return None if len(made) < bound.most else made[-bound.most] + bound.span


def note(work: Work, player: PlayerId, bound: Bound) -> None:
    """A member has made a change."""
    made = [*_made(work, player, bound), work.now][-bound.most :]
    work.players.choose(player, bound.key, " ".join(each.isoformat() for each in made))


def _made(work: Work, player: PlayerId, bound: Bound) -> list[datetime]:
    """The changes that count, oldest first."""
    written = work.players.get(player).settings.get(bound.key, "").split()
    moments = map(datetime.fromisoformat, written)
    return [each for each in moments if work.now - bound.span < each <= work.now]
