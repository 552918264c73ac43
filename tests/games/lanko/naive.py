"""A naive Lanko, written from the rulebook alone, to judge the real engine by.

Nothing here is clever on purpose: a board is a dict {(x, y): piece}, and every question is answered
by trying everything. Comments name the section of `docs/rules/lanko.md` ("Boards", "End d", ...)
that the code below them follows. No import from pbem.

Coordinates as in the rulebook: x to the east, y to the north, centre (0, 0).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Square = tuple[int, int]

SEATS = "SWNE"  # first paragraph: turns in that order, S first
CASTLES = "BSbs"
KINDS = "BSPbsp"

# "Boards": the three label maps, pasted in from the rulebook.
MAPS = {
    "lanko-88": """
                  1   2   A   3   4
                  5   6   B   7   8
                  9  10   C  11  12
     13  14  15  16  17   D  18  19  20  21  22
     23  24  25  26  27   E  28  29  30  31  32
      F   G   H   I   J   X   K   L   M   N   O
     33  34  35  36  37   P  38  39  40  41  42
     43  44  45  46  47   Q  48  49  50  51  52
                 53  54   R  55  56
                 57  58   S  59  60
                 61  62   T  63  64
""",
    "lanko-68": """
              1   2   A   3   4
              5   6   B   7   8
      9  10  11  12   C  13  14  15  16
     17  18  19  20   D  21  22  23  24
      E   F   G   H   X   I   J   K   L
     25  26  27  28   M  29  30  31  32
     33  34  35  36   N  37  38  39  40
             41  42   O  43  44
             45  46   P  47  48
""",
    "lanko-103": """
                      1  #N   A       2
                      .   3   .   4   .
                      5   .   B   .   6
                      .   7   .   8   .
      9   .  10   .  11   .   C   .  12   .  13   .  14
      .  15   .  16   .  17 (N)  18   .  19   .  20  #E
      D   .   E   .   F (W)   G (E)   H   .   K   .   L
     #W  21   .  22   .  23 (S)  24   .  25   .  26   .
     27   .  28   .  29   .   M   .  30   .  31   .  32
                      .  33   .  34   .
                     35   .   N   .  36
                      .  37   .  38   .
                     39       P  #S  40
""",
}


def parse_map(text: str) -> dict[Square, str]:
    """Return {square: label as printed} of a map, including idle squares ('.').

    Cells are four characters wide and right-aligned. The first one ends in column 6.
    """
    rows = text.strip("\n").split("\n")
    half = len(rows) // 2
    cells: dict[Square, str] = {}
    for number, row in enumerate(rows):
        for found in re.finditer(r"\S+", row):
            column, rest = divmod(found.end() - 1 - 6, 4)
            if rest:
                raise AssertionError(f"{found.group()} is out of its column")
            cells[(column - half, half - number)] = found.group()
    return cells


# "Whose piece is it to move": forward of each seat.
FORWARD: dict[str, Square] = {"S": (0, 1), "N": (0, -1), "W": (1, 0), "E": (-1, 0)}
ORTHOGONAL: list[Square] = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL: list[Square] = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
MIDDLE: Square = (0, 0)  # of Lanko-88 and -68

# "Boards", Barriers: the four inner corners; at (2,2): (2,2)|(2,3) and (2,2)|(3,2).
BARRIERS: set[frozenset[Square]] = {
    frozenset({(2 * sx, 2 * sy), other})
    for sx in (1, -1)
    for sy in (1, -1)
    for other in ((2 * sx, 3 * sy), (3 * sx, 2 * sy))
}

# "Pieces and opening position", written for N; the others by rotation about the centre.
OPENING_N: dict[str, dict[Square, str]] = {
    "lanko-88": {
        **dict(zip([(x, 5) for x in range(-2, 3)], "PSBSP", strict=True)),
        **{(x, y): "P" for y in (4, 3) for x in range(-2, 3)},
    },
    "lanko-68": {
        **dict(zip([(x, 4) for x in range(-2, 3)], "PSBSP", strict=True)),
        **{(x, 3): "P" for x in range(-2, 3)},
    },
    "lanko-103": {
        **dict(zip([(-2, 6), (0, 6), (2, 6)], "SBS", strict=True)),
        **{(x, y): "P" for y in (5, 4, 3) for x in range(-2, 3) if (x + y) % 2 == 0},
        (-1, 6): "P",  # the standby pawn
    },
}

VALUES = {"B": 12, "S": 6, "P": 2}


@dataclass(frozen=True, eq=False)
class Piece:
    """One piece on the board. Two pieces of a kind are still two (compare with `is`)."""

    kind: str  # B S P White, b s p Black

    @property
    def white(self) -> bool:
        return self.kind.isupper()

    @property
    def pawn(self) -> bool:
        return self.kind in "Pp"

    @property
    def castle(self) -> bool:
        return self.kind in CASTLES

    @property
    def value(self) -> int:
        return VALUES[self.kind.upper()]


Pieces = dict[Square, Piece]


@dataclass(frozen=True)
class Move:
    """path: start and every landing square. how: movement, jump, capture, end or standby."""

    how: str
    path: tuple[Square, ...]
    taken: tuple[Square, ...] = ()


def add(square: Square, step: Square) -> Square:
    return (square[0] + step[0], square[1] + step[1])


def rotate(square: Square, quarters: int) -> Square:
    """Rotate about the centre, a quarter turn clockwise each: N -> E -> S -> W."""
    x, y = square
    for _ in range(quarters):
        x, y = y, -x
    return (x, y)


def sideways(forward: Square) -> list[Square]:
    dx, dy = forward
    return [(dy, dx), (-dy, -dx)]


def is_white(seat: str) -> bool:
    """First paragraph: S and N own White together, W and E own Black."""
    return seat in "SN"


class NaiveLanko:
    """One mutable match. Texts in and out are the canonical texts."""

    def __init__(
        self, board: str, players: int, *, repetition: bool = True, quiet_limit: int = 200
    ) -> None:
        self._prepare(board, players, repetition, quiet_limit)
        # "Pieces and opening position": N's arm, the others by rotation about the centre.
        for quarters, seat in enumerate("NESW"):
            for square, kind in OPENING_N[board].items():
                own = kind if is_white(seat) else kind.lower()
                self.pieces[rotate(square, quarters)] = Piece(own)
        self._settle()

    def _prepare(self, board: str, players: int, repetition: bool, quiet_limit: int) -> None:
        if board not in MAPS:
            raise ValueError(f"no such board: {board}")
        if players not in (2, 3, 4):
            raise ValueError("2, 3 or 4 players")
        self.board = board
        self.diagonal = board == "lanko-103"
        self.players = players
        self.repetition = repetition
        self.quiet_limit = quiet_limit
        self.cells = parse_map(MAPS[board])
        self.pieces: Pieces = {}  # all but the castles in the middle
        self.middle: list[Piece] = []  # 88 and 68: the castles in X
        self.seat = "S"
        self.turn = 1
        self.quiet = 0  # turns since the last capture, entry or burning
        self.declared: set[str] = set()  # players who have declared [+++]
        self.seen: dict[object, int] = {}  # End f: position -> how often a seat had to move in it
        # End e: the last forced steps and jumps of each seat, (piece, from, to)
        self.shuttles: dict[str, list[tuple[Piece, Square, Square]]] = {s: [] for s in SEATS}
        self.termination: str | None = None

    @classmethod
    def from_squares(
        cls,
        board: str,
        players: int,
        squares: Mapping[str, str],
        to_act: str = "S",
        *,
        repetition: bool = True,
        quiet_limit: int = 200,
        quiet: int = 0,
        turn: int = 1,
        declared: Iterable[str] = (),
    ) -> NaiveLanko:
        """Return a match in a position given in the form of `squares()`.

        `declared`: seats that have declared [+++]. The ends of the game are checked at once, and if
        the seat to move has no move, the engine passes for it.
        """
        match = cls.__new__(cls)
        match._prepare(board, players, repetition, quiet_limit)
        where = {label: square for square, label in match.cells.items() if label != "."}
        for label, kinds in squares.items():
            if label not in where:
                raise ValueError(f"no such square: {label}")
            if label == "X":
                if not kinds or any(kind not in CASTLES for kind in kinds) or len(kinds) > 4:
                    raise ValueError(f"not up to four castles: {kinds}")
                match.middle = [Piece(kind) for kind in kinds]
                continue
            if len(kinds) != 1 or kinds not in KINDS:
                raise ValueError(f"no such piece: {kinds}")
            piece = Piece(kinds)
            if (label[0] == "(" and not piece.castle) or (label[0] == "#" and not piece.pawn):
                raise ValueError(f"{kinds} cannot stand on {label}")
            match.pieces[where[label]] = piece
        if to_act not in SEATS:
            raise ValueError(f"no such seat: {to_act}")
        match.seat = to_act
        match.turn = turn
        match.quiet = quiet
        match.declared = {match.player_of(seat) for seat in declared}
        match._settle()
        return match

    def copy(self) -> NaiveLanko:
        twin = NaiveLanko.__new__(NaiveLanko)
        twin.__dict__.update(self.__dict__)
        twin.pieces = dict(self.pieces)
        twin.middle = list(self.middle)
        twin.declared = set(self.declared)
        twin.seen = dict(self.seen)
        twin.shuttles = {seat: list(run) for seat, run in self.shuttles.items()}
        return twin

    # ------------------------------------------------------------------ questions

    def to_act(self) -> str | None:
        return None if self.termination else self.seat

    def legal(self) -> list[str]:
        if self.termination:
            return []
        return [self.text(move) for move in self.moves_of(self.seat)]

    def squares(self) -> dict[str, str]:
        """docs/contracts.md, `board`: label -> piece, the castles in X as one string, B S b s."""
        shown = {self.cells[square]: piece.kind for square, piece in self.pieces.items()}
        if self.middle:
            kinds = [piece.kind for piece in self.middle]
            shown["X"] = "".join(sorted(kinds, key=CASTLES.index))
        return shown

    def outcome(self) -> dict[str, object] | None:
        if self.termination is None:
            return None
        balance = self.points(True) - self.points(False)
        scores = {seat: balance if is_white(seat) else -balance for seat in SEATS}
        return {
            "winners": [seat for seat in SEATS if scores[seat] > 0],
            "termination": self.termination,
            "scores": scores,
        }

    def points(self, white: bool) -> int:
        """Score: castles in the middle or on end squares threefold, all others at face value."""
        total = 0
        for square, piece in self.pieces.items():
            if piece.white == white:
                total += piece.value * (3 if self.is_end_square(square) else 1)
        for piece in self.middle:
            if piece.white == white:
                total += piece.value * 3
        return total

    def player_of(self, seat: str) -> str:
        """The table of the first section: who holds what. A player is named by their seats."""
        if seat not in SEATS:
            raise ValueError(f"no such seat: {seat}")
        holdings = {4: ["S", "W", "N", "E"], 3: ["S", "N", "WE"], 2: ["SN", "WE"]}[self.players]
        return next(held for held in holdings if seat in held)

    def all_players(self) -> set[str]:
        return {self.player_of(seat) for seat in SEATS}

    # ------------------------------------------------------------------ the squares

    def is_end_square(self, square: Square) -> bool:
        return self.diagonal and self.cells[square][0] == "("

    def is_standby_square(self, square: Square) -> bool:
        return self.diagonal and self.cells[square][0] == "#"

    def is_middle(self, square: Square) -> bool:
        return not self.diagonal and square == MIDDLE

    def is_playable(self, square: Square) -> bool:
        """Squares for movements, jumps and captures: 103 "play on the dark squares", X included."""
        if square not in self.cells:
            return False
        if self.diagonal:
            label = self.cells[square]
            return label != "." and label[0] not in "(#"
        return True

    def is_vacant(self, square: Square, pieces: Pieces) -> bool:
        """Return whether a square is vacant. The middle always has room for one more."""
        return self.is_playable(square) and square not in pieces

    def barred(self, start: Square, end: Square) -> bool:
        """Barriers: on 88 and 68 only, for orthogonal steps only (no diagonal pair is in it)."""
        return not self.diagonal and frozenset({start, end}) in BARRIERS

    # ------------------------------------------------------------------ the moves

    def may_move(self, seat: str, square: Square, piece: Piece) -> bool:
        """ "Whose piece is it to move", judged where the piece starts."""
        x, y = square
        if seat == "S":
            return piece.white and y <= 0
        if seat == "N":
            return piece.white and y >= 0
        if seat == "W":
            return not piece.white and x <= 0
        return not piece.white and x >= 0

    def moves_of(self, seat: str) -> list[Move]:
        """One of three kinds a turn. If the seat can capture, it must."""
        captures: list[Move] = []
        others: list[Move] = []
        for square, piece in self.pieces.items():
            if not self.may_move(seat, square, piece) or self.is_end_square(square):
                continue
            if self.is_standby_square(square):
                others += self.standby_steps(seat, square)
                continue
            captures += self.captures(square, piece)
            if self.diagonal:
                others += self.quiet_moves_103(seat, square, piece)
            else:
                others += self.quiet_moves_88_68(seat, square, piece)
        return captures or others

    def quiet_moves_88_68(self, seat: str, start: Square, piece: Piece) -> list[Move]:
        forward = FORWARD[seat]
        left, right = sideways(forward)
        moves: list[Move] = []
        # Movement: forward, left or right, not across a barrier.
        for step in (forward, left, right):
            end = add(start, step)
            if self.is_vacant(end, self.pieces) and not self.barred(start, end):
                moves.append(Move("movement", (start, end)))
        if not piece.pawn:
            return moves
        # Movement of a pawn diagonally forward. Barriers let it pass.
        for side in (left, right):
            end = add(add(start, forward), side)
            if self.is_vacant(end, self.pieces):
                moves.append(Move("movement", (start, end)))
        # Jump: pawns only, over one neighbouring pawn of its colour, forward, left or right.
        for step in (forward, left, right):
            over = add(start, step)
            end = add(over, step)
            jumped = self.pieces.get(over)
            if jumped is None or not jumped.pawn or jumped.white != piece.white:
                continue
            if self.barred(start, over) or self.barred(over, end):
                continue
            if self.is_vacant(end, self.pieces):
                moves.append(Move("jump", (start, end)))
        return moves

    def quiet_moves_103(self, seat: str, start: Square, piece: Piece) -> list[Move]:
        forward = FORWARD[seat]
        moves: list[Move] = []
        for side in sideways(forward):
            step = add(forward, side)
            # Movement: pawn or castle, diagonally forward.
            end = add(start, step)
            if self.is_vacant(end, self.pieces):
                moves.append(Move("movement", (start, end)))
            # Jump: pawn or castle over one piece of its colour, diagonally forward.
            beyond = add(end, step)
            jumped = self.pieces.get(end)
            own = jumped is not None and jumped.white == piece.white
            if own and self.is_vacant(beyond, self.pieces):
                moves.append(Move("jump", (start, beyond)))
        # End square: a castle on a manoeuvre square, straight forward or sideways.
        if piece.castle and start in [(0, 0), *DIAGONAL]:
            for step in (forward, *sideways(forward)):
                end = add(start, step)
                if self.is_end_square(end) and end not in self.pieces:
                    moves.append(Move("end", (start, end)))
        return moves

    def standby_steps(self, seat: str, start: Square) -> list[Move]:
        """Standby pawn: forward or sideways to a vacant dark neighbour."""
        forward = FORWARD[seat]
        steps = (forward, *sideways(forward))
        ends = [add(start, step) for step in steps]
        return [Move("standby", (start, end)) for end in ends if self.is_vacant(end, self.pieces)]

    def captures(self, start: Square, piece: Piece) -> list[Move]:
        """Capture: every way, each continued as long as the same piece can."""
        without = dict(self.pieces)
        del without[start]  # the moving piece has left its square
        return [
            Move("capture", (start, *landings), taken)
            for landings, taken in self.capture_ways(start, piece, without)
            if taken
        ]

    def capture_ways(
        self, here: Square, piece: Piece, pieces: Pieces
    ) -> list[tuple[tuple[Square, ...], tuple[Square, ...]]]:
        """(landings, taken) of every full capture from here.

        With nothing to take: one empty way.
        """
        ways: list[tuple[tuple[Square, ...], tuple[Square, ...]]] = []
        for step in DIAGONAL if self.diagonal else ORTHOGONAL:
            over = add(here, step)
            end = add(over, step)
            victim = pieces.get(over)  # castles in the middle are not in `pieces`
            if victim is None or victim.white == piece.white:
                continue
            if not self.is_playable(over) or not self.is_vacant(end, pieces):
                continue
            if self.barred(here, over) or self.barred(over, end):
                continue
            left = dict(pieces)
            del left[over]  # removed at once
            if self.is_middle(end):  # Middle: entering ends the move
                ways.append(((end,), (over,)))
                continue
            for landings, taken in self.capture_ways(end, piece, left):
                ways.append(((end, *landings), (over, *taken)))
        return ways or [((), ())]

    def text(self, move: Move) -> str:
        """The canonical texts: `[9:C:E]`, `[E-(X)]`, `[G-(N)]`, `[#S-P]`."""
        names = ["(X)" if self.is_middle(square) else self.cells[square] for square in move.path]
        return "[" + (":" if move.how == "capture" else "-").join(names) + "]"

    # ------------------------------------------------------------------ playing

    def play(self, text: str, declare: bool = False) -> list[str]:
        """Play for the seat to move. Return the seats that the engine then passed for."""
        if self.termination:
            raise ValueError("the game is over")
        legal = self.moves_of(self.seat)
        chosen = [move for move in legal if self.text(move) == text]
        if not chosen:
            raise ValueError(f"not legal for {self.seat}: {text}")
        if len(chosen) > 1:
            raise AssertionError(f"one text, {len(chosen)} moves: {text}")
        move = chosen[0]
        start, end = move.path[0], move.path[-1]

        # End e: steps and jumps only, one movable piece. Anything else restarts the count.
        forced = len({other.path[0] for other in legal}) == 1
        if not self.diagonal and forced and move.how in ("movement", "jump"):
            self.shuttles[self.seat].append((self.pieces[start], start, end))
        else:
            self.shuttles[self.seat].clear()

        # The move itself.
        piece = self.pieces.pop(start)
        for square in move.taken:
            del self.pieces[square]
        if self.is_middle(end):
            if piece.castle:  # enters and stays for good, or a pawn is burned
                self.middle.append(piece)
        else:
            self.pieces[end] = piece

        # End f: turns without a capture, an entry or a burning.
        eventful = move.how in ("capture", "end") or self.is_middle(end)
        self.quiet = 0 if eventful else self.quiet + 1

        # End d: the next move of any of his seats without it cancels a declaration.
        if declare:
            self.declared.add(self.player_of(self.seat))
        else:
            self.declared.discard(self.player_of(self.seat))

        mover = self.seat
        self._next_seat()
        return self._settle(mover)

    def declare(self, seat: str) -> None:
        """`[S+++]` sent alone, at any time."""
        player = self.player_of(seat)
        if self.termination:
            raise ValueError("the game is over")
        self.declared.add(player)
        if self.is_agreed():
            self.termination = "agreed"

    def _next_seat(self) -> None:
        self.seat = SEATS[(SEATS.index(self.seat) + 1) % 4]
        self.turn += 1

    def _settle(self, mover: str | None = None) -> list[str]:
        """After a move, end the game, or find the next seat to move, passing for the others."""
        passes: list[str] = []
        self.termination = self.end_a_to_e(mover)
        while not self.termination:
            can_move = bool(self.moves_of(self.seat))
            if can_move:
                # End f: counted when a seat has to move, not at passes by the engine.
                position = self.position()
                self.seen[position] = self.seen.get(position, 0) + 1
                if self.repetition and self.seen[position] >= 3:
                    self.termination = "repetition"
                    break
            # End f: the quiet limit, passes included.
            if self.quiet_limit and self.quiet >= self.quiet_limit:
                self.termination = "quiet"
                break
            if can_move:
                break
            # No move: [---], played by the engine. It cancels no declaration.
            passes.append(self.seat)
            self.shuttles[self.seat].clear()  # End e: a pass restarts the count
            self.quiet += 1
            self._next_seat()
        return passes

    # ------------------------------------------------------------------ the ends of the game

    def end_a_to_e(self, mover: str | None) -> str | None:
        """If several apply at once, the termination is the first of a, c, b, d, e, f."""
        if self.is_middle_full():
            return "middle-full"
        if self.is_annihilated():
            return "annihilated"
        if self.is_no_entry():
            return "no-entry"
        if self.is_agreed():
            return "agreed"
        if mover is not None and self.is_shuttle(mover):
            return "shuttle"
        return None

    def outside(self) -> Pieces:
        """Return pieces outside the middle or the end squares (standby pawns are outside)."""
        return {at: piece for at, piece in self.pieces.items() if not self.is_end_square(at)}

    def is_middle_full(self) -> bool:
        """End a: four castles in the middle or on the end squares."""
        return len(self.middle) + len(self.pieces) - len(self.outside()) == 4

    def is_annihilated(self) -> bool:
        """End c: one colour has no piece left outside."""
        return len({piece.white for piece in self.outside().values()}) < 2

    def is_no_entry(self) -> bool:
        """End b: no castle is left outside, or none of the four seats has a legal move."""
        if not any(piece.castle for piece in self.outside().values()):
            return True
        return not any(self.moves_of(seat) for seat in SEATS)

    def is_agreed(self) -> bool:
        """End d, word for word."""
        outside = self.outside()
        # Every player with a castle outside (one that they could be the one to move) ...
        for player in self.all_players():
            has_castle = any(
                piece.castle and self.may_move(seat, square, piece)
                for square, piece in outside.items()
                for seat in player
            )
            if has_castle and player not in self.declared:
                return False
        # ... and every player of a side opposed to one with castles outside has declared [+++] too
        # or has no piece left outside, apart from standby pawns.
        for player in self.all_players():
            opponents_white = not is_white(player[0])
            opposed = any(
                piece.castle and piece.white == opponents_white for piece in outside.values()
            )
            has_piece = any(
                self.may_move(seat, square, piece) and not self.is_standby_square(square)
                for square, piece in outside.items()
                for seat in player
            )
            if opposed and has_piece and player not in self.declared:
                return False
        return True

    def is_shuttle(self, mover: str) -> bool:
        """End e: A-B, B-A, A-B, B-A, A-B, B-A of one piece, the only one the seat could move."""
        last = self.shuttles[mover][-6:]
        if len(last) < 6:
            return False
        piece, a, b = last[0]
        there_and_back = [(a, b), (b, a)] * 3
        return all(
            who is piece and (start, end) == expected
            for (who, start, end), expected in zip(last, there_and_back, strict=True)
        )

    def position(self) -> object:
        """End f: the repeated position is board and seat, without counters or declarations."""
        return (self.seat, frozenset(self.squares().items()))


def perft(match: NaiveLanko, depth: int) -> list[int]:
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
