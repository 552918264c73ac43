"""A naive Lanrick of 1893, written from the rulebook alone, to judge the real engine by.

Comments name the section of `docs/rules/lanrick-1893.md` that the code below them follows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations
from typing import ClassVar, NamedTuple

from tests.games.lanrick.naive_board import (
    BORDER,
    DIRECTIONS,
    FIELD,
    FILES,
    LINES,
    RANKS,
    SQUARES,
    NaiveMatch,
    beside,
    clear,
    neighbours,
    perft,
    ray,
)

__all__ = ["Naive1893", "Step", "perft", "rendezvous_of"]

# "Opening position"
OPENING = {
    **dict.fromkeys(["a1", "a7", "e8", "g1", "h5"], "y"),
    **dict.fromkeys(["a4", "b8", "d1", "h2", "h8"], "b"),
}
FIRST_MARKS = ["c6", "d5", "e4", "f3"]  # 1 Mark
SIGNS = {"-": "rank", "|": "file", "/": "rising", "\\": "falling"}  # 1 Mark, three squares

# 3 Play, Border run: "clockwise (a1→a8→h8→h1→a1)"
RING = [
    *["a" + rank for rank in RANKS],
    *[file + "8" for file in FILES[1:]],
    *["h" + rank for rank in RANKS[-2::-1]],
    *[file + "1" for file in FILES[-2:0:-1]],
]


def ends_of(mark: str, *lines: str) -> set[str]:
    """Return where the lines through the mark end. "men do not block the queen lines"."""
    return {ray(mark, direction)[-1] for line in lines for direction in LINES[line]}


def rendezvous_of(mark: str, size: int, sign: str = "") -> frozenset[str]:
    """Return the rendezvous by the table of "Rendezvous"."""
    left_and_right = {beside(mark, direction) for direction in LINES["rank"]}
    straight = {beside(mark, direction) for line in ("rank", "file") for direction in LINES[line]}
    close = {mark, *neighbours(mark)}
    if size == 9:
        return frozenset(close)
    if size == 8:
        return frozenset(ends_of(mark, *LINES))
    if size == 7:
        return frozenset(close - left_and_right)
    if size == 6:
        return frozenset(ends_of(mark, *LINES) - ends_of(mark, "rank"))
    if size == 5:
        return frozenset(close - straight)
    if size == 4:
        return frozenset(ends_of(mark, "rising", "falling"))
    if size == 3:
        both = [beside(mark, direction) for direction in LINES[SIGNS[sign]]]
        return frozenset([mark, *(one for one in both if one is not None)])
    raise ValueError(f"no rendezvous of {size} squares")


class Step(NamedTuple):
    start: str
    end: str
    cost: int
    way: str  # "-" along a line, or a border run: ">" clockwise, "<" the other way


def along_an_edge(start: str, end: str) -> bool:
    same_file = start[0] == end[0] and start[0] in "ah"
    same_rank = start[1] == end[1] and start[1] in "18"
    return same_file or same_rank


class Naive1893(NaiveMatch):
    SEATS = ("yellow", "black")
    LETTERS: ClassVar = {"yellow": "y", "black": "b"}
    # `interchange` is only the marker's choice of squares (`swap`). `ix` itself is in `play`.
    MARK_SHOWN = ("interchange", "play", "replace")

    def __init__(self, *, repetition: bool = True, quiet_limit: int = 100) -> None:
        super().__init__(repetition=repetition, quiet_limit=quiet_limit)
        self.men = dict(OPENING)
        self.phase = "mark"
        self.first_mark = True
        self.open = False  # the kind of rendezvous
        # 3 Play
        self.first_turn = False  # of the rendezvous
        self.may_claim = False  # `ix`
        self.squares_left = 0
        self.stepped: set[str] = set()  # squares of the men that have stepped in this turn
        self._settle()

    @classmethod
    def from_squares(
        cls,
        squares: Mapping[str, str],
        to_act: str = "yellow",
        phase: str = "play",
        *,
        mark: str | None = None,
        size: int | None = None,
        first_mark: bool = False,
        first_turn: bool = False,
        may_claim: bool = False,
        repetition: bool = True,
        quiet_limit: int = 100,
        quiet: int = 0,
        turn: int = 1,
    ) -> Naive1893:
        """Return a match at the start of a phase, after playing passes.

        `mark`: as in an action without the `@` ("d5", "d5/"). `size`: of the rendezvous, if it is
        not one less than the men. In `interchange` the seat to move has set the mark.
        """
        match = cls(repetition=repetition, quiet_limit=quiet_limit)
        match.men = dict(squares)
        match.seat = to_act
        match.phase = phase
        match.first_mark = first_mark
        match.quiet = quiet
        match.turn = turn
        match.fresh = True
        match.seen = {}
        if mark is not None:
            match._set_mark(mark, len(match.men) - 1 if size is None else size)
        if phase in ("play", "interchange"):
            match._begin_turn(first=first_turn or phase == "interchange")
            match.may_claim = may_claim
        match._settle()
        return match

    # ------------------------------------------------------------------ actions

    def _actions(self) -> list[str]:
        if self.phase == "mark":
            return ["@" + mark for mark in self.marks()]
        if self.phase == "interchange":
            return self.swaps()
        if self.phase == "replace":
            # 4: "one outlying adverse man"
            return ["*" + square for square in self.outside(self.other(self.seat))]
        # 2 Interchange: "optional, before the other player's first turn". 3 Play: `.` needs a step
        claim = ["ix"] if self.may_claim else []
        stop = ["."] if self.stepped else []
        return claim + list(self.steps()) + stop

    def marks(self) -> list[str]:
        """1 Mark: four squares, then b2–g7, or both neighbours on the board for 3 squares."""
        if self.first_mark:
            return FIRST_MARKS
        if len(self.men) - 1 != 3:
            return FIELD
        return [
            square + sign
            for square in SQUARES
            for sign in SIGNS
            if len(rendezvous_of(square, 3, sign)) == 3
        ]

    def swaps(self) -> list[str]:
        """2 Interchange: "chooses which adverse squares ..., as many as he has men"."""
        adverse = self.own(self.other(self.seat))
        choices = combinations(adverse, len(self.own(self.seat)))
        return ["swap " + " ".join(chosen) for chosen in choices]

    def steps(self) -> dict[str, Step]:
        """3 Play: all steps by their canonical texts. "each man is stepped at most once a turn"."""
        found = {}
        for start in self.own(self.seat):
            if start in self.stepped:
                continue
            for step in self.straight_steps(start):
                found[f"{start}-{step.end}"] = step
            if self.open and start in BORDER:
                found.update(self.named_runs(start))
        return found

    def limit_of(self, man: str) -> int:
        """3 Play: "at most 3 squares, unless at that moment it is ... only man outside"."""
        if self.outside(self.seat) == [man]:
            return self.squares_left
        return min(3, self.squares_left)

    def straight_steps(self, start: str) -> list[Step]:
        """3 Play: "along one line over vacant squares, cost = squares".

        For an open rendezvous "every move along the border is a run", so not here.
        """
        limit = self.limit_of(start)
        return [
            Step(start, end, cost, "-")
            for direction in DIRECTIONS
            for cost, end in enumerate(clear(self.men, start, direction), start=1)
            if cost <= limit and not (self.open and along_an_edge(start, end))
        ]

    def runs(self, start: str) -> list[Step]:
        """3 Play, Border run, in both directions."""
        found = []
        limit = self.limit_of(start)
        for way, sense in ((">", 1), ("<", -1)):
            place = RING.index(start)
            passed = False  # the first rendezvous square, never the starting one
            for walked in range(1, len(RING)):
                end = RING[(place + sense * walked) % len(RING)]
                if end in self.men:
                    break  # "over vacant squares", "an occupied one still blocks"
                cost = walked if passed else 1
                if cost <= limit:
                    found.append(Step(start, end, cost, way))
                passed = passed or end in self.rendezvous
        return found

    def named_runs(self, start: str) -> dict[str, Step]:
        """The arrow appears "only where the default would go the other way". The default is the
        cheaper of the legal ones, "on equal cost clockwise".
        """
        named = {}
        runs = self.runs(start)
        for run in runs:
            rivals = [one for one in runs if one.end == run.end]
            default = min(rivals, key=lambda one: (one.cost, one.way != ">"))
            arrow = "" if run == default else run.way
            named[f"{start}~{arrow}{run.end}"] = run
        return named

    def _canonical(self, text: str) -> str:
        """Two other ways to write a run: an arrow that is not needed, and "`-` along an edge is
        read as `~` in that direction".
        """
        found = re.fullmatch(r"([a-h][1-8])(-|~>|~<)([a-h][1-8])", text)
        if not (found and self.phase == "play" and self.open):
            return text
        start, sign, end = found.groups()
        way = sign[-1]
        if sign == "-":
            if start == end or not along_an_edge(start, end):
                return text
            # Along an edge the clockwise walk is the one shorter than half the ring.
            walk = (RING.index(end) - RING.index(start)) % len(RING)
            way = ">" if walk < len(RING) / 2 else "<"
        for name, step in self.steps().items():
            if (step.start, step.way, step.end) == (start, way, end):
                return name
        return text

    # ------------------------------------------------------------------ playing actions

    def _do(self, text: str) -> None:
        if self.phase == "mark":
            self._set_mark(text[1:], len(self.men) - 1)
            self.first_mark = False
            self.phase = "play"
            self._hand_to(self.other(self.seat))  # "The player who did not mark moves first."
            self._begin_turn(first=True)
            self.may_claim = True
        elif self.phase == "interchange":
            self._exchange(self.seat, text.split()[1:])
            self.phase = "play"
            self._hand_to(self.other(self.seat))
        elif self.phase == "replace":
            self._replace(text[1:])
        elif text == "ix":
            self._claim()
        elif text == ".":
            self._end_turn()
        else:
            self._step(self.steps()[text])

    def _set_mark(self, mark: str, size: int) -> None:
        """ "With n men on the board when the mark is set, the rendezvous has n − 1 squares." """
        self.mark = mark[:2]
        self.rendezvous = rendezvous_of(self.mark, size, mark[2:])
        self.open = size % 2 == 0

    def _begin_turn(self, first: bool) -> None:
        """3 Play: 2 in the first turn of a rendezvous. 5, 4 or 3 for more than 4, 4, fewer men."""
        men = len(self.own(self.seat))
        self.first_turn = first
        self.may_claim = False
        self.squares_left = 2 if first else 5 if men > 4 else 4 if men == 4 else 3
        self.stepped = set()

    def _end_turn(self) -> None:
        self._hand_to(self.other(self.seat))
        self._begin_turn(first=False)

    def _claim(self) -> None:
        """2 Interchange: equal numbers change at once, otherwise the marker chooses."""
        self.may_claim = False
        marker = self.other(self.seat)
        if len(self.own(marker)) == len(self.own(self.seat)):
            self._exchange(marker, self.own(self.seat))
        else:
            self.phase = "interchange"
            self._hand_to(marker)

    def _exchange(self, marker: str, chosen: list[str]) -> None:
        """2 Interchange: "The marker's men change places with as many adverse men."."""
        left = self.own(marker)
        for square in left:
            self.men[square] = self.LETTERS[self.other(marker)]
        for square in chosen:
            self.men[square] = self.LETTERS[marker]

    def _step(self, step: Step) -> None:
        self.may_claim = False
        self.men[step.end] = self.men.pop(step.start)
        self.squares_left -= step.cost
        self.stepped.add(step.end)
        if not self.outside(self.seat):
            # 4, ruling: "A turn stops at the step that brings the last man in", and at one that
            # leaves all of them in.
            self._reward()
        elif not self.steps():
            # 3 Play, "ended as in the 1881 rules": no squares or no legal steps are left
            self._end_turn()

    def _reward(self) -> None:
        """4 End of a turn: all the men of the seat are in the rendezvous."""
        adverse = self.other(self.seat)
        if any(square not in self.men for square in self.rendezvous):
            self.phase = "replace"
            return
        (outlying,) = self.outside(adverse)  # full: there is one man more than squares
        del self.men[outlying]
        self.noisy = True
        if self._is_won():
            return
        self.phase = "mark"
        # "the player with fewer men, or, the numbers being equal, the one who just lost a man"
        mine, his = len(self.own(self.seat)), len(self.own(adverse))
        self._hand_to(self.seat if mine < his else adverse)

    def _replace(self, square: str) -> None:
        """4: "by a man of his own; that ends his turn; play for the same rendezvous goes on"."""
        self.men[square] = self.LETTERS[self.seat]
        self.noisy = True
        if not self._is_won():
            self.phase = "play"
            self._end_turn()

    def _is_won(self) -> bool:
        """5: "A player left with one man has lost, at once."."""
        if len(self.own(self.other(self.seat))) > 1:
            return False
        self.termination = "last-man"
        self.winners = [self.seat]
        return True

    # ------------------------------------------------------------------ passes and the end

    def _pass(self) -> None:
        """4, ruling: the seat is examined anyway. Replacing belongs to the same turn."""
        if self.outside(self.seat):
            self._end_turn()
        else:
            self._reward()

    def _is_stuck(self) -> bool:
        """4, ruling: "If neither seat can step and none is rewarded"."""
        immobile = all(not clear(self.men, man, way) for man in self.men for way in DIRECTIONS)
        return immobile and all(self.outside(seat) for seat in self.SEATS)

    def _position(self) -> object:
        """Men, mark with its rendezvous, phase and seat, and hidden state: whether it is the first
        turn of the rendezvous, and whether `ix` can still be claimed.
        """
        shown = self.phase in self.MARK_SHOWN
        return (
            frozenset(self.men.items()),
            (self.mark, self.rendezvous) if shown else None,
            self.phase,
            self.seat,
            (self.first_turn, self.may_claim) if self.phase == "play" else None,
        )

    def _scores(self) -> dict[str, int]:
        """docs/contracts.md, scores: men left."""
        return {seat: len(self.own(seat)) for seat in self.SEATS}
