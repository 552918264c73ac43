"""Code shared by the two naive Lanricks: squares, lines, and the counting of turns.

Squares are their names ("a4"), men are a dict {square: letter}, and every question is answered by
trying everything. Comments name the section of the rulebook (`docs/rules/`) they follow. "README"
is its first file. No import from pbem.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Protocol, Self

Direction = tuple[int, int]
Men = dict[str, str]

FILES = "abcdefgh"
RANKS = "12345678"
SQUARES = [file + rank for file in FILES for rank in RANKS]  # in the order of their names

# 1881, first paragraph: "Border: the 28 edge squares. Field: the other 36."
BORDER = [square for square in SQUARES if square[0] in "ah" or square[1] in "18"]
FIELD = [square for square in SQUARES if square not in BORDER]

# "A line is a rank, file or diagonal": each has two directions.
LINES: dict[str, tuple[Direction, Direction]] = {
    "rank": ((1, 0), (-1, 0)),
    "file": ((0, 1), (0, -1)),
    "rising": ((1, 1), (-1, -1)),
    "falling": ((1, -1), (-1, 1)),
}
DIRECTIONS = [direction for pair in LINES.values() for direction in pair]


def beside(square: str, direction: Direction) -> str | None:
    """Return the next square in a direction, or None beyond the edge."""
    x = FILES.index(square[0]) + direction[0]
    y = RANKS.index(square[1]) + direction[1]
    return FILES[x] + RANKS[y] if 0 <= x < 8 and 0 <= y < 8 else None


def ray(square: str, direction: Direction) -> list[str]:
    """Return all squares from here (not included) to the edge."""
    squares = []
    following = beside(square, direction)
    while following is not None:
        squares.append(following)
        following = beside(following, direction)
    return squares


def neighbours(square: str) -> list[str]:
    around = [beside(square, direction) for direction in DIRECTIONS]
    return [one for one in around if one is not None]


def clear(men: Men, square: str, direction: Direction) -> list[str]:
    """ "Men never jump; may not enter an occupied square": return the ray up to the first man."""
    squares = []
    for one in ray(square, direction):
        if one in men:
            break
        squares.append(one)
    return squares


class NaiveMatch(ABC):
    """One mutable match: the seat to move, passes by the engine, and README "Endless play".

    A turn is everything that a seat does until the other seat's turn. A pass by the engine counts
    as a turn. A turn starts when a seat is asked for its first action. If the engine passes, it is
    not checked for repetition. `_position` is compared: all that further play depends on, but no
    counters.
    """

    SEATS: ClassVar[tuple[str, str]]
    LETTERS: ClassVar[dict[str, str]]
    MARK_SHOWN: ClassVar[tuple[str, ...]]  # the phases with a mark on the board

    def __init__(self, *, repetition: bool = True, quiet_limit: int = 100) -> None:
        self.repetition = repetition
        self.quiet_limit = quiet_limit
        self.men: Men = {}
        self.mark: str | None = None
        self.rendezvous: frozenset[str] = frozenset()
        self.phase = ""
        self.seat = self.SEATS[0]
        self.turn = 1
        self.quiet = 0  # turns ended since the one in which a man was last taken or replaced
        self.noisy = False  # a man was taken or replaced in the turn being played
        self.fresh = True  # the seat has not yet been asked in the turn being played
        self.seen: dict[object, int] = {}
        self.termination: str | None = None
        self.winners: list[str] = []

    def copy(self) -> Self:
        """No container here holds anything mutable, so that one level is enough."""
        twin = object.__new__(type(self))
        twin.__dict__.update({name: copy.copy(value) for name, value in self.__dict__.items()})
        return twin

    # ------------------------------------------------------------------ questions

    def to_act(self) -> str | None:
        return None if self.termination else self.seat

    def legal(self) -> list[str]:
        return [] if self.termination else self._actions()

    def board(self) -> dict[str, Any]:
        """docs/contracts.md, `board`. After the end: the phase in which it ended."""
        shown = self.phase in self.MARK_SHOWN
        return {
            "squares": dict(sorted(self.men.items())),
            "mark": self.mark if shown else None,
            "rendezvous": sorted(self.rendezvous) if shown else [],
            "phase": self.phase,
        }

    def outcome(self) -> dict[str, Any] | None:
        if self.termination is None:
            return None
        return {
            "winners": list(self.winners),
            "termination": self.termination,
            "scores": self._scores(),
        }

    def other(self, seat: str) -> str:
        return self.SEATS[1 - self.SEATS.index(seat)]

    def own(self, seat: str) -> list[str]:
        """Return the squares of a seat's men."""
        return sorted(one for one, letter in self.men.items() if letter == self.LETTERS[seat])

    def outside(self, seat: str) -> list[str]:
        """Return the squares of a seat's men that are not in the rendezvous."""
        return [square for square in self.own(seat) if square not in self.rendezvous]

    # ------------------------------------------------------------------ play

    def play(self, text: str) -> list[str]:
        """Play one action. Return the seats passed for right after it."""
        if self.termination:
            raise ValueError("the match is over")
        action = self._canonical(text)
        if action not in self._actions():
            raise ValueError(f"not legal here: {text}")
        self._do(action)
        return self._settle()

    def _hand_to(self, seat: str) -> None:
        """Decide who moves next. The turn continues if it is the seat that has just moved."""
        if seat == self.seat:
            return
        self.seat = seat
        self.turn += 1
        self.quiet = 0 if self.noisy else self.quiet + 1
        self.noisy = False
        self.fresh = True

    def _settle(self) -> list[str]:
        """README "No legal action": the engine plays the passes automatically."""
        passed: list[str] = []
        while not self.termination:
            asked = bool(self._actions())
            if not asked and self._is_stuck():
                self.termination = "stuck"
            elif self.fresh:
                self._look_for_endless_play(asked)
            if asked or self.termination:
                break
            passed.append(self.seat)
            self._pass()
        return passed

    def _look_for_endless_play(self, asked: bool) -> None:
        """README "Endless play". If both apply at once, the termination is `repetition`."""
        if asked:
            self.fresh = False
            position = self._position()
            self.seen[position] = self.seen.get(position, 0) + 1
            if self.repetition and self.seen[position] >= 3:
                self.termination = "repetition"
                return
        if self.quiet_limit and self.quiet >= self.quiet_limit:
            self.termination = "quiet"

    # ------------------------------------------------------------------ differences of the games

    @abstractmethod
    def _actions(self) -> list[str]:
        """Return the canonical texts of the seat's actions in this phase."""

    @abstractmethod
    def _do(self, text: str) -> None:
        """Play a legal action."""

    @abstractmethod
    def _pass(self) -> None:
        """Apply the effect of a pass: the seat has no action."""

    @abstractmethod
    def _is_stuck(self) -> bool:
        """Return whether both are stuck. Asked when the seat has no action."""

    @abstractmethod
    def _position(self) -> object:
        """Return what must be the same in a repetition."""

    @abstractmethod
    def _scores(self) -> dict[str, int]: ...

    def _canonical(self, text: str) -> str:
        return text


class Playable(Protocol):
    def legal(self) -> list[str]: ...
    def play(self, text: str) -> list[str]: ...
    def copy(self) -> Self: ...


def perft(match: Playable, depth: int) -> list[int]:
    """Return nodes at depth 1..depth. A pass by the engine does not count as a ply."""
    nodes = [0] * depth
    if depth == 0:
        return nodes
    for text in match.legal():
        nodes[0] += 1
        if depth > 1:
            after = match.copy()
            after.play(text)
            for level, count in enumerate(perft(after, depth - 1), start=1):
                nodes[level] += count
    return nodes
