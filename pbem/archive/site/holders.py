"""Holders: who played which seat when, where seats have changed hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.matches.history import SUCCESSIONS, Happening
from pbem.matches.match import MatchSummary, PlayerId


class Held(NamedTuple):
    """The turns in which somebody held a seat whom somebody else has followed."""

    player: PlayerId
    first: int
    last: int


def held_earlier(match: MatchSummary) -> Mapping[Seat, list[Held]]:
    """Who held each seat before who does now, in order; whom no turn was left is not among them."""
    held: dict[Seat, list[Held]] = {seat: [] for seat in match.seats}
    first = dict.fromkeys(match.seats, 1)
    for seat, player, until in match.hands.earlier:
        if until > first[seat]:
            held[seat].append(Held(player, first[seat], until - 1))
            first[seat] = until
    return held


def whose(match: MatchSummary, happenings: Iterable[Happening]) -> Mapping[int, PlayerId]:
    """Who did or suffered what happened, by its entry in the history."""
    holders, found = dict(match.began), dict[int, PlayerId]()
    for each in sorted(happenings, key=lambda happening: happening.entry):
        if each.seat:
            found[each.entry] = holders[each.seat]
        if each.kind in SUCCESSIONS:
            old, new = map(int, each.text.split())
            holders = {seat: new if held == old else held for seat, held in holders.items()}
    return found
