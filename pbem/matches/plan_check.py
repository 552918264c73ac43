"""Plan check: check the lines of a plan against the rules, and put them into canonical form."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from pbem.games.api import ActionError, AnyGame, GamePosition, InvalidActionError, Seat
from pbem.games.phrases import Phrase
from pbem.games.replay import play_list, play_one
from pbem.matches.line import LineTurn, read_line
from pbem.matches.plan_lines import PlanError, segments_of
from pbem.matches.plans import (
    ANY,
    ANYTHING,
    DRAW,
    RESIGN,
    PlanLine,
    Step,
    contradiction,
    leaves,
    men,
    written,
)

MOST_STEPS = 40
"""Turns in a line."""
MOST_TRIED = 200
"""Positions to which `any` or `anything` is taken to lead, as a sample."""
MOST_FURTHER = 60
"""The same for a further `any` or `anything` in a line."""
MOST_POSITIONS = 6_000
"""Positions looked at to check a whole plan. It takes about a second."""
MOST_KEPT = 12
"""Positions of the sample in which an answer is found legal. More add nothing."""


class CheckedLine(NamedTuple):
    """A line in canonical form, and where it leads."""

    line: PlanLine
    position: Any
    """Position after it, None if that depends on turns that it leaves open."""

    @property
    def text(self) -> str:
        """The line as text."""
        return written(self.line)


def check_plan(
    game: AnyGame,
    position: GamePosition,
    everybody: Sequence[Seat],
    seats: Collection[Seat],
    lines: Sequence[str],
) -> list[CheckedLine]:
    """Return the lines of a plan from a position, as far as the rules allow to check them.

    `everybody` are the seats of the match, and `seats` the author's. A line that is the beginning
    of another is left out. Raises PlanError.
    """
    checker = _Checker(game, everybody, seats)
    start = _Walk((), (position,))
    checked: dict[PlanLine, CheckedLine] = {}
    for line in lines:
        walk = checker.walked(start, line)
        known = None if walk.wild else walk.positions[0]
        checked.setdefault(walk.steps, CheckedLine(walk.steps, known))
        if clash := contradiction((walk.steps,), checked):
            raise PlanError("contradiction", written(clash[0]), written(clash[1]))
    return [checked[line] for line in leaves(checked)]


class _Walk(NamedTuple):
    """A line so far, and the positions to which it may lead: one, or a sample."""

    steps: PlanLine
    positions: tuple[Any, ...]
    wild: bool = False
    men: int = 0
    """After `any` or `anything`: the author's men if none is captured unforeseen."""

    def to(self, step: Step, positions: Sequence[Any]) -> _Walk:
        return self._replace(steps=(*self.steps, step), positions=tuple(positions))


@dataclass
class _Checker:
    game: AnyGame
    everybody: Sequence[Seat]
    seats: Collection[Seat]
    """The author's."""
    _looked_at: int = 0
    _known: dict[PlanLine, _Walk] = field(default_factory=dict)
    """Walks after `any` and `anything`, kept because many lines begin alike."""

    def walked(self, walk: _Walk, line: str) -> _Walk:
        for segment in segments_of(line):
            if walk.steps and walk.steps[-1].texts in (RESIGN, DRAW):
                raise PlanError("last", line, walk.steps[-1].texts[0])
            for turn in segment.turns:
                if (turn,) in (ANY, ANYTHING):
                    walk = self._anything(walk, (turn,), line)
                else:
                    walk = self._named(walk, turn, line)
            walk = self._answered(walk, segment.answer, line)
            if len(walk.steps) > MOST_STEPS:
                raise PlanError("long", line)
        return walk

    def _anything(self, walk: _Walk, turn: tuple[str, ...], line: str) -> _Walk:
        self._require_others(walk, line, turn[0])
        after = walk.to(Step(False, turn), ())
        if after.steps not in self._known:
            least = walk.men if walk.wild else self._men(walk.positions[0])
            positions = self._next(walk.positions)
            self._count(len(positions), line)
            while turn == ANYTHING and any(map(self._is_others, positions)):
                own = [each for each in positions if not self._is_others(each)]
                others = [each for each in positions if self._is_others(each)]
                positions = [*own, *self._next(others)][:MOST_TRIED]
                self._count(len(positions), line)
            after = after._replace(positions=tuple(positions), wild=True, men=least)
            self._known[after.steps] = after
        return self._known[after.steps]

    def _count(self, positions: int, line: str) -> None:
        """Raise PlanError if the plan takes too long to check."""
        self._looked_at += positions
        if self._looked_at > MOST_POSITIONS:
            raise PlanError("too_open", line)

    def _next(self, positions: Sequence[Any]) -> list[Any]:
        """Return positions after a turn, as many from each position."""
        others = [each for each in positions if self._is_others(each)]
        most = MOST_FURTHER if len(positions) > 1 else MOST_TRIED
        each = -(-most // max(len(others), 1))
        return [after for one in others for after in _possible(self.game, one, each)]

    def _is_others(self, position: Any) -> bool:
        seat = self.game.to_act(position)
        return seat is not None and seat not in self.seats

    def _require_others(self, walk: _Walk, line: str, text: str) -> None:
        if all(self.game.to_act(each) is None for each in walk.positions):
            raise PlanError("over", line, text)
        if not any(map(self._is_others, walk.positions)):
            raise PlanError("your_turn", line, text)

    def _named(self, walk: _Walk, text: str, line: str) -> _Walk:
        """Follow turns that a line names, possibly the author's own answers to earlier ones."""
        position, turns = self._read(walk, text, line)
        for turn in turns:
            own = turn.seat in self.seats
            if own and (not walk.steps or walk.steps[-1].own):
                raise PlanError("your_turn", line, turn.text)
            if walk.wild and not own:
                lost = self._men(position) - self._men(turn.position)
                walk = walk._replace(men=walk.men - max(lost, 0))
            walk = self._stepped(walk, turn, line, own=own)
            position = turn.position
        return walk

    def _answered(self, walk: _Walk, text: str, line: str) -> _Walk:
        if all(self.game.to_act(each) is None for each in walk.positions):
            raise PlanError("over", line, text)
        if all(map(self._is_others, walk.positions)):
            raise PlanError("their_turn", line, text, self._asked(walk.positions[0]))
        own = (each for each in walk.positions if self.game.to_act(each) in self.seats)
        walk = walk._replace(positions=tuple(own))
        if (text,) in (RESIGN, DRAW):
            return walk.to(Step(True, (text,)), walk.positions)
        _, turns = self._read(walk, text, line)
        for turn in turns:
            if turn.seat not in self.seats:
                raise PlanError("one_turn", line, text)
            walk = self._stepped(walk, turn, line, own=True)
        return walk

    def _read(self, walk: _Walk, text: str, line: str) -> tuple[Any, Sequence[LineTurn]]:
        """Return the turns that a text names in the first position that allows them."""
        first: ActionError | None = None
        captured = False
        for position in walk.positions:
            if self.game.to_act(position) is None:
                continue
            self._count(1, line)
            read = read_line(self.game, self.everybody, position, text)
            if read.broken is not None:
                first = first or read.broken
                continue
            if read.cut or not read.turns:
                raise PlanError("long" if read.cut else "words", line, text)
            if not all(map(self._is_whole, read.turns)):
                raise PlanError("open", line, text)
            if walk.wild and read.turns[0].seat in self.seats and self._men(position) < walk.men:
                captured = True  # it would lapse there
                continue
            return position, read.turns
        if first is None:
            raise PlanError("captured" if captured else "over", line, text)
        key = "never" if walk.wild else "illegal"
        key = "words" if isinstance(first, InvalidActionError) else key
        raise PlanError(key, line, first.text, first.reason, first.candidates)

    def _is_whole(self, turn: LineTurn) -> bool:
        ended = self.game.to_act(turn.position) is None
        return ended or turn.position.turn != turn.number

    def _stepped(self, walk: _Walk, turn: LineTurn, line: str, *, own: bool) -> _Walk:
        """Follow a turn in all positions that allow it, up to a limit."""
        texts = tuple(each.text for each in turn.played)
        step = Step(own, texts, walk.men if own and walk.wild else 0)
        if not walk.wild:
            return walk.to(step, (turn.position,))
        sound = (each for each in walk.positions if not own or self._men(each) >= walk.men)
        reached = (self._after(each, turn.seat, texts, line) for each in sound)
        after = walk.to(step, list(islice((each for each in reached if each), MOST_KEPT)))
        return after._replace(men=self._men(turn.position)) if own else after

    def _after(self, position: Any, seat: Seat, texts: Sequence[str], line: str) -> Any:
        """Return the position after the same turn, None if it is not possible there."""
        self._count(1, line)
        if self.game.to_act(position) != seat:
            return None
        try:
            played = play_list(self.game, position, seat, texts)
        except ActionError:
            return None
        return played[-1].position if [each.text for each in played] == [*texts] else None

    def _men(self, position: Any) -> int:
        return men(self.game, position, next(iter(self.seats)))

    def _asked(self, position: Any) -> Phrase | str:
        return self.game.info.name_of(self.game.to_act(position) or "")


def _possible(game: AnyGame, position: GamePosition, most: int) -> Iterator[Any]:
    """Yield positions after legal turns from all over the list, each ended as soon as possible."""
    actions = list(islice(game.legal_actions(position), MOST_COUNTED))
    for action in actions[:: -(-len(actions) // most)]:
        yield _ended(game, game.play(position, action), position.turn)


MOST_COUNTED = 500
"""Legal actions of a position that are considered."""
LONGEST_TURN = 64
"""More actions than any turn has."""


def _ended(game: AnyGame, position: GamePosition, turn: int) -> GamePosition:
    for _ in range(LONGEST_TURN):
        seat = game.to_act(position)
        if seat is None or position.turn != turn:
            break
        closing = game.closing(position)
        if closing is not None:
            position = play_one(game, position, seat, closing).position
        else:
            position = game.play(position, next(iter(game.legal_actions(position))))
    return position
