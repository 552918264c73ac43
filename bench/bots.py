"""Measure how strong bot-steady is against bot-greedy, by game and number of players.

The number of a match seeds its random choices, so results are the same on every machine, except for
the time per action. `make bench-bots` runs it on all processors, and writes the table in
docs/bots.md.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from pbem.games import game_of, games
from pbem.games.api import AnyGame, Seat
from pbem.matches.bots import BOTS, Scene, Thinking

PAGE = Path(__file__).parent.parent / "docs" / "bots.md"
HEADING = "## How strong bot-steady is\n"
MATCHES = 100
"""Matches per row, unless the command line gives another number."""
AIM_AGAINST_ONE = 0.9
"""Share of two-player matches to win. In all others, bot-steady should win more than its share."""


class Row(NamedTuple):
    """The players that bot-steady replaces. bot-greedy plays all others."""

    game: str
    players: int
    called: str
    places: tuple[tuple[int, ...], ...]
    """The players of bot-steady, a tuple per match in rotation.

    Players are numbered from 0 in order of entry.
    """
    share: float
    """Share of matches won by a side as strong as the others."""

    @property
    def aim(self) -> float:
        """Return the share to win."""
        return AIM_AGAINST_ONE if self.players == 2 else self.share


class Played(NamedTuple):
    """Result of one match, or the sum of several."""

    won: int
    drawn: int
    actions: int
    """Actions of bot-steady."""
    seconds: float
    """Processor time for these actions."""


def rows() -> list[Row]:
    """Return all rows of the table, sorted by number of players."""
    every = (
        row for game in games() for players in game.info.holders for row in _rows(game, players)
    )
    return sorted(every, key=lambda row: row.players)


def _rows(game: AnyGame, players: int) -> Iterator[Row]:
    info, everybody = game.info, tuple(range(players))
    share = 1 / len(info.sides[players])
    alone = [each for each in everybody if _is_a_side(game, players, info.holders[players][each])]
    pair = tuple(each for each in everybody if each not in alone)
    if not pair:
        yield Row(info.key, players, "any player", _each(everybody), share)
    elif alone:
        yield Row(info.key, players, "the lone player", _each(alone), share)
        yield Row(info.key, players, "the pair", (pair,), share)
    else:
        yield Row(info.key, players, "one of a pair", _each(pair), share)


def _is_a_side(game: AnyGame, players: int, seats: Sequence[Seat]) -> bool:
    return set(game.info.side_of(players, seats[0])) == set(seats)


def _each(places: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((place,) for place in places)


def play(row: Row, number: int) -> Played:
    """Play one match."""
    game = game_of(row.game)
    places = row.places[number % len(row.places)]
    seats = {seat for place in places for seat in game.info.holders[row.players][place]}
    scene = Scene(game, row.players, game.initial(row.players, {}))
    thinking = Thinking(random.Random(number).randrange)
    actions, seconds = 0, 0.0
    while (seat := scene.seat) is not None:
        began = time.process_time()
        action = BOTS["steady" if seat in seats else "greedy"].action(scene, thinking)
        if seat in seats:
            actions += 1
            seconds += time.process_time() - began
        scene = scene.after(action)
    outcome = game.outcome(scene.position)
    winners = outcome.winners if outcome is not None else ()
    return Played(not seats.isdisjoint(winners), not winners, actions, seconds)


def line(row: Row, of: int, played: Played) -> str:
    """Return one row of the table."""
    won, drawn = played.won, played.drawn
    missed = "" if won / of > row.aim - (row.players == 2) / 1000 else " (missed)"
    return (
        f"| {row.game} | {row.players} | {row.called} | {won} | {drawn} | {of - won - drawn} |"
        f" {row.aim:.0%}{missed} | {played.seconds / played.actions * 1000:.0f} |"
    )


def write(lines: Sequence[str]) -> None:
    """Write the rows played so far into the page."""
    head = (
        "Matches won, drawn and lost against bot-greedy. `make bench-bots` writes this table:\n",
        "| game | players | bot-steady plays | won | drawn | lost | aim | ms CPU per action |",
        "|---|---|---|---|---|---|---|---|",
    )
    before = PAGE.read_text().partition(HEADING)[0]
    PAGE.write_text(before + HEADING + "\n" + "\n".join((*head, *lines)) + "\n")


def main() -> None:
    """Play all matches, and write each row as soon as it is known."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    lines = list[str]()
    with ProcessPoolExecutor() as pool:
        began = [
            (row, [pool.submit(play, row, number) for number in range(matches)]) for row in rows()
        ]
        for row, futures in began:
            results = [each.result() for each in futures]
            played = Played(*map(sum, zip(*results, strict=True)))
            lines.append(line(row, len(results), played))
            print(lines[-1], flush=True)
            write(lines)


if __name__ == "__main__":
    main()
