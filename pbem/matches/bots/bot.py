"""Bot: what every computer opponent has an answer to."""

from __future__ import annotations

from typing import Any, Protocol

from pbem.games.api import Seat
from pbem.matches.bots.thinking import Scene, Thinking


class Bot(Protocol):
    """A computer opponent; chance and the bounds of its thinking come from outside."""

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        """The legal action that it chooses for the seat to act; raises Interrupted."""

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Whether it resigns for a seat; raises Interrupted."""

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool | None:
        """What it answers for a seat to the offer of a draw; None: nothing. Raises Interrupted."""


class PlaysOn:
    """A bot that only plays: it never gives up, and an offer lapses with its next action."""

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Never."""
        return False

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool | None:
        """No answer."""
        return None
