"""Diagram of a Lanrick position: the board, the rendezvous, the mark and the men by seat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pbem.games.api import Seat
from pbem.games.diagram import ARRIVED, LEFT, Cell, Diagram, Group, PieceToken, Place
from pbem.games.lanrick import position_1881, position_1893
from pbem.games.lanrick.actions import LanrickAction
from pbem.games.lanrick.board import BORDER, FILES, NAMES, SEAT_NAMES, bits, names
from pbem.games.lanrick.words import phrase
from pbem.games.phrases import Phrase
from pbem.games.words import phrase as common

Position = position_1881.Position1881 | position_1893.Position1893

FRAMES = {"rendezvous": ("[", "]"), "mark": ("{", "}")}
"""Characters around the piece, by kind of square."""


def diagram(position: Position, seats: tuple[Seat, ...], letters: str, seat: Seat) -> Diagram:
    """Return the position with the seat's own edge at the bottom."""
    turned = seat == seats[1]
    order = range(7, -1, -1) if turned else range(8)
    ranks = [str(8 - row) for row in order]
    return Diagram(
        columns=8,
        rows=8,
        cells=dict(_cells(position, letters, turned)),
        column_names=tuple(FILES[::-1] if turned else FILES),
        row_names=tuple(ranks),
        groups=tuple(_groups(position, seats)),
        legend=tuple(_legend(seats, letters)),
        key=tuple(_key(seats, letters)),
        seat_names={each: SEAT_NAMES[each] for each in seats},
        checkered=True,
        bounds=_BOUNDS,
        colours={each: each for each in seats},
    )


# Bounds between the border and the field, the same from both edges.
_BOUNDS = frozenset(
    frozenset(pair)
    for along in range(1, 7)
    for outer in (0, 6)
    for pair in (
        ((outer, along), (outer + 1, along)),
        ((along, outer), (along, outer + 1)),
    )
)


def _place(square: int, turned: bool) -> Place:
    rank, file = divmod(square, 8)
    return (7 - file, rank) if turned else (file, 7 - rank)


def _cells(position: Position, letters: str, turned: bool) -> Iterator[tuple[Place, Cell]]:
    grounds, marks = _grounds(position), _marks(position.last)
    men = zip(letters, position.men, strict=True)
    pieces = {square: letter for letter, of_seat in men for square in bits(of_seat)}
    for square in range(64):
        ground, mark = grounds.get(square, "plain"), marks.get(square, "")
        yield _place(square, turned), _cell(square, pieces.get(square, "."), mark, ground)


@cache
def _cell(square: int, piece: str, mark: str, ground: str) -> Cell:
    tokens = () if piece == "." else (PieceToken("man", COLOURS[piece]),)
    return Cell("", piece, mark, FRAMES.get(ground), NAMES[square], tokens, ground)


COLOURS = {"w": "white", "y": "yellow", "b": "black"}


def _grounds(position: Position) -> dict[int, str]:
    """Return the kinds of squares that are not plain."""
    grounds = dict.fromkeys(bits(BORDER), "border")
    grounds |= dict.fromkeys(bits(shown_rendezvous(position)), "rendezvous")
    mark = shown_mark(position)
    return grounds if mark is None else grounds | {mark: "mark"}


def _marks(last: tuple[LanrickAction, ...]) -> dict[int, str]:
    """Return the marks of the last turn by square: where men arrived, and what they left."""
    arrived, left = set(), set()
    for action in last:
        if action.sign in ("-", "~", ">"):
            start, to = action.squares
            left.add(start)
            arrived.discard(start)
            arrived.add(to)
        elif action.sign in ("", "*"):
            arrived.update(action.squares)
        elif action.sign == "x":
            left.update(action.squares)
    return dict.fromkeys(left, LEFT) | dict.fromkeys(arrived, ARRIVED)


SHOWN = {"play", "remove", "disperse", "interchange", "replace"}
"""Phases in which the rendezvous matters."""


def shown_rendezvous(position: Position) -> int:
    """Return the mask of the rendezvous in the phases in which it matters, otherwise 0."""
    return position.rendezvous if position.phase in SHOWN else 0


def shown_mark(position: Position) -> int | None:
    """Return the square of the mark in these phases."""
    return position.mark if position.phase in SHOWN else None


def _groups(position: Position, seats: tuple[Seat, ...]) -> Iterator[Group]:
    lines = tuple(
        ((seat,), _men(men, position)) for seat, men in zip(seats, position.men, strict=True)
    )
    yield Group(_asked(position), lines)


def _men(men: int, position: Position) -> Phrase:
    rendezvous, count = shown_rendezvous(position), men.bit_count()
    if not rendezvous:
        squares = " ".join(names(men))
        return phrase("men.on", count=count, squares=squares) if men else phrase("men.gone")
    inside, outside = _squares(men & rendezvous), _squares(men & ~rendezvous)
    return phrase("men.told-apart", count=count, inside=inside, outside=outside)


def _squares(men: int) -> Phrase | str:
    return " ".join(names(men)) if men else phrase("men.none")


def _asked(position: Position) -> Phrase:
    mark, asked = shown_mark(position), _phase(position)
    if mark is None:
        return asked
    return phrase("phase.with-mark", asked=asked, square=NAMES[mark])


def _phase(position: Position) -> Phrase:
    """Return what the seat to act must do."""
    seat = SEAT_NAMES[position.seat]
    return {
        "place": phrase("phase.place", seat=seat),
        "mark": phrase("phase.mark", seat=seat),
        "play": phrase("phase.play", seat=seat, count=position.budget),
        "interchange": phrase("phase.interchange", seat=seat),
        "replace": phrase("phase.replace", seat=seat),
        "remove": phrase("phase.remove", seat=seat),
        "disperse": phrase("phase.disperse", seat=seat),
        "equalise": phrase("phase.equalise", seat=seat),
        "muster": phrase("phase.muster", seat=seat),
    }[position.phase]


def _legend(seats: tuple[Seat, ...], letters: str) -> Iterator[Phrase]:
    yield phrase("legend.men", men=_letters(seats, letters))
    yield phrase("legend.last")


def _key(seats: tuple[Seat, ...], letters: str) -> Iterator[Phrase]:
    yield phrase("key.men", men=_letters(seats, letters))
    yield common("key.below")


def _letters(seats: tuple[Seat, ...], letters: str) -> Phrase:
    pairs = zip(letters, seats, strict=True)
    men = (phrase("list.letter", letter=letter, seat=SEAT_NAMES[seat]) for letter, seat in pairs)
    return common("list.names", items=tuple(men))
