"""A match as a list of turns, for reading: passes of the engine included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.games.api import AnyGame, Seat
from pbem.matches.match import RecordedAction


@dataclass(frozen=True)
class TurnLine:
    """What one seat did in a turn."""

    turn: int
    seat: Seat
    texts: tuple[str, ...]
    passed: bool = False
    """Whether the engine passed for the seat."""

    def __str__(self) -> str:
        return f"{self.turn} {self.seat}  {' '.join(self.texts)}"


def turn_lines(
    game: AnyGame, seats: tuple[Seat, ...], actions: Iterable[RecordedAction]
) -> tuple[TurnLine, ...]:
    """Actions grouped by turn and seat, with the passes between them."""
    lines: list[TurnLine] = []
    for line in _lines(game, seats, actions):
        if lines and (lines[-1].turn, lines[-1].seat) == (line.turn, line.seat):
            lines[-1] = TurnLine(line.turn, line.seat, lines[-1].texts + line.texts)
        else:
            lines.append(line)
    return tuple(lines)


def _lines(
    game: AnyGame, seats: tuple[Seat, ...], actions: Iterable[RecordedAction]
) -> Iterator[TurnLine]:
    for action in actions:
        yield TurnLine(action.turn, action.seat, (action.text,))
        for later, seat in enumerate(action.passed, start=1):
            yield TurnLine(action.turn + later, seat, (game.format_pass(),), passed=True)


def since_last_turn(lines: Iterable[TurnLine], seats: tuple[Seat, ...]) -> tuple[TurnLine, ...]:
    """Lines after the last one of these seats that was not the engine's; all if there is none."""
    kept: list[TurnLine] = []
    for line in lines:
        kept = [] if line.seat in seats and not line.passed else [*kept, line]
    return tuple(kept)
