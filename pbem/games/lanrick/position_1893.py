"""A Lanrick position under the rules of 1893 (rulebook, `lanrick-1893`), and its legal actions.

Phases: mark, play (with the claim to an interchange), interchange (its choice of squares), replace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from pbem.games.api import Seat
from pbem.games.lanrick.actions import (
    LAPS,
    LanrickAction,
    each_square,
    free_runs,
    free_steps,
    steps_from,
)
from pbem.games.lanrick.board import FIELD, NEAR, RAYS, SQUARES, bits, has_room, mask_of
from pbem.games.values import once

SEATS: tuple[Seat, ...] = ("yellow", "black")
OPENING = (
    mask_of(tuple(SQUARES[name] for name in ("a1", "a7", "e8", "g1", "h5"))),
    mask_of(tuple(SQUARES[name] for name in ("a4", "b8", "d1", "h2", "h8"))),
)
FIRST_MARKS = tuple(SQUARES[name] for name in ("f3", "e4", "d5", "c6"))
CAP = 3
"""Squares that one man may move, unless it is the only one outside."""
LINES = {"-": (2, 6), "|": (0, 4), "/": (1, 5), "\\": (3, 7)}
"""Both directions of a mark for three squares, as indices of RAYS."""
_DIAGONALS, _RANK = (1, 3, 5, 7), (2, 6)


@cache
def rendezvous_of(mark: int, size: int, line: str = "") -> int:
    """Return the mask of a rendezvous of `size` squares around a mark."""
    rays = RAYS[mark]
    beside = {way: 1 << rays[way][0] if rays[way] else 0 for way in range(8)}
    ends = {way: 1 << rays[way][-1] if rays[way] else 0 for way in range(8)}
    if size == 3:
        return 1 << mark | beside[LINES[line][0]] | beside[LINES[line][1]]
    return {
        9: NEAR[mark],
        8: sum(ends.values()),
        7: NEAR[mark] & ~(beside[2] | beside[6]),
        6: sum(end for way, end in ends.items() if way not in _RANK),
        5: 1 << mark | sum(beside[way] for way in _DIAGONALS),
        4: sum(ends[way] for way in _DIAGONALS),
    }[size]


@dataclass(unsafe_hash=True)
class Position1893:
    """Everything the rules of 1893 need to continue. Only they may change it, while building it."""

    repetition: bool
    quiet_limit: int
    men: tuple[int, int] = OPENING
    """Masks of Yellow's and Black's men."""
    phase: str = "mark"
    to_act: int = 0
    """0 for Yellow, 1 for Black."""
    mark: int | None = None
    line: str = ""
    """Direction of a mark for three squares."""
    rendezvous: int = 0
    """Mask of its squares."""
    open: bool = False
    """Whether it is on the border, where men run."""
    first_turn: bool = False
    may_claim: bool = False
    """Whether the seat to act may claim the interchange."""
    budget: int = 0
    """Squares that the seat to act may still move in this turn."""
    stepped: int = 0
    """Mask of the men that have stepped in this turn."""
    turn: int = 1
    quiet: int = 0
    """Turns since a man was taken or replaced."""
    seen: tuple[object, ...] = ()
    """Positions at the starts of those turns."""
    passed: tuple[Seat, ...] = ()
    last: tuple[LanrickAction, ...] = ()
    begun: bool = False
    """Whether this turn has had an action."""
    over: str = ""
    """Why the last steps ended automatically: `spent` squares, or every man `blocked`."""
    ending: str | None = None

    @property
    def seat(self) -> Seat:
        """Seat to act."""
        return SEATS[self.to_act]

    @property
    def own(self) -> int:
        """Men of the seat to act."""
        return self.men[self.to_act]

    @property
    def adverse(self) -> int:
        """Men of the other seat."""
        return self.men[1 - self.to_act]

    @property
    def occupied(self) -> int:
        """Occupied squares."""
        return self.men[0] | self.men[1]

    @property
    def all_in(self) -> bool:
        """Whether every man of the seat to act is in the rendezvous."""
        return not self.own & ~self.rendezvous

    @once
    def legal(self) -> tuple[LanrickAction, ...]:
        """Legal actions, a1 first."""
        return tuple(_LEGAL[self.phase](self)) if self.ending is None else ()

    @once
    def allowed(self) -> frozenset[LanrickAction]:
        """Legal actions as a set, for lookups."""
        return frozenset(self.legal)

    @property
    def can_act(self) -> bool:
        """Whether there is a legal action. Only the play phase may lack one."""
        return self.phase != "play" or self.may_claim or self.can_step

    @property
    def can_step(self) -> bool:
        """Whether a man may step or run. Both start on a square next to it."""
        return self.budget > 0 and has_room(self.own & ~self.stepped, self.occupied)


_MARKS, _REPLACEMENTS = each_square(SEATS, "@"), each_square(SEATS, "*")
_ENDS, _CLAIMS = ([LanrickAction(seat, sign) for seat in SEATS] for sign in (".", "ix"))


def _marks_in_line(seat: Seat) -> list[LanrickAction]:
    """Return the marks of a rendezvous of three squares, in all directions that fit the board."""
    return [
        LanrickAction(seat, "@", (square,), line)
        for square in range(64)
        for line, ways in LINES.items()
        if all(RAYS[square][way] for way in ways)
    ]


_MARKS_IN_LINE = [_marks_in_line(seat) for seat in SEATS]


def _marks(position: Position1893) -> Sequence[LanrickAction]:
    me = position.to_act
    if position.mark is not None and position.occupied.bit_count() <= 4:
        return _MARKS_IN_LINE[me]
    squares = FIRST_MARKS if position.mark is None else bits(FIELD)
    return [_MARKS[me][square] for square in squares]


def _swaps(position: Position1893) -> list[LanrickAction]:
    """Return the marker's choices: as many of the opponent's squares as the marker has men."""
    chosen = combinations(bits(position.adverse), position.own.bit_count())
    return [LanrickAction(position.seat, "swap", squares) for squares in chosen]


def _replacements(position: Position1893) -> list[LanrickAction]:
    replacements = _REPLACEMENTS[position.to_act]
    return [replacements[square] for square in bits(position.adverse & ~position.rendezvous)]


def _turn(position: Position1893) -> list[LanrickAction]:
    me = position.to_act
    claim = [_CLAIMS[me]] if position.may_claim else []
    end = [_ENDS[me]] if position.stepped else []
    return claim + _steps(position) + end


def _steps(position: Position1893) -> list[LanrickAction]:
    seat, occupied, rendezvous = position.seat, position.occupied, position.rendezvous
    outside = position.own & ~rendezvous
    steps: list[LanrickAction] = []
    for man in bits(position.own & ~position.stepped):
        reach = position.budget if outside == 1 << man else min(CAP, position.budget)
        of_man = steps_from(seat, man)
        steps += free_steps(of_man.inland if position.open else of_man.rays, occupied, reach)
        if position.open and man in LAPS:
            steps += free_runs(seat, man, occupied, rendezvous, reach)
    return steps


_LEGAL = {"mark": _marks, "interchange": _swaps, "play": _turn, "replace": _replacements}
