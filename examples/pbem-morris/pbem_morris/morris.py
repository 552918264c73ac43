"""Nine Men's Morris: place, move and fly. Three men in a line remove one of the other side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from pbem.games.api import GameInfo, Option, OptionError, Options, Outcome, Seat
from pbem.games.diagram import Cell, Diagram, PieceToken, Place, Tray
from pbem.games.lenient_text import GOES, TAKES
from pbem.games.phrases import Phrase
from pbem.games.position_text import fields_of, joined, require, require_number, written
from pbem.games.simple import Move, Piece, SimpleGame
from pbem.games.values import changed, value
from pbem_morris.points import CROSSED, PLAIN, POINTS, Net
from pbem_morris.words import phrase

WHITE, BLACK = "white", "black"
SEATS = {WHITE: phrase("seat.white"), BLACK: phrase("seat.black")}
MEN = {
    WHITE: Piece("O", PieceToken("man", "white")),
    BLACK: Piece("X", PieceToken("man", "black")),
}
FLYING = 3
SIZE = 7
LEAST, MOST = 10, 200
POINT = re.compile("[a-g][1-7]")
BETWEEN = r"(?<=[a-g][1-7]){}(?=[a-g][1-7])"
TAKE = re.compile(BETWEEN.format(rf"[\s,]*(?:and\s+)?(?:x|{TAKES}|removes?)\s*"), re.IGNORECASE)
GO = re.compile(BETWEEN.format(rf"(?:{GOES}|\s*[-=]\s*)?"), re.IGNORECASE)
APART = re.compile(r"[a-g][1-7](?:\s+[a-g][1-7])+", re.IGNORECASE)


@value
class Board:
    """A position: the agreed options, the points of the men, quiet turns and the turn.

    Men in hand follow from the turn, because the first turns of each side place a man each.
    """

    flying: bool
    twelve: bool
    quiet_limit: int
    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    quiet: int = 0
    turn: int = 1
    passed: tuple[Seat, ...] = ()

    @property
    def net(self) -> Net:
        """The lines of the board."""
        return CROSSED if self.twelve else PLAIN

    @property
    def each(self) -> int:
        """The number of men with which a side begins."""
        return 12 if self.twelve else 9

    def men(self, seat: Seat) -> tuple[str, ...]:
        """Return the points of a side's men."""
        return self.white if seat == WHITE else self.black

    def in_hand(self, seat: Seat) -> int:
        """Return how many men a side has yet to place."""
        return max(0, self.each - (self.turn - (seat == BLACK)) // 2)

    def can_fly(self, seat: Seat) -> bool:
        """Return whether a side may move a man to any vacant point."""
        return self.flying and len(self.men(seat)) == FLYING and not self.in_hand(seat)


def at_turn(number: int) -> tuple[Seat, Seat]:
    """Return the side to move in a turn, and the other side."""
    return (WHITE, BLACK) if number % 2 else (BLACK, WHITE)


def parts(move: str) -> tuple[str, str, str]:
    """Return where a man comes from, where it goes and which man it removes, empty if none."""
    points = POINT.findall(move.lower())
    removed = points.pop() if "x" in move.lower() else ""
    return points[0] if len(points) > 1 else "", points[-1], removed


def spelled(line: str) -> str:
    """Return a line with the signs of the notation for `to`, `takes` and their like."""
    return GO.sub("-", TAKE.sub("x", line))


def steps(position: Board) -> Iterator[tuple[str, str]]:
    """Yield where a man may come from, empty for the hand, and where it may go."""
    mover, _ = at_turn(position.turn)
    taken = position.white + position.black
    if position.in_hand(mover):
        yield from (("", point) for point in POINTS if point not in taken)
        return
    for start in position.men(mover):
        near = POINTS if position.can_fly(mover) else position.net.beside[start]
        yield from ((start, to) for to in near if to not in taken)


def closes(position: Board, start: str, to: str) -> bool:
    """Return whether a move of the side to move closes a mill."""
    mover, _ = at_turn(position.turn)
    return position.net.in_mill(to, {*position.men(mover)} - {start} | {to})


def removable(position: Board) -> tuple[str, ...]:
    """Return the men that the side to move may remove: those in mills only if all are."""
    _, other = at_turn(position.turn)
    men = position.men(other)
    return tuple(man for man in men if not position.net.in_mill(man, men)) or men


def place_of(point: str, *, turned: bool) -> Place:
    """Return the place of a point in the diagram."""
    column, row = ord(point[0]) - ord("a"), SIZE - int(point[1])
    return (SIZE - 1 - column, SIZE - 1 - row) if turned else (column, row)


def why_not_removed(position: Board, start: str, to: str, removed: str) -> Phrase:
    """Return why a move that is legal but for its removal is not."""
    _, other = at_turn(position.turn)
    if not closes(position, start, to):
        return phrase("why.no-mill")
    if not removed:
        return phrase("why.remove", point=removable(position)[0])
    if removed not in position.men(other):
        return phrase("why.not-theirs", point=removed)
    return phrase("why.in-mill", point=removed)


class Morris(SimpleGame[Board]):
    """The rules of Nine Men's Morris."""

    info = GameInfo(
        key="morris",
        title="Nine Men's Morris",
        rules_version=1,
        seats=(WHITE, BLACK),
        terminations={
            "two-men": phrase("end.two-men"),
            "blocked": phrase("end.blocked"),
            "full": phrase("end.full"),
            "quiet": phrase("end.quiet"),
        },
        summary=phrase("morris.summary"),
        options=(
            Option("flying", 1, phrase("option.flying"), switch=True),
            Option("twelve", 0, phrase("option.twelve"), switch=True),
            Option("quiet_limit", 50, phrase("option.quiet-limit", least=LEAST, most=MOST)),
        ),
        seat_titles=SEATS,
        seat_names=SEATS,
    )
    shape, example = "[a-g][1-7]([-][a-g][1-7])?(x[a-g][1-7])?", "d2-d3"
    rules_page = "MORRIS.md"

    def initial(self, players: int, options: Options) -> Board:
        limit = self.info.with_defaults(options)["quiet_limit"]
        if not LEAST <= limit <= MOST:
            raise OptionError(phrase("option.quiet-limit-range", least=LEAST, most=MOST))
        return super().initial(players, options)

    def start(self, players: int, options: Options) -> Board:
        return Board(bool(options["flying"]), bool(options["twelve"]), options["quiet_limit"])

    def moves(self, position: Board) -> Iterable[str]:
        for start, to in steps(position):
            move = f"{start}-{to}" if start else to
            targets = removable(position) if closes(position, start, to) else ()
            if targets:
                yield from (f"{move}x{target}" for target in targets)
            else:
                yield move

    def after(self, position: Board, move: str) -> Board:
        start, to, removed = parts(move)
        mover, other = at_turn(position.turn)
        men = {
            mover: tuple(sorted({*position.men(mover)} - {start} | {to})),
            other: tuple(man for man in position.men(other) if man != removed),
        }
        return changed(
            position,
            white=men[WHITE],
            black=men[BLACK],
            quiet=position.quiet + 1 if start and not removed else 0,
            turn=position.turn + 1,
        )

    def outcome(self, position: Board) -> Outcome | None:
        mover, moved = at_turn(position.turn)
        won, level = ({seat: int(seat == best) for seat in SEATS} for best in (moved, None))
        if position.in_hand(mover):
            return None
        if len(position.men(mover)) < FLYING:
            return Outcome((moved,), "two-men", won)
        if len(position.white + position.black) == len(POINTS):
            return Outcome((), "full", level)
        if not any(True for _ in steps(position)):
            return Outcome((moved,), "blocked", won)
        if position.quiet >= position.quiet_limit:
            return Outcome((), "quiet", level)
        return None

    def actions_in(self, line: str) -> tuple[str, ...] | None:
        line = spelled(line)
        return tuple(line.split()) if APART.fullmatch(line) else super().actions_in(line)

    def meant(self, position: Board, text: str, seat: Seat) -> Move:
        return super().meant(position, spelled(text), seat)

    def not_legal(self, position: Board, text: str) -> Phrase:
        start, to, removed = parts(text)
        mover, other = at_turn(position.turn)
        own = position.men(mover)
        for point in (start, to, removed):
            if point and point not in POINTS:
                return phrase("why.no-point", point=point)
        if to in own + position.men(other) and to != start:
            return phrase("why.taken", point=to)
        if start and position.in_hand(mover):
            return phrase("why.place", count=position.in_hand(mover))
        if not start and not position.in_hand(mover):
            return phrase("why.move", point=to, example=self.example)
        if start and start not in own:
            return phrase("why.not-yours", point=start)
        if (start, to) not in steps(position):
            return phrase("why.far", start=start, to=to)
        return why_not_removed(position, start, to, removed)

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        start, to, removed = parts(text)
        path = (start, to) if start else (to,)
        return (path, (removed,)) if removed else (path,)

    def standing(self, position: Board) -> Mapping[Seat, int]:
        """Return men, mills and freedom of each side, less those of the other side."""
        taken = position.white + position.black
        worth = {}
        for seat in SEATS:
            men, net = position.men(seat), position.net
            mills = sum(all(point in men for point in line) for line in net.lines)
            free = sum(to not in taken for man in men for to in net.beside[man])
            worth[seat] = 30 * (len(men) + position.in_hand(seat)) + 8 * mills + free
        lead = worth[WHITE] - worth[BLACK]
        return {WHITE: lead, BLACK: -lead}

    def diagram(self, position: Board, seat: Seat) -> Diagram:
        turned = seat == BLACK
        pieces = {man: MEN[side] for side in SEATS for man in position.men(side)}
        places = {point: place_of(point, turned=turned) for point in POINTS}
        cells = {}
        for point, place in places.items():
            piece = pieces.get(point)
            tokens = (piece.token,) if piece else ()
            letter, frame = (piece.letter, ("[", "]")) if piece else (".", (" ", " "))
            cells[place] = Cell(point, letter, frame=frame, name=point, tokens=tokens)
        links = frozenset(
            frozenset((places[start], places[to])) for start, to in position.net.steps
        )
        hands = {side: position.in_hand(side) for side in SEATS}
        return Diagram(
            SIZE,
            SIZE,
            cells,
            (
                phrase("board.in-hand", white=hands[WHITE], black=hands[BLACK]),
                phrase("board.legend"),
            ),
            links=links,
            links_in_text=True,
            colours={side: side for side in SEATS},
            trays=tuple(
                Tray(MEN[side].token, (phrase("board.tray", count=hands[side]),)) for side in SEATS
            ),
        )

    def write_position(self, position: Board) -> str:
        """Return a position as text, without the options."""
        return written(
            "morris-1",
            {
                "turn": position.turn,
                "white": joined(position.white),
                "black": joined(position.black),
                "quiet": position.quiet,
            },
        )

    def read_position(self, players: int, options: Options, text: str) -> Board:
        """Return the position of a text. Raises ValueError or LookupError if it is none."""
        fields = fields_of("morris-1", text)
        return changed(
            self.initial(players, options),
            white=tuple(fields["white"].split()),
            black=tuple(fields["black"].split()),
            quiet=int(fields["quiet"]),
            turn=int(fields["turn"]),
        )

    def require_possible(self, position: Board) -> None:
        """Raise ImpossiblePosition unless a match can reach this position."""
        taken = position.white + position.black
        require_number("turn", position.turn, 1)
        require(set(taken) <= set(POINTS), "a man is not on a point")
        require(len(taken) == len(set(taken)), "two men are on one point")
        for seat in SEATS:
            men = position.men(seat)
            most = position.each - position.in_hand(seat)
            require(list(men) == sorted(men), f"the men of {seat} are out of order")
            require(len(men) <= most, f"{seat} has more than {most} men on the board")
        moved = max(0, position.turn - 1 - 2 * position.each)
        require_number("quiet", position.quiet, 0, min(moved, position.quiet_limit))
