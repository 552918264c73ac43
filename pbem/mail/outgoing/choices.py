"""Choices: what a player can do now with a turn, in the order in which a mail offers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pbem.games.api import Action, AnyGame, Position


class Choice(NamedTuple):
    """An action, and whether the turn can go on after it."""

    text: str
    """Canonical."""
    start: str
    """Square at which its way begins; empty where it has none."""
    square: str
    """The one square that it is about, where it has no way; empty for any other."""
    open: bool
    """Whether the seat may go on after it, or end its turn there."""
    several: bool = False
    """Whether it does several things at once, as the king's force may: there are thousands."""


def choices(game: AnyGame, position: Position, actions: Iterable[Action]) -> Iterator[Choice]:
    """Legal actions of the seat to act, in their order."""
    for action in actions:
        text = game.format(position, action)
        paths = game.paths(text)
        goes_on = game.info.stepwise and game.closing(game.play(position, action)) is not None
        yield Choice(text, _start(paths), _square(paths), goes_on, len(paths) > 1)


def _start(paths: Sequence[Sequence[str]]) -> str:
    return paths[0][0] if len(paths) == 1 and len(paths[0]) > 1 else ""


def _square(paths: Sequence[Sequence[str]]) -> str:
    return paths[0][0] if len(paths) == 1 and len(paths[0]) == 1 else ""


def on_squares(offered: Sequence[Choice]) -> dict[str, Choice]:
    """Choices by the square that alone tells them: those that place something on it, or take it.

    Where a square has several, or an action is written as a square itself, only those that are so
    written count: a tap on a square never moves Excalibur where a knight can be placed.
    """
    by_square: dict[str, list[Choice]] = {}
    for each in offered:
        if each.square and not each.open:
            by_square.setdefault(each.square, []).append(each)
    written = {each.square: each for each in offered if each.square == each.text and not each.open}
    return written or {square: some[0] for square, some in by_square.items() if len(some) == 1}
