"""A Lancelot position and its rules: placing, judging lines, Excalibur, the end (rulebook)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pbem.games.api import IllegalAction, Outcome, Seat
from pbem.games.lancelot.board import Board, bits
from pbem.games.values import changed, value
from pbem.games.words import phrase

KNIGHTS = 30
HIGHEST = 2
"""Advantage that defeats; above it a placement is illegal."""


class Placement(NamedTuple):
    """What a seat does in its turn: a knight, or Excalibur, or both in an order."""

    seat: Seat
    knight: int | None
    sword: int | None = None
    """Square to which Excalibur goes."""
    sword_first: bool = True

    @property
    def declaration(self) -> bool:
        """It is made in turn."""
        return False


class Resignation(NamedTuple):
    """A seat among three or more gives up: it passes from then on."""

    seat: Seat

    @property
    def declaration(self) -> bool:
        """Any seat may resign at any time."""
        return True


Action = Placement | Resignation


@dataclass(frozen=True)
class Terms:
    """What stays the same for a whole match."""

    board: Board
    seats: tuple[Seat, ...]
    target: int
    """Knights to defeat."""
    excalibur: bool


class Field(NamedTuple):
    """What stands on the board, for one half of a turn."""

    own: int
    """Mask of the knights of the seat that is judged."""
    others: int
    sword: int
    """Mask of Excalibur, 0 without it."""
    sign: int
    """Whether Excalibur counts for (1) or against (-1) the seat."""

    def advantage(self, line: int) -> int:
        """Own knights minus all others', and Excalibur."""
        knights = (self.own & line).bit_count() - (self.others & line).bit_count()
        return knights + self.sign if self.sword & line else knights

    @property
    def taken(self) -> int:
        """Squares that are not vacant."""
        return self.own | self.others | self.sword


@value
class Position:
    """All that the rules of Lancelot need to go on."""

    terms: Terms
    knights: tuple[int, ...]
    """Mask of each seat's knights on the board."""
    placed: tuple[int, ...]
    """How many knights each seat has placed."""
    defeated: tuple[int, ...]
    """How many knights each seat has defeated."""
    to_act: int
    """Index of the seat to act, or after the end of the one whose turn it would be."""
    sword: int = 0
    """Mask of Excalibur; 0 before it is set, or without it."""
    called: tuple[int, ...] = ()
    """Seats, by index, that have called the king's force."""
    resigned: frozenset[int] = frozenset()
    turn: int = 1
    idle: int = 0
    """Passes in a row; a resignation does not interrupt them."""
    passed: tuple[Seat, ...] = ()
    last: Placement | None = None
    ending: str | None = None

    @property
    def seat(self) -> Seat:
        """Seat to act."""
        return self.terms.seats[self.to_act]

    @property
    def sets_the_sword(self) -> bool:
        """Whether Excalibur is still to be set, before the first placement."""
        return self.terms.excalibur and not self.sword

    @cached_property
    def open_squares(self) -> int:
        """Mask of the squares where the seat to act may place a knight alone."""
        if self.ending is not None or self.sets_the_sword or not self.has_knights:
            return 0
        return vacant(self.terms.board, self.field(-1))

    @property
    def plain(self) -> Iterator[Placement]:
        """Placements of a knight alone by the seat to act."""
        return (Placement(self.seat, square) for square in bits(self.open_squares))

    @property
    def can_place(self) -> bool:
        """Whether there is such a square; most often the first one tried is."""
        if not self.has_knights:
            return False
        board, field = self.terms.board, self.field(-1)
        for square in bits(board.area & ~field.taken):
            if all(field.advantage(line) < HIGHEST for line in board.through[square]):
                return True
        return False

    @property
    def has_knights(self) -> bool:
        """Whether the seat to act has a knight left to place."""
        return self.to_act not in self.resigned and self.placed[self.to_act] < KNIGHTS

    @property
    def can_call(self) -> bool:
        """Whether the seat to act may still call the king's force."""
        return bool(self.sword) and self.has_knights and self.to_act not in self.called

    def field(self, sign: int) -> Field:
        """The board as the seat to act is judged on it."""
        own = self.knights[self.to_act]
        others = 0
        for mask in self.knights:
            others |= mask
        return Field(own, others & ~own, self.sword, sign)


def vacant(board: Board, field: Field) -> int:
    """Vacant squares on which one knight more leaves no line above the highest advantage."""
    return board.area & ~field.taken & ~_blocked(board, field)


def sword_squares(board: Board, field: Field) -> Iterator[int]:
    """Squares to which Excalibur may be moved when it counts for the seat."""
    lifted = field._replace(sword=0)
    return bits(board.area & ~field.taken & ~_blocked(board, lifted))


def _blocked(board: Board, field: Field) -> int:
    """Lines on which the seat is as far ahead as it may be."""
    own, others, sword, sign = field
    blocked = 0
    for line in board.lines:
        ahead = (own & line).bit_count() - (others & line).bit_count()
        if ahead + sign * (sword & line != 0) >= HIGHEST:
            blocked |= line
    return blocked


def legal_actions(position: Position) -> Iterator[Placement]:
    """Placements of the seat to act, from A1 on; then the king's force, Excalibur's square first.

    For each pair of squares the order Excalibur, knight comes before knight, Excalibur.
    """
    if position.ending is not None:
        return
    if position.sets_the_sword:
        for square in position.terms.board.squares:
            yield Placement(position.seat, None, square)
        return
    yield from position.plain
    if position.can_call:
        yield from _forces(position)


def _forces(position: Position) -> Iterator[Placement]:
    board, field = position.terms.board, position.field(1)
    for sword in sword_squares(board, field):
        after = _with_sword(board, field, sword)
        for knight in bits(vacant(board, after.field)):
            yield Placement(position.seat, knight, sword)
    for knight in bits(vacant(board, field)):
        after = _with_knight(board, field, knight)
        for sword in sword_squares(board, after.field):
            yield Placement(position.seat, knight, sword, sword_first=False)


class Half(NamedTuple):
    """A placement of a knight or of Excalibur, judged."""

    field: Field
    fallen: int
    """Mask of the knights defeated."""


def _judged(board: Board, field: Field, square: int) -> Half:
    """Victories on the lines through a square, all on the same position."""
    fallen = 0
    for line in board.through[square]:
        if field.advantage(line) == HIGHEST:
            fallen |= line & field.others
    return Half(field._replace(others=field.others & ~fallen), fallen)


def _with_knight(board: Board, field: Field, square: int) -> Half:
    return _judged(board, field._replace(own=field.own | 1 << square), square)


def _with_sword(board: Board, field: Field, square: int) -> Half:
    return _judged(board, field._replace(sword=1 << square), square)


def is_legal(position: Position, action: Placement) -> bool:
    """Whether a placement is one of the legal ones, without listing them."""
    board, seat = position.terms.board, position.seat
    if position.ending is not None or action.seat != seat:
        return False
    if action.knight is None or action.sword is None:
        if action.knight is None:
            return position.sets_the_sword and action.sword in board.through
        return bool(position.open_squares >> action.knight & 1)
    if not position.can_call:
        return False
    field = position.field(1)
    if action.sword_first:
        if action.sword not in sword_squares(board, field):
            return False
        after = _with_sword(board, field, action.sword).field
        return bool(vacant(board, after) >> action.knight & 1)
    if not vacant(board, field) >> action.knight & 1:
        return False
    after = _with_knight(board, field, action.knight).field
    return action.sword in sword_squares(board, after)


def play(position: Position, action: Action) -> Position:
    """Position after an action; raises IllegalAction if the rules do not allow it."""
    if position.ending is not None:
        raise IllegalAction(str(action), phrase("match-over"))
    if isinstance(action, Resignation):
        return _resign(position, action.seat)
    if not is_legal(position, action):
        raise IllegalAction(str(action), phrase("not-legal"))
    if action.knight is None:
        assert action.sword is not None, "one of the two is placed"
        return _next(changed(position, sword=1 << action.sword, last=action), 0)
    halves = list(_halves(position, action))
    fallen = sum(half.fallen.bit_count() for half in halves)
    return _placed(position, action, halves[-1].field, fallen)


def _halves(position: Position, action: Placement) -> Iterator[Half]:
    board = position.terms.board
    assert action.knight is not None, "Excalibur alone is set without a judgement"
    if action.sword is None:
        yield _with_knight(board, position.field(-1), action.knight)
    elif action.sword_first:
        first = _with_sword(board, position.field(1), action.sword)
        yield first
        yield _with_knight(board, first.field, action.knight)
    else:
        first = _with_knight(board, position.field(1), action.knight)
        yield first
        yield _with_sword(board, first.field, action.sword)


def _placed(position: Position, action: Placement, field: Field, fallen: int) -> Position:
    me = position.to_act
    knights = tuple(
        field.own if seat == me else mask & field.others
        for seat, mask in enumerate(position.knights)
    )
    called = position.called if action.sword is None else (*position.called, me)
    after = Position(
        terms=position.terms,
        knights=knights,
        placed=_added(position.placed, me, 1),
        defeated=_added(position.defeated, me, fallen) if fallen else position.defeated,
        to_act=(me + 1) % len(knights),
        sword=field.sword,
        called=called,
        resigned=position.resigned,
        turn=position.turn + 1,
        last=action,
    )
    if after.defeated[me] >= position.terms.target:
        return changed(after, ending="target")
    return after if after.can_place else _settled(after, after.turn, after.to_act, ())


def _added(numbers: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    return (*numbers[:index], numbers[index] + more, *numbers[index + 1 :])


def _resign(position: Position, seat: Seat) -> Position:
    index = position.terms.seats.index(seat)
    after = changed(position, resigned=position.resigned | {index}, passed=())
    if len(after.resigned) >= len(after.knights) - 1:
        return changed(after, ending="resignation")
    if after.sets_the_sword:
        return changed(after, to_act=max(set(range(len(after.knights))) - after.resigned))
    return after if index != after.to_act else _settled(after, position.turn, after.to_act, ())


def _next(position: Position, to_act: int) -> Position:
    return _settled(position, position.turn + 1, to_act, ())


def _settled(position: Position, turn: int, to_act: int, passed: tuple[Seat, ...]) -> Position:
    """The position with the next seat that can do something; the end if none can."""
    after = changed(position, turn=turn, to_act=to_act, passed=passed)
    # Where no knight can be placed alone, the king's force cannot place one either: a line too far
    # ahead with Excalibur against the seat is so with Excalibur for it.
    if after.sets_the_sword or after.can_place:
        return after
    seats = position.terms.seats
    passed, idle = (*passed, seats[to_act]), position.idle + 1
    if idle == len(seats):
        return changed(after, turn=turn + 1, idle=idle, passed=passed, ending="exhausted")
    return _settled(changed(position, idle=idle), turn + 1, (to_act + 1) % len(seats), passed)


def outcome(position: Position) -> Outcome | None:
    """Winners and knights defeated once the game has ended."""
    if position.ending is None:
        return None
    seats, defeated = position.terms.seats, position.defeated
    scores = dict(zip(seats, defeated, strict=True))
    standing = [index for index in range(len(seats)) if index not in position.resigned]
    best = max(defeated[index] for index in standing)
    winners = tuple(
        seats[index]
        for index in standing
        if position.ending == "resignation" or defeated[index] == best
    )
    return Outcome(winners, position.ending, scores)
