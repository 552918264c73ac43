"""A naive Lanrick of 1881, written from the rulebook alone, to judge the real engine by.

Comments name the phase of `docs/rules/lanrick-1881.md` that the code below them follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import ClassVar

from tests.games.lanrick.naive_board import (
    BORDER,
    DIRECTIONS,
    FIELD,
    LINES,
    NaiveMatch,
    clear,
    neighbours,
    perft,
)

__all__ = ["Naive1881", "perft"]

MEN_EACH = 5


def rendezvous_of(mark: str) -> frozenset[str]:
    """2 Mark: "the mark's square and its eight neighbours"."""
    return frozenset([mark, *neighbours(mark)])


class Naive1881(NaiveMatch):
    SEATS = ("white", "black")
    LETTERS: ClassVar = {"white": "w", "black": "b"}
    # 4 and 5 still need the rendezvous, 6, 7 and 2 do not.
    MARK_SHOWN = ("play", "remove", "disperse")

    def __init__(self, *, repetition: bool = True, quiet_limit: int = 100) -> None:
        super().__init__(repetition=repetition, quiet_limit=quiet_limit)
        self.phase = "place"
        self.taken = dict.fromkeys(self.SEATS, 0)  # men that a seat has taken
        # 3 Play
        self.first_turn = False  # of the rendezvous
        self.squares_left = 0
        self.steps_played = 0
        self.line_of: dict[str, str] = {}  # square of a man that has stepped -> its line
        # 4 to 7
        self.loser = "black"  # of the last rendezvous
        self.muster_first = "white"
        self.muster_due = "white"
        self._settle()

    @classmethod
    def from_squares(
        cls,
        squares: Mapping[str, str],
        to_act: str = "white",
        phase: str = "play",
        *,
        mark: str | None = None,
        first_turn: bool = False,
        repetition: bool = True,
        quiet_limit: int = 100,
        quiet: int = 0,
        turn: int = 1,
    ) -> Naive1881:
        """Return a match at the start of a phase, after playing automatic actions.

        In `remove` and `disperse` the seat to move has won the rendezvous. In `equalise` and
        `muster` it has lost it, and in `muster` it need not be the first player. Men that are
        missing from five were taken by the other seat (none were in `place`).
        """
        match = cls(repetition=repetition, quiet_limit=quiet_limit)
        match.men = dict(squares)
        match.seat = to_act
        match.phase = phase
        match.quiet = quiet
        match.turn = turn
        match.fresh = True
        match.seen = {}
        if mark is not None:
            match.mark = mark
            match.rendezvous = rendezvous_of(mark)
        if phase != "place":
            for seat in cls.SEATS:
                match.taken[seat] = max(0, MEN_EACH - len(match.own(match.other(seat))))
        match.loser = match.other(to_act) if phase in ("remove", "disperse") else to_act
        if phase == "play":
            match._begin_turn(first=first_turn)
        elif phase == "muster":
            match._begin_muster()
        match._go_on()
        match._settle()
        return match

    # ------------------------------------------------------------------ actions

    def _actions(self) -> list[str]:
        if self.phase == "place":
            # 1 Place: "one man on a vacant border square"
            return [square for square in BORDER if square not in self.men]
        if self.phase == "mark":
            return ["@" + square for square in self.marks(self.seat)]
        if self.phase == "play":
            # 3 Play: "`.` ends the turn", and needs a step before it.
            return self.steps() + (["."] if self.steps_played else [])
        if self.phase == "remove":
            # 4 Remove: "one adverse man that is not in the rendezvous"
            return ["x" + square for square in self.outside(self.loser)]
        if self.phase == "disperse":
            return self.disperse_moves()
        # 6 Equalise and 7 Muster: the seat's own men in the field.
        return self.to_border(self.in_field(self.seat))

    def marks(self, seat: str) -> list[str]:
        """2 Mark, with both steps of the ruling."""
        without_own = [mark for mark in FIELD if not rendezvous_of(mark) & set(self.own(seat))]
        passing = [mark for mark in without_own if not self.all_in_one_turn(seat, mark)]
        return passing or without_own or FIELD

    def all_in_one_turn(self, seat: str, mark: str) -> bool:
        """ "Worth testing": all n men of the seat are one step from n squares.

        These must be distinct vacant squares of it. (None of them is in it, so that each needs at
        least one of the n squares of the turn.)
        """
        rendezvous = rendezvous_of(mark)
        choices = [
            [end for end in neighbours(man) if end in rendezvous and end not in self.men]
            for man in self.own(seat)
        ]
        return any(len(set(ends)) == len(ends) for ends in product(*choices))

    def steps(self) -> list[str]:
        """3 Play: along one line over vacant squares.

        A man that stepped before keeps to its line.
        """
        texts = []
        for start in self.own(self.seat):
            for line, directions in LINES.items():
                if self.line_of.get(start, line) != line:
                    continue
                for direction in directions:
                    ends = clear(self.men, start, direction)[: self.squares_left]
                    texts += [f"{start}-{end}" for end in ends]
        return texts

    def in_field(self, seat: str) -> list[str]:
        return [square for square in self.own(seat) if square in FIELD]

    def to_border(self, men: list[str]) -> list[str]:
        """5 Disperse: "along one line over vacant squares, any distance, to a border square"."""
        texts = []
        for start in men:
            for direction in DIRECTIONS:
                ends = clear(self.men, start, direction)
                texts += [f"{start}>{end}" for end in ends if end in BORDER]
        return texts

    def disperse_moves(self) -> list[str]:
        """5 Disperse: adverse men "neither in the rendezvous nor on the border"."""
        return self.to_border([man for man in self.outside(self.loser) if man in FIELD])

    # ------------------------------------------------------------------ playing actions

    def _do(self, text: str) -> None:
        if self.phase == "place":
            self._place(text)
        elif self.phase == "mark":
            self.mark = text[1:]
            self.rendezvous = rendezvous_of(self.mark)
            self.phase = "play"
            self._hand_to(self.other(self.seat))  # 3 Play: "The other player moves first."
            self._begin_turn(first=True)
        elif self.phase == "play":
            self._step_or_stop(text)
        elif self.phase == "remove":
            self._remove(text[1:])
        else:
            start, end = text.split(">")
            self.men[end] = self.men.pop(start)
            if self.phase == "muster":
                self.muster_due = self.other(self.seat)
        if not self.termination:
            self._go_on()

    def _place(self, square: str) -> None:
        """1 Place: alternately "until all ten stand". White sets the first mark."""
        self.men[square] = self.LETTERS[self.seat]
        if len(self.men) == 2 * MEN_EACH:
            self.phase = "mark"
        self._hand_to(self.other(self.seat))

    def _begin_turn(self, first: bool) -> None:
        """3 Play:

        "at most 2" in the first turn of a rendezvous, otherwise the number of the seat's men.
        """
        self.first_turn = first
        self.squares_left = 2 if first else len(self.own(self.seat))
        self.steps_played = 0
        self.line_of = {}

    def _end_turn(self) -> None:
        self._hand_to(self.other(self.seat))
        self._begin_turn(first=False)

    def _step_or_stop(self, text: str) -> None:
        if text == ".":
            self._end_turn()
            return
        start, end = text.split("-")
        for line, directions in LINES.items():
            for direction in directions:
                way = clear(self.men, start, direction)
                if end in way:
                    self.squares_left -= way.index(end) + 1  # "its cost is the number of squares"
                    self.line_of.pop(start, None)
                    self.line_of[end] = line
        self.men[end] = self.men.pop(start)
        self.steps_played += 1
        if not self.outside(self.seat):
            # "As soon as, after a step, all of the mover's men are in ... he has won it"
            self.loser = self.other(self.seat)
            self.phase = "remove"
        elif not self.steps():
            # "when no squares or no legal steps are left"
            self._end_turn()

    def _remove(self, square: str) -> None:
        """4 Remove: "Four men taken wins the game at once."."""
        del self.men[square]
        self.taken[self.seat] += 1
        self.noisy = True
        if self.taken[self.seat] == 4:
            self.termination = "four-taken"
            self.winners = [self.seat]
        else:
            self.phase = "disperse"

    def _go_on(self) -> None:
        """Leave phases with nothing (more) to do."""
        # 4, ruling: "if no adverse man is outside ... none is taken"
        if self.phase == "remove" and not self.outside(self.loser):
            self.phase = "disperse"
        # 5, ruling: a man without a clear line "stays where it is when none can" be moved
        if self.phase == "disperse" and not self.disperse_moves():
            self.phase = "equalise"
        if self.phase == "equalise":
            self._ask_to_equalise()
        if self.phase == "muster":
            self._ask_to_muster()

    def _ask_to_equalise(self) -> None:
        """6 Equalise: the seat with more men in the field, until the numbers are equal."""
        for seat in self.SEATS:
            field = self.in_field(seat)
            if len(field) > len(self.in_field(self.other(seat))) and self.to_border(field):
                self._hand_to(seat)
                return
        self._begin_muster()

    def _begin_muster(self) -> None:
        """7 Muster: first is the seat with fewer men on the board, otherwise the one that lost."""
        self.phase = "muster"
        self.muster_first = self.loser
        for seat in self.SEATS:
            if len(self.own(seat)) < len(self.own(self.other(seat))):
                self.muster_first = seat
        self.muster_due = self.muster_first

    def _ask_to_muster(self) -> None:
        """7 Muster: alternately. A seat without a move is passed over and asked again. Two in a row
        passed over end it. Being passed over is not a turn. "The first player then is the marker".
        """
        for seat in (self.muster_due, self.other(self.muster_due)):
            if self.to_border(self.in_field(seat)):
                self._hand_to(seat)
                return
        self.phase = "mark"
        self._hand_to(self.muster_first)

    # ------------------------------------------------------------------ passes and the end

    def _pass(self) -> None:
        """Only in 3 Play can a seat be without an action. The pass is an ordinary turn."""
        self._end_turn()

    def _is_stuck(self) -> bool:
        """3 Play: "If neither seat can step"."""
        return all(not clear(self.men, man, way) for man in self.men for way in DIRECTIONS)

    def _position(self) -> object:
        """Return men, mark, phase and seat, with the hidden state.

        Whether it is the first turn of the rendezvous, its last loser, and who musters first.
        """
        hidden: object = None
        if self.phase == "play":
            hidden = self.first_turn
        elif self.phase == "equalise":
            hidden = self.loser
        elif self.phase == "muster":
            hidden = self.muster_first
        mark = self.mark if self.phase in self.MARK_SHOWN else None
        return (frozenset(self.men.items()), mark, self.phase, self.seat, hidden)

    def _scores(self) -> dict[str, int]:
        """docs/contracts.md, scores: men taken."""
        return dict(self.taken)
