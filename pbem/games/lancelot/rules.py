"""Legal actions of Lancelot and their effects (rulebook, Lancelot)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.api import IllegalActionError, Seat
from pbem.games.lancelot.board import bits
from pbem.games.lancelot.position import (
    Action,
    Field,
    LancelotPosition,
    Placement,
    Resignation,
    open_squares,
    sword_squares,
    with_knight,
    with_sword,
)
from pbem.games.values import changed
from pbem.games.words import phrase


def play(position: LancelotPosition, action: Action) -> LancelotPosition:
    """Return the position after an action. Raises IllegalActionError if it is not legal."""
    if position.ending is not None:
        raise IllegalActionError(phrase("match-over"), text=str(action))
    if isinstance(action, Resignation):
        return _resign(position, action.seat)
    if not is_legal(position, action):
        raise IllegalActionError(phrase("not-legal"), text=str(action))
    if position.sets_the_sword:
        assert action.sword is not None, "Excalibur is set first"
        return _next(changed(position, sword=1 << action.sword, last=action), 0)
    return _placed(position, action, _field_after(position, action))


def _field_after(position: LancelotPosition, action: Placement) -> Field:
    board, knight, sword = position.terms.board, action.knight, action.sword
    if knight is None:
        assert sword is not None, "one of the two is placed"
        return with_sword(board, position.forced, sword)
    if sword is None:
        return with_knight(board, position.field, knight)
    if action.sword_first:
        return with_knight(board, with_sword(board, position.forced, sword), knight)
    return with_sword(board, with_knight(board, position.forced, knight), sword)


def _placed(position: LancelotPosition, action: Placement, field: Field) -> LancelotPosition:
    me, fallen = position.to_act, field.fallen
    knights, defeated = position.knights, position.defeated
    if fallen:
        knights = tuple(mask & ~fallen for mask in knights)
        defeated = _with(defeated, me, defeated[me] + fallen.bit_count())
    after = LancelotPosition(
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


def _stays_open(position: LancelotPosition, field: Field) -> bool:
    """Return whether the next seat can surely still place a knight.

    Another seat's knight only sets it back, but defeats or a moved Excalibur may put it too far
    ahead.
    """
    if field.fallen or field.sword != position.sword:
        return False
    return bool(position.open_to_next & ~field.own)


def _with(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], number, *numbers[index + 1 :])


def _resign(position: LancelotPosition, seat: Seat) -> LancelotPosition:
    index = position.terms.seats.index(seat)
    after = changed(position, resigned=position.resigned | {index}, passed=())
    if len(after.resigned) >= len(after.knights) - 1:
        return changed(after, ending="resignation")
    if after.sets_the_sword:
        return changed(after, to_act=max(set(range(len(after.knights))) - after.resigned))
    return after if index != after.to_act else _settled(after, position.turn, after.to_act, ())


def _next(position: LancelotPosition, to_act: int) -> LancelotPosition:
    return _settled(position, position.turn + 1, to_act, ())


def _settled(
    position: LancelotPosition, turn: int, to_act: int, passed: tuple[Seat, ...]
) -> LancelotPosition:
    """Return the position with the next seat that can act, or the end if none can."""
    after = changed(position, turn=turn, to_act=to_act, passed=passed)
    if after.sets_the_sword or after.can_act:
        return after
    seats = position.terms.seats
    passed, idle = (*passed, seats[to_act]), position.idle + 1
    if idle == len(seats):
        return changed(after, turn=turn + 1, idle=idle, passed=passed, ending="exhausted")
    return _settled(changed(position, idle=idle), turn + 1, (to_act + 1) % len(seats), passed)


def legal_actions(position: LancelotPosition) -> Iterator[Placement]:
    """Yield the placements of the seat to act: knights from A1 on, Excalibur from A1 on, then both.

    Of the pairs, those that move Excalibur first come first, in order of its square and then the
    knight's. The others are in order of the knight's square.
    """
    if position.ending is not None:
        return
    if position.sets_the_sword:
        for square in position.terms.board.squares:
            yield Placement(position.seat, None, square)
        return
    yield from position.plain
    for square in bits(position.sword_squares):
        yield Placement(position.seat, None, square)
    if position.can_call and position.has_knights:
        yield from _forces(position)


def _forces(position: LancelotPosition) -> Iterator[Placement]:
    board, seat, field = position.terms.board, position.seat, position.forced
    for sword in bits(sword_squares(board, field)):
        for knight in bits(open_squares(board, with_sword(board, field, sword))):
            yield Placement(seat, knight, sword)
    for knight in bits(open_squares(board, field)):
        for sword in bits(sword_squares(board, with_knight(board, field, knight))):
            yield Placement(seat, knight, sword, sword_first=False)


def is_legal(position: LancelotPosition, action: Placement) -> bool:
    """Return whether a placement is legal, without listing all of them."""
    seat, knight, sword, _ = action
    if position.ending is not None or seat != position.seat:
        return False
    if sword is not None and position.sets_the_sword:
        return knight is None and sword in position.terms.board.through
    if knight is None:
        return sword is not None and bool(position.sword_squares >> sword & 1)
    if sword is None:
        return bool(position.open_squares >> knight & 1)
    if not (position.can_call and position.has_knights):
        return False
    return _is_force(position, knight, sword, action.sword_first)


def _is_force(position: LancelotPosition, knight: int, sword: int, sword_first: bool) -> bool:
    board, field = position.terms.board, position.forced
    if sword_first:
        if not sword_squares(board, field) >> sword & 1:
            return False
        return bool(open_squares(board, with_sword(board, field, sword)) >> knight & 1)
    if not open_squares(board, field) >> knight & 1:
        return False
    return bool(sword_squares(board, with_knight(board, field, knight)) >> sword & 1)
