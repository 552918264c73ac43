"""Text of a Lancelot position, and whether a match can reach it."""

from __future__ import annotations

from pbem.games.lancelot.board import bits, name_of, square_of
from pbem.games.lancelot.position import KNIGHTS, LancelotPosition, LancelotTerms, Placement
from pbem.games.position_text import fields_of, joined, numbers, require, require_number, written

FORM = "lancelot 1"
"""With a new number, older texts are no longer read."""
NONE = "-"
FIRST, SECOND = "first", "second"
"""Whether Excalibur was placed before or after the knight."""


def write(position: LancelotPosition) -> str:
    """Return the text of a position, without the agreed terms."""
    seats = position.terms.seats
    return written(
        FORM,
        {
            "knights": joined(_squares_text(mask) for mask in position.knights),
            "placed": joined(position.placed),
            "defeated": joined(position.defeated),
            "to-act": position.seat,
            "sword": _squares_text(position.sword),
            "called": joined(seats[index] for index in position.called),
            "resigned": joined(seats[index] for index in sorted(position.resigned)),
            "turn": position.turn,
            "idle": position.idle,
            "passed": joined(position.passed),
            "last": NONE if position.last is None else _placement_text(position.last),
            "ending": position.ending or NONE,
        },
    )


def read(terms: LancelotTerms, text: str) -> LancelotPosition:
    """Return the position of a text. Raises ValueError or LookupError if it is not one."""
    fields, seats = fields_of(FORM, text), terms.seats
    return LancelotPosition(
        terms=terms,
        knights=tuple(map(_mask, fields["knights"].split())),
        placed=numbers(fields["placed"]),
        defeated=numbers(fields["defeated"]),
        to_act=seats.index(fields["to-act"]),
        sword=_mask(fields["sword"]),
        called=tuple(map(seats.index, fields["called"].split())),
        resigned=frozenset(map(seats.index, fields["resigned"].split())),
        turn=int(fields["turn"]),
        idle=int(fields["idle"]),
        passed=tuple(fields["passed"].split()),
        last=None if fields["last"] == NONE else _placement(fields["last"]),
        ending=None if fields["ending"] == NONE else fields["ending"],
    )


def _squares_text(mask: int) -> str:
    return ",".join(map(name_of, bits(mask))) or NONE


def _mask(text: str) -> int:
    return 0 if text == NONE else sum(1 << _square(name) for name in text.split(","))


def _placement_text(placement: Placement) -> str:
    squares = (placement.knight, placement.sword)
    named = (NONE if square is None else name_of(square) for square in squares)
    return joined([placement.seat, *named, FIRST if placement.sword_first else SECOND])


def _placement(text: str) -> Placement:
    seat, *named, sword = text.split(" ")
    knight, to = (None if name == NONE else _square(name) for name in named)
    return Placement(seat, knight, to, sword_first=sword == FIRST)


def _square(name: str) -> int:
    square = square_of(name)
    if square is None:
        raise ValueError(f"there is no square {name!r}")
    return square


ENDINGS = (None, "target", "exhausted", "resignation")


def require_possible(position: LancelotPosition) -> None:
    """Raise ImpossiblePosition unless a match can reach the position."""
    seats = position.terms.seats
    for name, values in (
        ("knights", position.knights),
        ("placed", position.placed),
        ("defeated", position.defeated),
    ):
        require(len(values) == len(seats), f"{name} needs {len(seats)} values")
    require(set(position.passed) <= set(seats), "passed names a seat that does not play")
    require_number("turn", position.turn, 1)
    _require_pieces(position)
    _require_excalibur(position)
    _require_last(position)
    _require_end(position)


def _require_pieces(position: LancelotPosition) -> None:
    taken, area = 0, position.terms.board.area
    for mask in (*position.knights, position.sword):
        require(not mask & ~area, "a piece is outside the area")
        require(not mask & taken, "two pieces are on one square")
        taken |= mask
    for mask, placed, defeated in zip(
        position.knights, position.placed, position.defeated, strict=True
    ):
        require_number("placed", placed, mask.bit_count(), KNIGHTS)
        require_number("defeated", defeated, 0)
    gone = sum(position.placed) - sum(mask.bit_count() for mask in position.knights)
    defeated = sum(position.defeated)
    require(gone == defeated, f"{gone} knights have left the board, but {defeated} are defeated")


def _require_excalibur(position: LancelotPosition) -> None:
    require(position.sword.bit_count() <= 1, "there is only one Excalibur")
    require(position.terms.excalibur or not position.sword, "Excalibur is not in this match")
    begun = position.terms.excalibur and any(position.placed)
    require(position.sword or not begun, "Excalibur is set before the first knight")
    called = position.called
    require(len(set(called)) == len(called), "a seat calls the king's force only once")
    require(position.sword or not called, "nobody calls the king's force without Excalibur")


def _require_last(position: LancelotPosition) -> None:
    last = position.last
    if last is None:
        require(not any(position.placed) and not position.sword, "the last move is missing")
        return
    require(last.seat in position.terms.seats, "the last move is by a seat that does not play")
    require(_is_on_board(position, last), "the last move is not on the board")


def _is_on_board(position: LancelotPosition, last: Placement) -> bool:
    own = position.knights[position.terms.seats.index(last.seat)]
    if last.knight is None and last.sword is None:
        return False
    on_knight = last.knight is None or bool(own >> last.knight & 1)
    return on_knight and (last.sword is None or position.sword == 1 << last.sword)


def _require_end(position: LancelotPosition) -> None:
    ending, count = position.ending, len(position.terms.seats)
    require(ending in ENDINGS, f"a match cannot end by {ending}")
    reached = any(each >= position.terms.target for each in position.defeated)
    require(reached == (ending == "target"), "the target and the ending do not agree")
    gone = len(position.resigned) >= count - 1
    require(gone == (ending == "resignation"), "the resignations and the ending do not agree")
    require(len(position.resigned) < count, "at least one seat must not have resigned")
    require_number("idle", position.idle, 0, count)
    idle = position.idle == count
    require(idle == (ending == "exhausted"), "idle and the ending do not agree")
    if ending is None:
        require(position.to_act not in position.resigned, "the seat to act has resigned")
        playing = set(range(count)) - position.resigned
        sets = position.sets_the_sword
        require(not sets or position.to_act == max(playing), "the last seat sets Excalibur")
