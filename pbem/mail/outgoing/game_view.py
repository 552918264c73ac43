"""A game as lists show it, by mail and at the shell: who sits where, and what can be agreed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.api import GameInfo, Seat
from pbem.games.phrases import ENGLISH, Words


class Agreeable(NamedTuple):
    """An option that can be agreed for a match."""

    key: str
    default: str
    values: str
    help: str


@dataclass(frozen=True)
class GameView:
    """What a list says of a game."""

    info: GameInfo
    words: Words = ENGLISH

    @property
    def counts(self) -> Sequence[int]:
        """How many can play it."""
        return sorted(self.info.holders)

    def seats(self, count: int) -> str:
        """Who sits where, in the order in which they are named."""
        return "; ".join(map(self._joined, self.info.holders[count]))

    def partners(self, count: int) -> str:
        """Which seats of several players win together; empty where none do."""
        sides = self.info.sides[count]
        teams = [side for side in sides if len(self._holders(count, side)) > 1]
        return ", ".join(map(self._joined, teams))

    def _joined(self, seats: Sequence[Seat]) -> str:
        return "+".join(self.words.text(self.info.name_of(seat)) for seat in seats)

    def _holders(self, count: int, side: tuple[str, ...]) -> set[int]:
        held = self.info.holders[count]
        return {number for number, seats in enumerate(held) if set(seats) & set(side)}

    @property
    def options(self) -> Sequence[Agreeable]:
        """Those of the game itself."""
        return [
            Agreeable(
                option.key,
                option.format(option.default),
                "on or off" if option.switch else "a whole number",
                self.words.text(option.help),
            )
            for option in self.info.options
        ]
