"""Speed of the rules: legal actions and play of every game, next to python-chess on chess.

A lap walks two plies below positions of random matches: the legal actions of each are listed, and
some of them played. Chess and a game do their laps by turns, and the ratio is the median of those
turns, by the clock of the processor: what else the machine does disturbs both alike. A ratio of 1.0
is as many actions a second as python-chess makes moves. `make bench` runs it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple

import chess

from bench.aims import at_least
from pbem.games import GAMES
from pbem.games.api import AnyGame

AIM = 1.0
ROUNDS = 9
LAP = 10_000
"""Actions in a lap, at least."""
MOST_PLAYED = 30
"""Actions played in a position, from all over the list."""
MOST_BEFORE = 60
"""Actions of a random match before the position that is walked."""


class Done(NamedTuple):
    """What was done in a lap."""

    actions: int
    turns: int


class Ratio(NamedTuple):
    """A game next to chess in one round."""

    rate: float
    """Actions a second."""
    actions: float
    turns: float


Lap = Callable[[], Done]
Walk = Callable[[], Iterator[int]]
"""What gives the turns that each action of a walk takes."""


def some_of(actions: list[Any]) -> list[Any]:
    """Some of the legal actions, from all over the list."""
    return actions[:: -(-len(actions) // MOST_PLAYED) or 1]


def walk(game: AnyGame, position: Any, depth: int) -> Iterator[int]:
    """Turns that each action takes below a position."""
    for action in some_of(list(game.legal_actions(position))):
        after = game.play(position, action)
        yield after.turn - position.turn
        if depth > 1:
            yield from walk(game, after, depth - 1)


def walk_chess(board: chess.Board, depth: int) -> Iterator[int]:
    """The same for chess."""
    for move in some_of(list(board.legal_moves)):
        board.push(move)
        yield 1
        if depth > 1:
            yield from walk_chess(board, depth - 1)
        board.pop()


def last_step(game: AnyGame, players: int, chance: random.Random) -> tuple[Any, Any]:
    """A position of a random match, and an action in it, so that what comes is made anew a lap."""
    before, action = game.initial(players, {}), None
    position = before
    for _ in range(chance.randrange(1, MOST_BEFORE)):
        if game.to_act(position) is None:
            break
        before, action = position, chance.choice(list(game.legal_actions(position)))
        position = game.play(before, action)
    return before, action


def chess_board(chance: random.Random) -> chess.Board:
    """A position of a random match of chess."""
    board = chess.Board()
    for _ in range(chance.randrange(1, MOST_BEFORE)):
        if board.is_game_over():
            break
        board.push(chance.choice(list(board.legal_moves)))
    return board


def lap_of(chosen: Callable[[random.Random], Walk]) -> Lap:
    """A lap over as many walks as it takes."""
    chance, walks, actions = random.Random("rules"), list[Walk](), 0
    while actions < LAP:
        walks.append(chosen(chance))
        actions += sum(1 for _ in walks[-1]())

    def lap() -> Done:
        turns = [turn for each in walks for turn in each()]
        return Done(len(turns), sum(turns))

    return lap


def game_lap(game: AnyGame, players: int) -> Lap:
    """A lap of a game."""

    def chosen(chance: random.Random) -> Walk:
        before, action = last_step(game, players, chance)
        return lambda: walk(game, game.play(before, action), 2)

    return lap_of(chosen)


def chess_lap() -> Lap:
    """A lap of chess."""

    def chosen(chance: random.Random) -> Walk:
        board = chess_board(chance)
        return lambda: walk_chess(board.copy(), 2)

    return lap_of(chosen)


def rates(lap: Lap) -> tuple[float, float]:
    """Actions and turns a second of the processor."""
    began = time.process_time()
    done = lap()
    seconds = time.process_time() - began
    return done.actions / seconds, done.turns / seconds


def compared(lap: Lap, base: Lap) -> Ratio:
    """A game next to chess, the medians of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        (moves, _), (actions, turns) = rates(base), rates(lap)
        rounds.append(Ratio(actions, actions / moves, turns / moves))
    return Ratio(*map(median, zip(*rounds, strict=True)))


def report(name: str, ratio: Ratio) -> str:
    """One line: actions a second, and how actions and turns compare with chess."""
    return f"{name:<24}{ratio.rate:>12,.0f}{ratio.actions:>8.2f}{ratio.turns:>8.2f}"


def main() -> None:
    """Prints the table."""
    base = chess_lap()
    print(f"{'':<24}{'actions/s':>12}{'ratio':>8}{'turns':>8}")
    print(report("python-chess", compared(base, base)))
    figures = {}
    for game in GAMES:
        for players in game.info.holders:
            name = f"{game.info.key}, {players} players"
            ratio = compared(game_lap(game, players), base)
            print(report(name, ratio), flush=True)
            figures[f"{name}: actions"] = ratio.actions
            if game.info.stepwise:
                figures[f"{name}: turns"] = ratio.turns
    print()
    for name, figure in figures.items():
        at_least(f"next to chess: {name}", figure, AIM)


if __name__ == "__main__":
    main()
