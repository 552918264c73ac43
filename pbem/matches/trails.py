"""Trails: the last turn of each player, as pictures mark it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.games.api import AnyGame, Seat
from pbem.games.diagram import Trail
from pbem.matches.match import PlayerId, RecordedAction

Path = tuple[str, ...]


def trails(
    game: AnyGame, actions: Iterable[RecordedAction], seats: Mapping[Seat, PlayerId]
) -> tuple[Trail, ...]:
    """The last turn of each player in which something moved, the oldest first."""
    last: dict[PlayerId, Trail] = {}
    for action in actions:
        if paths := game.paths(action.text):
            player = seats[action.seat]
            before = last.get(player)
            going_on = before is not None and before.turn == action.turn
            walked = before.paths if before and going_on else ()
            last[player] = Trail(action.turn, action.seat, joined(walked, paths))
    return tuple(sorted(last.values()))


def joined(walked: tuple[Path, ...], more: tuple[Path, ...]) -> tuple[Path, ...]:
    """Ways of a turn; who goes on from where a way ended is still on that way."""
    ways = list(walked)
    for path in more:
        at = next((i for i, way in enumerate(ways) if way[-1] == path[0] and len(path) > 1), None)
        if at is None:
            ways.append(path)
        else:
            ways[at] += path[1:]
    return tuple(ways)
