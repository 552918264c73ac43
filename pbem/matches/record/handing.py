"""Whether seats have gone from one player to another as they can."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.api import AnyGame, Seat
from pbem.matches.history import SUCCESSIONS, Kind
from pbem.matches.match import PlayerId
from pbem.matches.record.model import Record


def handing_problems(record: Record, game: AnyGame) -> Iterator[str]:
    """Who is followed must hold the seat, and who follows must not play against them.

    What a bot has kept goes back to nobody but its player.
    """
    holders, kept = dict(record.numbers), dict[PlayerId, PlayerId]()
    if not record.chained:
        return
    for number, entry in enumerate(record.entries, start=1):
        if entry.kind not in SUCCESSIONS:
            continue
        old, new = map(int, entry.text.split())
        if holders[entry.seat] != old:
            yield f"Entry {number}: player {old} does not hold {entry.seat} then."
            return
        if not _may_follow(record, game, holders, old, new):
            yield f"Entry {number}: player {new} cannot go on for player {old}, whom they play."
        if entry.kind is Kind.GIVEN_BACK and kept.get(old) != new:
            yield f"Entry {number}: player {old} has kept no seat for player {new}."
        kept.pop(old, None)
        if entry.kind is Kind.KEPT:
            kept[new] = old
        holders = {seat: new if held == old else held for seat, held in holders.items()}
    for player in dict.fromkeys(holders.values()):
        if player not in record.numbers.values() and player not in record.substitutes:
            yield f"The record does not name player {player}."


def _may_follow(
    record: Record, game: AnyGame, holders: dict[Seat, PlayerId], old: PlayerId, new: PlayerId
) -> bool:
    """Whether all the seats that somebody has then win and lose together."""
    seats = {seat for seat, held in holders.items() if held in (old, new)}
    return seats <= set(game.info.side_of(record.player_count, next(iter(seats))))
