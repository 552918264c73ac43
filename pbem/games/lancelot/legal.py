"""What a seat may do in Lancelot (rulebook, Lancelot, "Play" and "Excalibur")."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.lancelot.board import bits
from pbem.games.lancelot.judging import open_squares, sword_squares, with_knight, with_sword
from pbem.games.lancelot.position import Placement, Position


def legal_actions(position: Position) -> Iterator[Placement]:
    """Placements of the seat to act, from A1 on; then Excalibur moved alone, from A1 on; then both.

    Of both, all that move Excalibur first come first; then its square counts, then the knight's.
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


def _forces(position: Position) -> Iterator[Placement]:
    board, seat, field = position.terms.board, position.seat, position.forced
    for sword in bits(sword_squares(board, field)):
        for knight in bits(open_squares(board, with_sword(board, field, sword))):
            yield Placement(seat, knight, sword)
    for knight in bits(open_squares(board, field)):
        for sword in bits(sword_squares(board, with_knight(board, field, knight))):
            yield Placement(seat, knight, sword, sword_first=False)


def is_legal(position: Position, action: Placement) -> bool:
    """Whether a placement is one of the legal ones, without listing them."""
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


def _is_force(position: Position, knight: int, sword: int, sword_first: bool) -> bool:
    board, field = position.terms.board, position.forced
    if sword_first:
        if not sword_squares(board, field) >> sword & 1:
            return False
        return bool(open_squares(board, with_sword(board, field, sword)) >> knight & 1)
    if not open_squares(board, field) >> knight & 1:
        return False
    return bool(sword_squares(board, with_knight(board, field, knight)) >> sword & 1)
