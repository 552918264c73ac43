"""Playing an action of Lancelot: what becomes of the position (rulebook, Lancelot)."""

from __future__ import annotations

from pbem.games.api import IllegalAction, Seat
from pbem.games.lancelot.judging import Field, with_knight, with_sword
from pbem.games.lancelot.legal import is_legal
from pbem.games.lancelot.position import Action, Placement, Position, Resignation
from pbem.games.values import changed
from pbem.games.words import phrase


def play(position: Position, action: Action) -> Position:
    """Position after an action; raises IllegalAction if the rules do not allow it."""
    if position.ending is not None:
        raise IllegalAction(str(action), phrase("match-over"))
    if isinstance(action, Resignation):
        return _resign(position, action.seat)
    if not is_legal(position, action):
        raise IllegalAction(str(action), phrase("not-legal"))
    if position.sets_the_sword:
        assert action.sword is not None, "Excalibur is set first"
        return _next(changed(position, sword=1 << action.sword, last=action), 0)
    return _placed(position, action, _field_after(position, action))


def _field_after(position: Position, action: Placement) -> Field:
    board, knight, sword = position.terms.board, action.knight, action.sword
    if knight is None:
        assert sword is not None, "one of the two is placed"
        return with_sword(board, position.forced, sword)
    if sword is None:
        return with_knight(board, position.field, knight)
    if action.sword_first:
        return with_knight(board, with_sword(board, position.forced, sword), knight)
    return with_sword(board, with_knight(board, position.forced, knight), sword)


def _placed(position: Position, action: Placement, field: Field) -> Position:
    me, fallen = position.to_act, field.fallen
    knights, defeated = position.knights, position.defeated
    if fallen:
        knights = tuple(mask & ~fallen for mask in knights)
        defeated = _with(defeated, me, defeated[me] + fallen.bit_count())
    after = Position(
        position.terms,
        _with(knights, me, field.own & ~field.sword),
        _with(position.placed, me, position.placed[me] + (action.knight is not None)),
        defeated,
        position.next_index,
        field.sword,
        position.called if action.sword is None else (*position.called, me),
        position.resigned,
        position.turn + 1,
        action,
    )
    if defeated[me] >= position.terms.target:
        return changed(after, ending="target")
    if _stays_open(position, field) or after.can_act:
        return after
    return _settled(after, after.turn, after.to_act, ())


def _stays_open(position: Position, field: Field) -> bool:
    """Whether the next seat can still place a knight where it could already.

    One more of others only sets it back; but what falls or moves may put it too far ahead.
    """
    if field.fallen or field.sword != position.sword:
        return False
    return bool(position.open_to_next & ~field.own)


def _with(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], number, *numbers[index + 1 :])


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
    if after.sets_the_sword or after.can_act:
        return after
    seats = position.terms.seats
    passed, idle = (*passed, seats[to_act]), position.idle + 1
    if idle == len(seats):
        return changed(after, turn=turn + 1, idle=idle, passed=passed, ending="exhausted")
    return _settled(changed(position, idle=idle), turn + 1, (to_act + 1) % len(seats), passed)
