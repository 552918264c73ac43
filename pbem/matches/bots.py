"""Bots: how a computer opponent chooses its actions. Pure: chance comes from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from pbem.games.api import AnyGame, Seat

Chance = Callable[[int], int]
"""A number from 0 up to, not including, the one given; each as likely as any other."""
Chooser = Callable[[AnyGame, Any, Sequence[Any], Chance], Any]

MOST_LOOKED_AT = 1000
"""Legal actions looked at, the first in the game's order: Lancelot's king's force has very many."""
MOST_ACTIONS = 200
"""Actions in one mail; no turn of any game is nearly as long."""
DECIDED = 10**9
"""More than any standing: what an end of the match is worth to its winner."""


def random_action(game: AnyGame, position: Any, actions: Sequence[Any], chance: Chance) -> Any:
    """Any of the actions."""
    return actions[chance(len(actions))]


def greedy_action(game: AnyGame, position: Any, actions: Sequence[Any], chance: Chance) -> Any:
    """An action after which its seat stands best; among equals any."""
    worths = [worth(game, game.play(position, action), action.seat) for action in actions]
    best = max(worths)
    equals = [action for action, its in zip(actions, worths, strict=True) if its == best]
    return equals[chance(len(equals))]


def worth(game: AnyGame, position: Any, seat: Seat) -> int:
    """How well a seat stands, a match that is won or lost above all."""
    standing: int = game.standing(position)[seat]
    outcome = game.outcome(position)
    if outcome is None or not outcome.winners:
        return standing
    return standing + (DECIDED if seat in outcome.winners else -DECIDED)


BOTS: dict[str, Chooser] = {"random": random_action, "greedy": greedy_action}
"""Kinds of bots, by the name on the command line."""


def answer(game: AnyGame, position: Any, chooser: Chooser, chance: Chance) -> list[str]:
    """Texts of the actions of the seat to act, until another one is or the match has ended."""
    seat, texts = game.to_act(position), list[str]()
    while seat is not None and game.to_act(position) == seat and len(texts) < MOST_ACTIONS:
        actions = list(islice(game.legal_actions(position), MOST_LOOKED_AT))
        action = chooser(game, position, actions, chance)
        texts.append(game.format(position, action))
        position = game.play(position, action)
    return texts
