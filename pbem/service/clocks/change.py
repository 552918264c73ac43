"""Change: what befalls the clocks of many matches at once, or those of one player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pbem.matches.clock import Clock
from pbem.matches.match import MatchSummary, PlayerId
from pbem.ports.room import PageKind
from pbem.service.work import Work

BATCH = 200
"""Matches read at once: a bound on memory, however many are being played."""


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
