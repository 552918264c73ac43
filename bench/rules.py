"""Speed of the rules: legal actions and play of every game, next to python-chess on chess.

Each game is walked as perft walks it, every action of every position played and none counted in
bulk, for a few seconds; python-chess does the same from its start position. A ratio of 1.0 means as
many actions a second as python-chess makes moves. `make bench` runs it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import chess

from pbem.games import GAMES
from pbem.games.api import AnyGame

SECONDS = 2.0
DEPTH = 6
MOST_ACTIONS = 40
"""Actions tried in a position, so that a walk gets deep; the same for chess."""


class Pace(NamedTuple):
    """What was done in a time."""

    actions: int
    turns: int
    seconds: float


def walk(game: AnyGame, position: Any, depth: int) -> Iterator[tuple[int, int]]:
    """Positions below one, as (actions, turns) since the start of the walk's last step."""
    for action in islice(game.legal_actions(position), MOST_ACTIONS):
        after = game.play(position, action)
        yield 1, after.turn - position.turn
        if depth > 1:
            yield from walk(game, after, depth - 1)


def walk_chess(board: chess.Board, depth: int) -> Iterator[tuple[int, int]]:
    """The same for chess."""
    for move in islice(board.legal_moves, MOST_ACTIONS):
        board.push(move)
        yield 1, 1
        if depth > 1:
            yield from walk_chess(board, depth - 1)
        board.pop()


def pace(steps: Iterator[tuple[int, int]]) -> Pace:
    """How far a walk gets."""
    actions = turns = 0
    began = time.perf_counter()
    for done, passed in steps:
        actions += done
        turns += passed
        if actions % 256 == 0 and time.perf_counter() - began > SECONDS:
            break
    return Pace(actions, turns, time.perf_counter() - began)


def report(name: str, done: Pace, base: Pace) -> str:
    """One line: actions and turns a second, and how they compare with chess."""
    rates = [number / done.seconds for number in (done.actions, done.turns)]
    bases = base.actions / base.seconds
    columns = "".join(f"{rate:>12,.0f}{rate / bases:>8.2f}" for rate in rates)
    return f"{name:<24}{columns}"


def main() -> None:
    """Prints the table."""
    chess_pace = pace(walk_chess(chess.Board(), DEPTH))
    print(f"{'':<24}{'actions/s':>12}{'ratio':>8}{'turns/s':>12}{'ratio':>8}")
    print(report("python-chess", chess_pace, chess_pace))
    for game in GAMES:
        for players in game.info.holders:
            done = pace(walk(game, game.initial(players, {}), DEPTH))
            print(report(f"{game.info.key}, {players} players", done, chess_pace))


if __name__ == "__main__":
    main()
