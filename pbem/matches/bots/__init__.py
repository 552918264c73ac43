"""Bots: computer opponents. Pure: chance and the order to stop come from outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pbem.games import families, settings_of
from pbem.matches.bots.answer import answer, is_asked, turn
from pbem.matches.bots.simple import Greedy, Random
from pbem.matches.bots.steady import STEADY
from pbem.matches.bots.thinking import Bot, BotError, Interrupted, Scene, Thinking

BOTS: Mapping[str, Bot] = {"random": Random(), "greedy": Greedy(), "steady": STEADY}
"""The bots that play every game, by their names on the command line."""


class FamilyBots(NamedTuple):
    """The bots that a family of games brings, or why there are none."""

    name: str
    """Name of the family."""
    keys: tuple[str, ...]
    """Keys of the games that they play."""
    bots: Mapping[str, Bot]
    problem: str = ""


def family_bots() -> Iterator[FamilyBots]:
    """Yield the bots that installed families bring under the club's settings.

    If two have the same name, only the first can be played.
    """
    taken = {*BOTS}
    for each in families():
        if each.family is None or each.family.bots is None:
            continue
        try:
            found, problem = {**each.family.bots(settings_of(each.name))}, ""
        except (Exception, SystemExit) as error:  # noqa: BLE001  code of others may raise anything
            found, problem = {}, str(error)
        own = {kind: bot for kind, bot in found.items() if kind not in taken}
        taken |= own.keys()
        yield FamilyBots(
            each.name, tuple(game.info.key for game in each.family.games), own, problem
        )


def bots() -> Mapping[str, Bot]:
    """Return all bots by name."""
    return {**BOTS, **{kind: bot for each in family_bots() for kind, bot in each.bots.items()}}


def kinds_for(game_key: str) -> list[str]:
    """Return the names of the bots that play a game."""
    own = [kind for each in family_bots() if game_key in each.keys for kind in each.bots]
    return [*BOTS, *own]


__all__ = [
    "BOTS",
    "Bot",
    "BotError",
    "FamilyBots",
    "Interrupted",
    "Scene",
    "Thinking",
    "answer",
    "bots",
    "family_bots",
    "is_asked",
    "kinds_for",
    "turn",
]
