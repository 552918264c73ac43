"""A naive Lancelot, written from the rulebook alone, to judge the real engine by.

Nothing here is clever on purpose: a position is a dict {(file, rank): letter}, a line a list of
squares, and whether an action is legal is found out by doing it on a copy. Comments name the
section of `docs/rules/lancelot.md` ("Play", "Judging a line", "End", "Excalibur") that the code
below them follows. No import from pbem.

How the rulebook is read if it leaves room:

- Turns. Setting Excalibur is a turn of its own, number 1. Red's first placement is then turn 2. A
  pass played by the engine is a turn. A resignation is not a turn. But a seat that resigns in its
  turn passes at once, and that pass is one. After the end `turn` is no longer meaningful.
- Passing. Passes are counted from the last action, whatever their reason: no legal square, no
  knight left, or resigned. As many in a row as the match has seats end the match. So the seat that
  acted last passes last, and its pass is among those returned. A resignation does not restart the
  count. A seat that passed plays again as soon as it has a legal action.
- Resignation. With two seats, or when only one seat has not resigned, the match ends at once by
  `resignation`, without a pass. A seat that has resigned keeps its score but wins nothing when the
  match is exhausted: the best of the others win. Its knights are defeated like any others.
- If the last seat resigns before it has set Excalibur, the last seat that has not resigned sets it.
  This is still turn 1, and nobody passes.
- Knights. Each seat has 30 for the whole match. A defeated one does not come back. A seat without
  knights can still call the king's force, for Excalibur alone.
- Lines, with diagonals: only lines of at least four squares *in the area* of this number of
  players.
- King's force. Each half is a placement: the first on the position before it, the second on the
  position after the first. A placement is judged on the lines through its square, and on no others
  (the lines that Excalibur leaves are not judged). In both halves the advantage is own knights
  minus others' knights, plus 1 if Excalibur is on the line at that moment. Before it has moved,
  that is its old square. An advantage above 2 in either half makes the whole action illegal.
  Exactly 2 defeats, in Excalibur's half as in the knight's. The lines of one placement are all
  judged on the same position, then the defeated knights are taken off together.
- In `*A5+K4` the knight may take the square that Excalibur has just left. `*` never names
  Excalibur's own square. A square freed by a defeat is vacant to the second half. But its line then
  has an advantage of 3 or more for the seat, so nothing can be placed there. Defeated knights do
  matter on the other lines by which the second half is judged.
- Excalibur alone (`*A5`) is judged like the Excalibur half of both. It places no knight.
- The target is checked after the whole action. A king's force whose first half reaches it is
  completed, and the knights defeated by the second half count in the score.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Square = tuple[int, int]  # file, rank; A1 is (1, 1)
Line = list[Square]
Pieces = dict[Square, str]  # "r b y g v" and "*"
Done = tuple[Pieces, int]  # the position after an action, and the knights defeated by it

# First paragraph: the seats in turn order, 30 knights each.
SEATS = ("red", "blue", "yellow", "green", "violet")
KNIGHTS = 30
EXCALIBUR = "*"

# The table of the first section: players -> lower left and upper right corner, knights to defeat.
AREAS = {2: ("D4", "K11"), 3: ("C3", "L12"), 4: ("B2", "M13"), 5: ("A1", "N14")}
TARGETS = {2: 7, 3: 8, 4: 9, 5: 10}

LABEL = "[A-N](?:[1-9]|1[0-4])"
PLACE = re.compile(f"({LABEL})")  # K4
SET = re.compile(rf"\*({LABEL})")  # *G7
EXCALIBUR_FIRST = re.compile(rf"\*({LABEL})\+({LABEL})")  # *A5+K4
KNIGHT_FIRST = re.compile(rf"({LABEL})\+\*({LABEL})")  # K4+*A5


def square_of(label: str) -> Square:
    return (ord(label[0]) - ord("A") + 1, int(label[1:]))


def label_of(square: Square) -> str:
    return chr(ord("A") + square[0] - 1) + str(square[1])


def area_of(players: int) -> list[Square]:
    """Return the area in play, by the table of the first section."""
    (left, low), (right, high) = (square_of(corner) for corner in AREAS[players])
    return [(x, y) for x in range(left, right + 1) for y in range(low, high + 1)]


def lines_of(area: list[Square], diagonals: bool) -> list[Line]:
    """ "Judging a line": ranks, files and, with `diagonals`, diagonals of at least four squares."""
    lines = [[s for s in area if s[1] == rank] for rank in sorted({y for _, y in area})]
    lines += [[s for s in area if s[0] == file] for file in sorted({x for x, _ in area})]
    if diagonals:
        rising = [[s for s in area if s[0] - s[1] == n] for n in range(-13, 14)]
        falling = [[s for s in area if s[0] + s[1] == n] for n in range(2, 29)]
        lines += [line for line in rising + falling if len(line) >= 4]
    return lines


class NaiveLancelot:
    """One mutable match. Texts in and out are the canonical texts."""

    def __init__(
        self,
        players: int,
        *,
        diagonals: bool = False,
        excalibur: bool = False,
        target: int | None = None,
    ) -> None:
        if players not in AREAS:
            raise ValueError("2 to 5 players")
        if target is not None and target < 1:
            raise ValueError("a target is at least 1")
        self.players = players
        self.seats = list(SEATS[:players])
        self.target = TARGETS[players] if target is None else target
        self.area = area_of(players)
        self.lines_through: dict[Square, list[Line]] = {
            square: [line for line in lines_of(self.area, diagonals) if square in line]
            for square in self.area
        }
        self.pieces: Pieces = {}
        self.left = dict.fromkeys(self.seats, KNIGHTS)  # knights that a seat can still place
        self.defeated = dict.fromkeys(self.seats, 0)  # knights that a seat has defeated
        self.forced: set[str] = set()  # seats that have called the king's force
        self.resigned: set[str] = set()
        self.passes_in_a_row = 0
        self.turn = 1
        self.termination: str | None = None
        # "Excalibur": before the first placement the last seat sets it.
        self.excalibur = excalibur
        self.seat = self.seats[-1] if excalibur else self.seats[0]

    @classmethod
    def from_squares(
        cls,
        players: int,
        squares: Mapping[str, str],
        to_act: str = "red",
        *,
        diagonals: bool = False,
        excalibur: bool = False,
        target: int | None = None,
        turn: int = 1,
        left: Mapping[str, int] | None = None,
        defeated: Mapping[str, int] | None = None,
        forced: Iterable[str] = (),
        resigned: Iterable[str] = (),
    ) -> NaiveLancelot:
        """Return a match in a position given in the form of `board()`.

        With `excalibur` one square must hold it: the position is one after the setting. `left`:
        knights that can still be placed, by default 30 less those on the board. `forced`: seats
        that have called the king's force. If the seat to move has no action, the engine passes for
        it, so the match may be over at once.
        """
        match = cls(players, diagonals=diagonals, excalibur=excalibur, target=target)
        for label, piece in squares.items():
            if not PLACE.fullmatch(label) or square_of(label) not in match.area:
                raise ValueError(f"no such square: {label}")
            if piece != EXCALIBUR and piece not in match.letters():
                raise ValueError(f"no such piece: {piece}")
            match.pieces[square_of(label)] = piece
        if list(match.pieces.values()).count(EXCALIBUR) != int(excalibur):
            raise ValueError("one Excalibur with the option, none without")
        for seat in match.seats:
            on_board = list(match.pieces.values()).count(seat[0])
            match.left[seat] = (left or {}).get(seat, KNIGHTS - on_board)
            match.defeated[seat] = (defeated or {}).get(seat, 0)
        match.forced = {match.known(seat) for seat in forced}
        match.resigned = {match.known(seat) for seat in resigned}
        match.seat = match.known(to_act)
        match.turn = turn
        match._settle()
        return match

    def copy(self) -> NaiveLancelot:
        twin = NaiveLancelot.__new__(NaiveLancelot)
        twin.__dict__.update(self.__dict__)
        twin.pieces = dict(self.pieces)
        twin.left = dict(self.left)
        twin.defeated = dict(self.defeated)
        twin.forced = set(self.forced)
        twin.resigned = set(self.resigned)
        return twin

    # ------------------------------------------------------------------ questions

    def to_act(self) -> str | None:
        return None if self.termination else self.seat

    def legal(self) -> list[str]:
        """Return all actions of the seat to move, never a pass. There can be tens of thousands."""
        return [*self.plain(), *self.alone(), *self.forces()]

    def alone(self) -> list[str]:
        """ "Excalibur": set before the first placement, or moved by a force without a knight."""
        texts = ["*" + label_of(square) for square in self.area]
        return [text for text in texts if self.is_legal(text)]

    def plain(self) -> list[str]:
        """Return the placements without a king's force."""
        texts = [label_of(square) for square in self.area]
        return [text for text in texts if self.is_legal(text)]

    def forces(self) -> Iterator[str]:
        """Yield king's forces with a knight one by one: both orders of every pair.

        To save time, an illegal first half is not combined with every second half.
        """
        if self.termination or not self.may_force(self.seat) or not self.may_place(self.seat):
            return
        seat, labels = self.seat, {label_of(square): square for square in self.area}
        for first, square in labels.items():
            half = self.move_excalibur(self.pieces, seat, square)
            if half is not None:
                for second, other in labels.items():
                    if self.place(half[0], seat, other, force=True) is not None:
                        yield f"*{first}+{second}"
            half = self.place(self.pieces, seat, square, force=True)
            if half is not None:
                for second, other in labels.items():
                    if self.move_excalibur(half[0], seat, other) is not None:
                        yield f"{first}+*{second}"

    def is_legal(self, text: str) -> bool:
        """Return whether this canonical text is legal for the seat to move."""
        return self.done(text) is not None

    def board(self) -> dict[str, Any]:
        """docs/contracts.md, `board`: label -> `r b y g v` or `*`, and the defeats of each seat."""
        return {
            "squares": {label_of(square): self.pieces[square] for square in sorted(self.pieces)},
            "defeated": dict(self.defeated),
        }

    def outcome(self) -> dict[str, Any] | None:
        if self.termination is None:
            return None
        return {
            "winners": self.winners(),
            "termination": self.termination,
            "scores": dict(self.defeated),
        }

    def winners(self) -> list[str]:
        standing = self.standing()
        # "End": the first seat to defeat the target number.
        if self.termination == "target":
            return [seat for seat in standing if self.defeated[seat] >= self.target]
        # "Play": the last seat not resigned wins (only one is left).
        if self.termination == "resignation":
            return standing
        # "End": ended by passing, the most knights defeated. Equal numbers share the win.
        most = max(self.defeated[seat] for seat in standing)
        return [seat for seat in standing if self.defeated[seat] == most]

    def standing(self) -> list[str]:
        """Return the seats that have not resigned."""
        return [seat for seat in self.seats if seat not in self.resigned]

    def letters(self) -> list[str]:
        return [seat[0] for seat in self.seats]

    def known(self, seat: str) -> str:
        if seat not in self.seats:
            raise ValueError(f"no such seat: {seat}")
        return seat

    # ------------------------------------------------------------------ judging lines

    def advantage(self, pieces: Pieces, line: Line, seat: str, force: bool) -> int:
        """ "Judging a line": own knights minus all others', minus Excalibur if it is on the line.

        "Excalibur": in a turn with a king's force it counts for the seat.
        """
        total = 0
        for square in line:
            piece = pieces.get(square)
            if piece is None:
                continue
            if piece == EXCALIBUR:
                total += 1 if force else -1
            else:
                total += 1 if piece == seat[0] else -1
        return total

    def put(
        self, pieces: Pieces, seat: str, square: Square, piece: str, force: bool
    ) -> Done | None:
        """ "Judging a line": put a knight or Excalibur on a square.

        Return None if that is illegal.
        """
        # "Play": on a vacant square of the area.
        if square not in self.lines_through or square in pieces:
            return None
        after = {**pieces, square: piece}
        fallen: set[Square] = set()
        # Every line through the square is judged, all on the same position.
        for line in self.lines_through[square]:
            advantage = self.advantage(after, line, seat, force)
            # Above 2 on any of them: illegal.
            if advantage > 2:
                return None
            # Exactly 2: all other seats' knights there are defeated. Excalibur is never removed.
            if advantage == 2:
                fallen |= {s for s in line if after.get(s) not in (None, seat[0], EXCALIBUR)}
        return {s: kept for s, kept in after.items() if s not in fallen}, len(fallen)

    def place(self, pieces: Pieces, seat: str, square: Square, force: bool) -> Done | None:
        """ "Play": one knight."""
        return self.put(pieces, seat, square, seat[0], force)

    def move_excalibur(self, pieces: Pieces, seat: str, square: Square) -> Done | None:
        """ "Excalibur": move to another vacant square, judged on its lines."""
        if pieces.get(square) == EXCALIBUR:
            return None
        without = {s: piece for s, piece in pieces.items() if piece != EXCALIBUR}
        return self.put(without, seat, square, EXCALIBUR, force=True)

    # ------------------------------------------------------------------ actions

    def is_to_be_set(self) -> bool:
        """ "Excalibur": it is never removed, so it is missing only before its setting."""
        return self.excalibur and EXCALIBUR not in self.pieces.values()

    def may_place(self, seat: str) -> bool:
        """ "Play": a seat that has resigned, or has no knights left, passes."""
        return not self.is_to_be_set() and self.left[seat] > 0 and seat not in self.resigned

    def may_force(self, seat: str) -> bool:
        """ "Excalibur": once in a game, with or without a knight left to place."""
        if not self.excalibur or self.is_to_be_set():
            return False
        return seat not in self.resigned and seat not in self.forced

    def done(self, text: str) -> Done | None:
        """Return the result of the action of this text, or None if it is illegal."""
        if self.termination:
            return None
        seat = self.seat
        if found := SET.fullmatch(text):
            square = square_of(found[1])
            if self.is_to_be_set():
                return ({square: EXCALIBUR}, 0) if square in self.area else None
            if not self.may_force(seat):
                return None
            # "This allows him to move Excalibur": alone it is a turn.
            return self.move_excalibur(self.pieces, seat, square)
        if found := PLACE.fullmatch(text):
            if not self.may_place(seat):
                return None
            return self.place(self.pieces, seat, square_of(found[1]), force=False)
        return self.done_by_force(text, seat)

    def done_by_force(self, text: str, seat: str) -> Done | None:
        """ "Excalibur": either order.

        Each half is judged when it is done, and removals happen then.
        """
        if not self.may_force(seat) or not self.may_place(seat):
            return None
        if found := EXCALIBUR_FIRST.fullmatch(text):
            half = self.move_excalibur(self.pieces, seat, square_of(found[1]))
            if half is None:
                return None
            whole = self.place(half[0], seat, square_of(found[2]), force=True)
        elif found := KNIGHT_FIRST.fullmatch(text):
            half = self.place(self.pieces, seat, square_of(found[1]), force=True)
            if half is None:
                return None
            whole = self.move_excalibur(half[0], seat, square_of(found[2]))
        else:
            return None
        return None if whole is None else (whole[0], half[1] + whole[1])

    def has_action(self) -> bool:
        """ "Excalibur": a seat with no square or knight can still play a king's force."""
        labels = [label_of(square) for square in self.area]
        if any(self.is_legal(label) or self.is_legal("*" + label) for label in labels):
            return True
        return any(True for _ in self.forces())

    def play(self, text: str) -> list[str]:
        """Play for the seat to move. Return the seats that the engine then passed for."""
        if self.termination:
            raise ValueError("the match is over")
        done = self.done(text)
        if done is None:
            raise ValueError(f"not legal for {self.seat}: {text}")
        if self.is_to_be_set():
            # "Excalibur": set before the first placement, which is Red's.
            self.seat = self.seats[-1]
        elif "*" in text:
            self.forced.add(self.seat)
        if not SET.fullmatch(text):
            self.left[self.seat] -= 1
        self.pieces = done[0]
        self.defeated[self.seat] += done[1]
        self.passes_in_a_row = 0
        self._next_seat()
        return self._settle()

    def resign(self, seat: str) -> list[str]:
        """ "Play": among three or more the seat passes from now on. The last one not resigned wins.

        Allowed at any time, even out of turn. Returns the seats that the engine passed for.
        """
        self.known(seat)
        if self.termination:
            raise ValueError("the match is over")
        if seat in self.resigned:
            raise ValueError(f"{seat} has resigned")
        self.resigned.add(seat)
        if self.is_to_be_set():
            self.seat = self.standing()[-1]
        return self._settle()

    def _next_seat(self) -> None:
        self.seat = self.seats[(self.seats.index(self.seat) + 1) % self.players]
        self.turn += 1

    def _settle(self) -> list[str]:
        """End the match, or find the next seat to move, passing for the others."""
        # "End": at once.
        if any(self.defeated[seat] >= self.target for seat in self.standing()):
            self.termination = "target"
            return []
        if len(self.standing()) == 1:
            self.termination = "resignation"
            return []
        passes: list[str] = []
        while not self.has_action():
            # "Play": `--`, automatically. When every seat passes in a row the game ends.
            passes.append(self.seat)
            self.passes_in_a_row += 1
            self._next_seat()
            if self.passes_in_a_row == self.players:
                self.termination = "exhausted"
                break
        return passes


def perft(match: NaiveLancelot, depth: int) -> list[int]:
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
