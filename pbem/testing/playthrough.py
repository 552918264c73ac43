"""Playthroughs: whole matches as text, every turn with its action and every few turns the board.

`python -m pbem.testing.playthrough FILE ...` rewrites files from the actions in them. Then check
what has changed.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pbem.games import game_of
from pbem.games.api import AnyGame, Seat
from pbem.games.diagram import WIDTH, Captions
from pbem.games.phrases import ENGLISH
from pbem.games.replay import replay
from pbem.games.text_diagram import paint_board, paint_groups, paint_legend

BOARD_EVERY = 9
"""Actions from board to board: not a multiple of the seats, so that each sees some."""
MOST_LISTED = 60

Actions = list[tuple[Seat, str]]


class Script(NamedTuple):
    """The match to play."""

    game: AnyGame
    players: int
    options: dict[str, int]
    actions: Actions


def read(text: str, known: Callable[[str], AnyGame] = game_of) -> Script:
    """Return the script of a file: `key: value` lines on top, then `turn 1: seat action` lines."""
    head = dict(re.findall(r"^(game|players|options): *(.*)$", text, re.MULTILINE))
    game = known(head["game"])
    settings = dict(setting.split("=", 1) for setting in head.get("options", "").split())
    lines = re.findall(r"^turn \d+: (\w+) (\S.*)$", text, re.MULTILINE)
    actions = [(seat, action) for seat, action in lines if action != game.format_pass()]
    return Script(game, int(head["players"]), game.info.read_options(settings), actions)


def write(script: Script) -> str:
    """Return the text of a playthrough."""
    return "\n".join(line.rstrip() for line in _lines(script)) + "\n"


def _lines(script: Script) -> Iterator[str]:
    game, players, options, actions = script
    info = game.info
    yield f"game: {info.key}"
    yield f"players: {players}"
    written = (f"{option.key}={option.format(options[option.key])}" for option in info.options)
    yield f"options: {' '.join(written)}"
    position = game.initial(players, options)
    yield ""
    yield from paint_legend(Captions(game.diagram(position, info.seats[0]), {}, ENGLISH)).split(
        "\n"
    )
    yield from _board(game, position)
    for number, played in enumerate(replay(game, players, options, actions), start=1):
        yield f"turn {played.turn}: {played.seat} {played.text}"
        for turn, seat in enumerate(played.passed, start=played.turn + 1):
            yield f"turn {turn}: {seat} {game.format_pass()}"
        position = played.position
        if number % BOARD_EVERY == 0:
            yield from _board(game, position)
    if len(actions) % BOARD_EVERY:
        yield from _board(game, position)
    yield from _outcome(game, position)


def _board(game: AnyGame, position: Any) -> Iterator[str]:
    """Return the board as the seat to move sees it, and its legal actions."""
    seat = game.to_act(position)
    viewer = seat or game.info.seats[0]
    yield from ("", f"Seen by {viewer}:", "")
    diagram = game.diagram(position, viewer)
    yield from paint_board(diagram).split("\n")
    yield ""
    yield from paint_groups(Captions(diagram, {}, ENGLISH)).split("\n")
    yield ""
    if seat:
        some = islice(game.legal_actions(position), MOST_LISTED)
        legal = f"Legal for {seat}: " + " ".join(game.format(position, action) for action in some)
        yield from textwrap.wrap(legal, WIDTH, break_on_hyphens=False, subsequent_indent="    ")
        yield ""


def _outcome(game: AnyGame, position: Any) -> Iterator[str]:
    outcome = game.outcome(position)
    assert outcome is not None, "the match has not ended"
    yield f"ended: {outcome.termination}"
    yield f"winners: {' '.join(outcome.winners)}"
    yield "scores: " + " ".join(f"{seat} {points}" for seat, points in outcome.scores.items())


def main(names: list[str]) -> None:
    """Rewrite files."""
    for name in names:
        path = Path(name)
        path.write_text(write(read(path.read_text("ascii"))), "ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
