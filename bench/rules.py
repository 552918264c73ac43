"""Compare the speed of every game's rules with python-chess: listing legal actions, and play.

A lap walks two plies below positions of random matches. It lists the legal actions of each
position, and plays some of them. Chess and a game alternate laps. The ratio is the median of the
rounds in processor time, so other load on the machine disturbs both alike. A ratio of 1.0 means as
many actions per second as python-chess makes moves. `make bench` runs it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple

import chess

from bench.aims import at_least
from pbem.games import games
from pbem.games.api import AnyGame

AIM = 1.0
ROUNDS = 9
LAP = 10_000
"""Minimum number of actions in a lap."""
MOST_PLAYED = 30
"""Maximum number of actions played in a position, from all over the list."""
MOST_BEFORE = 60
"""Maximum number of actions of a random match before the position that is walked."""


class Done(NamedTuple):
    """Work done in a lap."""

    actions: int
    turns: int


class Ratio(NamedTuple):
    """A game compared with chess in one round."""

    rate: float
    """Actions per second."""
    actions: float
    turns: float


Lap = Callable[[], Done]
Walk = Callable[[], Iterator[int]]
"""Returns the number of turns of each action in a walk."""


def some_of(actions: list[Any]) -> list[Any]:
    """Return some of the legal actions, from all over the list."""
    return actions[:: -(-len(actions) // MOST_PLAYED) or 1]


def walk(game: AnyGame, position: Any, depth: int) -> Iterator[int]:
    """Yield the number of turns that each action below a position takes."""
    for action in some_of(list(game.legal_actions(position))):
        after = game.play(position, action)
        yield after.turn - position.turn
        if depth > 1:
            yield from walk(game, after, depth - 1)


def walk_chess(board: chess.Board, depth: int) -> Iterator[int]:
    """Do the same for chess."""
    for move in some_of(list(board.legal_moves)):
        board.push(move)
        yield 1
        if depth > 1:
            yield from walk_chess(board, depth - 1)
        board.pop()


def last_step(game: AnyGame, players: int, chance: random.Random) -> tuple[Any, Any]:
    """Return a random position and an action in it. Each lap then computes what follows again."""
    before, action = game.initial(players, {}), None
    position = before
    for _ in range(chance.randrange(1, MOST_BEFORE)):
        if game.to_act(position) is None:
            break
        before, action = position, chance.choice(list(game.legal_actions(position)))
        position = game.play(before, action)
    return before, action


def chess_board(chance: random.Random) -> chess.Board:
    """Return a position of a random game of chess."""
    board = chess.Board()
    for _ in range(chance.randrange(1, MOST_BEFORE)):
        if board.is_game_over():
            break
        board.push(chance.choice(list(board.legal_moves)))
    return board


def lap_of(chosen: Callable[[random.Random], Walk]) -> Lap:
    """Return a lap over as many walks as it needs."""
    chance, walks, actions = random.Random("rules"), list[Walk](), 0
    while actions < LAP:
        walks.append(chosen(chance))
        actions += sum(1 for _ in walks[-1]())

    def lap() -> Done:
        turns = [turn for each in walks for turn in each()]
        return Done(len(turns), sum(turns))

    return lap


def game_lap(game: AnyGame, players: int) -> Lap:
    """Return a lap of a game."""

    def chosen(chance: random.Random) -> Walk:
        before, action = last_step(game, players, chance)
        return lambda: walk(game, game.play(before, action), 2)

    return lap_of(chosen)


def chess_lap() -> Lap:
    """Return a lap of chess."""

    def chosen(chance: random.Random) -> Walk:
        board = chess_board(chance)
        return lambda: walk_chess(board.copy(), 2)

    return lap_of(chosen)


def rates(lap: Lap) -> tuple[float, float]:
    """Return actions and turns per second of processor time."""
    began = time.process_time()
    done = lap()
    seconds = time.process_time() - began
    return done.actions / seconds, done.turns / seconds


def compared(lap: Lap, base: Lap) -> Ratio:
    """Compare a game with chess: the medians of several rounds."""
    rounds = []
    for _ in range(ROUNDS):
        (moves, _), (actions, turns) = rates(base), rates(lap)
        rounds.append(Ratio(actions, actions / moves, turns / moves))
    return Ratio(*map(median, zip(*rounds, strict=True)))


def report(name: str, ratio: Ratio) -> str:
    """Return one line: actions per second, and how actions and turns compare with chess."""
    return f"{name:<24}{ratio.rate:>12,.0f}{ratio.actions:>8.2f}{ratio.turns:>8.2f}"


def main() -> None:
    """Print the table."""
    base = chess_lap()
    print(f"{'':<24}{'actions/s':>12}{'ratio':>8}{'turns':>8}")
    print(report("python-chess", compared(base, base)))
    figures = {}
    for game in games():
        for players in game.info.holders:
            name = f"{game.info.key}, {players} players"
            ratio = compared(game_lap(game, players), base)
            print(report(name, ratio), flush=True)
            figures[f"{name}: actions"] = ratio.actions
            if game.info.stepwise:
                figures[f"{name}: turns"] = ratio.turns
    print()
    for name, figure in figures.items():
        at_least(f"against chess: {name}", figure, AIM)


if __name__ == "__main__":
    main()
