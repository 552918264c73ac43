"""A match turn by turn: the actions of each turn and the position after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TypeVar

from pbem.archive.site.values import MatchPage, Note
from pbem.games.api import AnyGame, GamePosition, Seat
from pbem.games.diagram import Cell, Diagram, Place, Trail
from pbem.games.missing import MissingGame, MissingPosition
from pbem.games.replay import replay
from pbem.matches.history import Happening
from pbem.matches.match import PlayerId
from pbem.matches.score import TurnLine, joined, turn_lines
from pbem.painters.ground import ground


@dataclass(frozen=True)
class Step:
    """A turn as it was played. Turn 0 is the start."""

    turn: int
    position: GamePosition
    """Position after the turn."""
    lines: tuple[TurnLine, ...] = ()
    """Actions of the seat whose turn it was, and declarations of others."""
    at: datetime | None = None
    happenings: tuple[Happening, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class View:
    """The board as some seats see it."""

    seats: tuple[Seat, ...]
    places: Mapping[str, Place]
    """Places of the squares by name."""
    ground: str
    """The board without pieces, as a picture."""


@dataclass(frozen=True)
class Replayed:
    """A whole match, replayed by the engine of its game."""

    game: AnyGame
    holders: Mapping[Seat, PlayerId]
    steps: tuple[Step, ...]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in turn order."""
        return tuple(self.holders)

    @cached_property
    def diagrams(self) -> tuple[Diagram, ...]:
        """The board after each step, as the first seat sees it."""
        return tuple(self.game.diagram(step.position, self.seats[0]) for step in self.steps)

    @cached_property
    def trails(self) -> tuple[Trail | None, ...]:
        """The trail of the seat to act in each step."""
        return tuple(map(self._trail, self.steps, self.diagrams))

    def _trail(self, step: Step, diagram: Diagram) -> Trail | None:
        paths: tuple[tuple[str, ...], ...] = ()
        for line in step.lines:
            for text in line.texts:
                if more := self.game.paths(text):
                    paths = joined(paths, more)
        if not paths:
            return next((each for each in diagram.trails if each.turn == step.turn), None)
        return Trail(step.turn, step.lines[-1].seat, paths)

    def trails_at(self, index: int) -> tuple[Trail, ...]:
        """Return the last turn of each player up to a step, oldest first."""
        last: dict[PlayerId, Trail] = {}
        players = len(set(self.holders.values()))
        for trail in reversed(self.trails[max(0, index - 4 * players + 1) : index + 1]):
            if trail is not None:
                last.setdefault(self.holders[trail.seat], trail)
        return tuple(reversed(last.values()))

    def diagram(self, index: int) -> Diagram:
        """Return the board after a step with its trails, as the first seat sees it."""
        return self.diagrams[index].marked(self.trails_at(index))

    @property
    def views(self) -> tuple[View, ...]:
        """All views of the board. Seats that see it alike share one."""
        return _views(self.game, self.seats, self.steps[0].position)


@lru_cache(32)  # matches that begin alike share them
def _views(game: AnyGame, seats: tuple[Seat, ...], start: GamePosition) -> tuple[View, ...]:
    diagrams = {seat: game.diagram(start, seat) for seat in seats}
    found: defaultdict[tuple[tuple[str, Place], ...], list[Seat]] = defaultdict(list)
    for seat, diagram in diagrams.items():
        found[tuple(places_of(diagram).items())].append(seat)
    return tuple(
        View(tuple(alike), dict(places), ground(diagrams[alike[0]]))
        for places, alike in found.items()
    )


def places_of(diagram: Diagram) -> dict[str, Place]:
    """Return the places of the squares by name, sorted by name."""
    return dict(sorted((named(cell), place) for place, cell in diagram.cells.items()))


def named(cell: Cell) -> str:
    """Return the name of a square, or its label if the game gives it no name."""
    return cell.name or cell.label


def replayed(page: MatchPage) -> Replayed:
    """Return the match of a page, replayed. Raises ReplayError."""
    match = page.entry.match
    game, seats = match.game, tuple(match.seats)
    pairs = ((action.seat, action.text) for action in page.actions)
    start: GamePosition = game.initial(match.player_count, match.options.game)
    positions = (
        [MissingPosition(match.turn, match.to_act)] * len(page.actions)
        if isinstance(game, MissingGame)
        else [each.position for each in replay(game, match.player_count, match.options.game, pairs)]
    )
    after = {a.turn: position for a, position in zip(page.actions, positions, strict=True)}
    at = {action.turn: action.at for action in page.actions}
    lines = _by_turn(turn_lines(game, seats, page.actions))
    happenings, notes = _by_turn(page.happenings), _by_turn(page.notes)
    steps, position = [Step(0, start)], start
    for turn in sorted({*lines, *happenings, *notes} - {0}):
        position = after.get(turn, position)
        steps.append(
            Step(
                turn,
                position,
                tuple(lines[turn]),
                at.get(turn),
                tuple(happenings[turn]),
                tuple(notes[turn]),
            )
        )
    return Replayed(game, match.seats, tuple(steps))


Numbered = TypeVar("Numbered", TurnLine, Happening, Note)


def _by_turn(things: Iterable[Numbered]) -> defaultdict[int, list[Numbered]]:
    found: defaultdict[int, list[Numbered]] = defaultdict(list)
    for each in things:
        found[each.turn].append(each)
    return found
