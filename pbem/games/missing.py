"""Stand in for a game that is not installed, so that its matches can still be listed and read.

It has the facts that a match shows without rules: its seats and who held them. Nothing can be
played by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from pbem.games.api import Game, GameInfo, Options, Outcome, Seat
from pbem.games.diagram import Cell, Diagram
from pbem.games.errors import IllegalActionError
from pbem.games.phrases import ENGLISH
from pbem.games.words import phrase


class MissingPosition(NamedTuple):
    """What is stored of a position besides the actions."""

    turn: int = 1
    seat: Seat | None = None
    passed: tuple[Seat, ...] = ()


class MissingGame(Game[MissingPosition, Any]):
    """A game of which only the key is known, and the seats of each player."""

    def __init__(self, key: str, rules_version: int, held: tuple[tuple[Seat, ...], ...]) -> None:
        count = len(held)
        self.info = GameInfo(
            key=key,
            title=key.replace("-", " ").capitalize(),
            rules_version=rules_version,
            seats=tuple(seat for seats in held for seat in seats),
            holders={count: held},
            sides={count: held},
            terminations={},
            draw_offers=False,
        )

    def initial(self, players: int, options: Options) -> MissingPosition:
        """Return the start, with nobody to act."""
        return MissingPosition()

    def to_act(self, position: MissingPosition) -> Seat | None:
        """Return the seat to act."""
        return position.seat

    def legal_actions(self, position: MissingPosition) -> Iterable[Any]:
        """Return no actions."""
        return ()

    def play(self, position: MissingPosition, action: Any) -> MissingPosition:
        """Raise IllegalActionError."""
        raise IllegalActionError(phrase("missing.action"))

    def outcome(self, position: MissingPosition) -> Outcome | None:
        """Return no outcome."""
        return None

    def forfeit(self, position: MissingPosition, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        """Return no points."""
        return dict.fromkeys(self.info.seats, 0)

    def standing(self, position: MissingPosition) -> Mapping[Seat, int]:
        """Rate all seats alike."""
        return dict.fromkeys(self.info.seats, 0)

    def actions_in(self, line: str) -> tuple[str, ...] | None:
        """Read every line as prose."""
        return None

    def words_in(self, line: str) -> tuple[str, ...]:
        """Return no words."""
        return ()

    def meant(self, position: MissingPosition, text: str, seat: Seat) -> Any:
        """Raise IllegalActionError."""
        raise IllegalActionError(phrase("missing.action"), text=text)

    def format(self, position: MissingPosition, action: Any) -> str:
        """Return no text."""
        return ""

    def squares(self, position: MissingPosition) -> dict[str, Any]:
        """Return no squares."""
        return {"squares": {}}

    def diagram(self, position: MissingPosition, seat: Seat) -> Diagram:
        """Return a board of one square that says that the board cannot be shown."""
        return Diagram(1, 1, {(0, 0): Cell("", "?")}, (phrase("missing.board"),))

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Return no paths."""
        return ()

    def rules(self, language: str) -> str:
        """Return a sentence in English in place of the rules."""
        return ENGLISH.text(phrase("missing.rules"))


@cache
def missing(key: str, rules_version: int, held: tuple[tuple[Seat, ...], ...]) -> MissingGame:
    """Return the stand-in for a game, given the seats of each player."""
    return MissingGame(key, rules_version, held)
