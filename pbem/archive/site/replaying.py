"""A match turn by turn: what was done in each, and the position that it led to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from pbem.archive.site.values import MatchPage, Note
from pbem.games.api import AnyGame, Position, Seat
from pbem.games.diagram import Cell, Diagram, Place, Trail
from pbem.games.replay import replay
from pbem.matches.history import Happening
from pbem.matches.match import PlayerId
from pbem.matches.score import TurnLine, joined, turn_lines


@dataclass(frozen=True)
class Step:
    """A turn as it was played; turn 0 is before the first."""

    turn: int
    position: Position
    """After it."""
    lines: tuple[TurnLine, ...] = ()
    """Who did what: the seat whose turn it was, and others that declared something."""
    at: datetime | None = None
    happenings: tuple[Happening, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class View:
    """The board as some seats see it."""

    seats: tuple[Seat, ...]
    places: Mapping[str, Place]
    """Where each square is, by name."""


@dataclass(frozen=True)
class Replayed:
    """A whole match, replayed by the engine of its game."""

    game: AnyGame
    holders: Mapping[Seat, PlayerId]
    steps: tuple[Step, ...]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All of them, in turn order."""
        return tuple(self.holders)

    @cached_property
    def diagrams(self) -> tuple[Diagram, ...]:
        """The board after each step as the first seat sees it."""
        return tuple(self.game.diagram(step.position, self.seats[0]) for step in self.steps)

    @cached_property
    def trails(self) -> tuple[Trail | None, ...]:
        """What the seat to act did in each step."""
        return tuple(map(self._trail, self.steps))

    def _trail(self, step: Step) -> Trail | None:
        paths: tuple[tuple[str, ...], ...] = ()
        for line in step.lines:
            for text in line.texts:
                if more := self.game.paths(text):
                    paths = joined(paths, more)
        return Trail(step.turn, step.lines[-1].seat, paths) if paths else None

    def trails_at(self, index: int) -> tuple[Trail, ...]:
        """The last turn of each player up to a step, oldest first."""
        last: dict[PlayerId, Trail] = {}
        players = len(set(self.holders.values()))
        for trail in reversed(self.trails[max(0, index - 4 * players + 1) : index + 1]):
            if trail is not None:
                last.setdefault(self.holders[trail.seat], trail)
        return tuple(reversed(last.values()))

    def diagram(self, index: int) -> Diagram:
        """The board after a step with what was done last, as the first seat sees it."""
        return replace(self.diagrams[index], trails=self.trails_at(index))

    @cached_property
    def views(self) -> tuple[View, ...]:
        """Every way to see the board; seats that see it alike share one."""
        found: dict[tuple[tuple[str, Place], ...], list[Seat]] = {}
        for seat in self.seats:
            places = places_of(self.game.diagram(self.steps[0].position, seat))
            found.setdefault(tuple(places.items()), []).append(seat)
        return tuple(View(tuple(seats), dict(places)) for places, seats in found.items())


def places_of(diagram: Diagram) -> dict[str, Place]:
    """Where each square is, by name, in the order of the names."""
    return dict(sorted((named(cell), place) for place, cell in diagram.cells.items()))


def named(cell: Cell) -> str:
    """Name of a square; its label where a game gives it no name."""
    return cell.name or cell.label


def replayed(page: MatchPage) -> Replayed:
    """The match of a page; raises ReplayError."""
    match = page.entry.match
    game, seats = match.game, tuple(match.seats)
    pairs = ((action.seat, action.text) for action in page.actions)
    start: Position = game.initial(match.player_count, match.options.game)
    positions = [
        each.position for each in replay(game, match.player_count, match.options.game, pairs)
    ]
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
