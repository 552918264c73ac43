"""Sides and winners of a match."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.archive.site.values import FeedEntry
from pbem.games.api import GameInfo, Seat
from pbem.games.phrases import ENGLISH, capitalised
from pbem.matches.match import MatchSummary, PlayerId


def sides_of(match: MatchSummary) -> list[list[PlayerId]]:
    """Return the players by side, in the order of their seats."""
    sides = {match.side_of(player): None for player in match.players}
    return [sorted(side, key=match.players.index) for side in sides]


def winners_of(match: MatchSummary) -> list[PlayerId]:
    """Return the winners, empty if the match is drawn or not over."""
    winners = match.result.winners if match.result else ()
    return list(dict.fromkeys(match.seats[seat] for seat in winners))


def seat_titles(info: GameInfo, seats: Iterable[Seat]) -> dict[Seat, str]:
    """Return the title of each seat for readers: `S (White)`, `Black`."""
    return {
        seat: capitalised(ENGLISH.text(info.seat_titles.get(seat, info.name_of(seat))))
        for seat in seats
    }


def title_of(entry: FeedEntry) -> str:
    """Return a title such as `Anna and Clara – Bert and Dora`."""
    sides = sides_of(entry.match)
    return " – ".join(" and ".join(entry.people[each].name for each in side) for side in sides)
