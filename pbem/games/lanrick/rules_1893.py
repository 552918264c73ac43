"""Lanrick under the rules of 1893 (rulebook, `lanrick-1893`): the effects of actions.

`play` copies the position. The functions it calls change that copy until it is the position after
the action. No other code sees the copy before that.
"""

from __future__ import annotations

from pbem.games.api import IllegalActionError, Outcome
from pbem.games.lanrick.actions import LAPS, LanrickAction, costs
from pbem.games.lanrick.board import RAYS, WAYS, bits, mask_of, replaced
from pbem.games.lanrick.position_1893 import SEATS, Position1893, rendezvous_of
from pbem.games.values import copied
from pbem.games.words import phrase

FIRST_TURN = 2
"""Squares allowed in the first turn of a rendezvous."""


def opening(repetition: bool, quiet_limit: int) -> Position1893:
    """Return the position before the first action, Yellow to act."""
    position = Position1893(repetition, quiet_limit)
    ask(position)
    return position


def play(position: Position1893, action: LanrickAction) -> Position1893:
    """Return the position after an action. Raises IllegalActionError if it is not legal."""
    if action not in position.allowed:
        raise IllegalActionError(phrase("not-legal"), text=action.text)
    after = copied(position)
    after.last = (*position.last, action) if position.begun else (action,)
    after.begun, after.passed, after.over = True, (), ""
    _DO[position.phase](after, action)
    return after


def _set_mark(after: Position1893, action: LanrickAction) -> None:
    size = after.occupied.bit_count() - 1
    (after.mark,) = action.squares
    after.line = action.detail
    after.rendezvous = rendezvous_of(after.mark, size, after.line)
    after.open = size % 2 == 0
    after.first_turn = after.may_claim = True
    _begin(after, 1 - after.to_act, "play")


def _choose(after: Position1893, action: LanrickAction) -> None:
    """Exchange the marker's men with the men on the chosen squares."""
    chosen, left = mask_of(action.squares), after.own
    men = replaced(after.men, after.to_act, chosen)
    after.men = replaced(men, 1 - after.to_act, after.adverse & ~chosen | left)
    _begin(after, 1 - after.to_act, "play")


def _take_turn(after: Position1893, action: LanrickAction) -> None:
    after.may_claim = False
    if action.sign == "ix":
        _claim(after)
    elif action.sign == ".":
        _end_turn(after)
    else:
        _step(after, action)


def _claim(after: Position1893) -> None:
    """Exchange all men if the numbers are equal. Otherwise let the marker choose squares."""
    yellow, black = after.men
    if yellow.bit_count() != black.bit_count():
        _begin(after, 1 - after.to_act, "interchange")
        return
    after.men = black, yellow
    if not after.can_act:
        _stop(after)


def _step(after: Position1893, action: LanrickAction) -> None:
    start, to = action.squares
    after.budget -= _cost(after, action)
    after.stepped |= 1 << to
    after.men = replaced(after.men, after.to_act, after.own ^ (1 << start | 1 << to))
    if after.all_in:
        _reward(after)
    elif not after.can_step:
        after.over = "blocked" if after.budget else "spent"
        _end_turn(after)


def _cost(position: Position1893, action: LanrickAction) -> int:
    """Return the cost of a step or run, in squares."""
    start, to = action.squares
    if action.sign == "-":
        _, squares = WAYS[start][to]
        return squares
    clockwise, other = LAPS[start]
    lap = clockwise if action.way == ">" else other
    return costs(lap, position.occupied, position.rendezvous, position.budget)[to]


def squares_counted(before: Position1893, action: LanrickAction) -> tuple[int, int] | None:
    """Return the squares used in a turn with an action, and the limit. None before any step."""
    if before.phase != "play" or action.sign == "ix":
        return None
    cost = 0 if action.sign == "." else _cost(before, action)
    allowed = squares_allowed(before)
    return allowed - before.budget + cost, allowed


def _end_turn(after: Position1893) -> None:
    after.first_turn = False
    _begin(after, 1 - after.to_act, "play")


def _reward(after: Position1893) -> None:
    """Reward the seat to act, whose men are all in: it replaces a man or takes the outlying one."""
    if after.rendezvous & ~after.occupied:
        after.phase = "replace"
        return
    _lose(after, after.adverse & after.rendezvous)
    if after.ending is not None:
        return
    if after.own.bit_count() < after.adverse.bit_count():
        after.phase = "mark"
    else:
        _begin(after, 1 - after.to_act, "mark")


def _replace(after: Position1893, action: LanrickAction) -> None:
    (square,) = action.squares
    after.men = replaced(after.men, after.to_act, after.own | 1 << square)
    _lose(after, after.adverse ^ 1 << square)
    if after.ending is None:
        _end_turn(after)


def _lose(after: Position1893, left: int) -> None:
    """Remove a man of the other seat, which loses the match if it has only one left."""
    after.men = replaced(after.men, 1 - after.to_act, left)
    # The turn continues. When it ends, it is the first of a new count.
    after.quiet, after.seen = -1, ()
    if left.bit_count() == 1:
        after.ending = "last-man"


_DO = {"mark": _set_mark, "interchange": _choose, "play": _take_turn, "replace": _replace}


def _begin(after: Position1893, seat: int, phase: str) -> None:
    """Start the next turn and play the engine's passes, or end the match."""
    after.phase, after.to_act = phase, seat
    after.stepped, after.begun = 0, False
    after.budget = squares_allowed(after)
    after.turn += 1
    after.quiet += 1
    if after.can_act:
        ask(after)
    else:
        _stop(after)


def squares_allowed(position: Position1893) -> int:
    """Return the squares that the men of the seat to act may move in a turn, in total."""
    men = position.own.bit_count()
    return FIRST_TURN if position.first_turn else 5 if men > 4 else 4 if men == 4 else 3


def _stop(after: Position1893) -> None:
    """Pass for a seat that can't step. It may still win the rendezvous."""
    if _is_stuck(after):
        after.ending = "stuck"
    elif not after.begun and 0 < after.quiet_limit <= after.quiet:
        after.ending = "quiet"
    else:
        after.passed = (*after.passed, after.seat)
        if after.all_in:
            _reward(after)
        else:
            _end_turn(after)


def _is_stuck(position: Position1893) -> bool:
    """Return whether no seat can step and none has all its men in."""
    men = position.men
    if any(not each & ~position.rendezvous for each in men):
        return False
    occupied = position.occupied
    return all(not ray or occupied >> ray[0] & 1 for man in bits(occupied) for ray in RAYS[man])


def ask(after: Position1893) -> None:
    """Record that it is a seat's turn. A repetition or the quiet limit ends the match instead."""
    key = (
        after.to_act,
        after.phase,
        after.men,
        after.mark,
        after.rendezvous,
        after.first_turn,
        after.may_claim,
    )
    if after.repetition and after.seen.count(key) == 2:
        after.ending = "repetition"
    elif 0 < after.quiet_limit <= after.quiet:
        after.ending = "quiet"
    elif after.repetition:
        after.seen = (*after.seen, key)


def outcome(position: Position1893) -> Outcome | None:
    """Return the winner and the men left, None before the end."""
    if position.ending is None:
        return None
    left = (men.bit_count() for men in position.men)
    winners = (position.seat,) if position.ending == "last-man" else ()
    return Outcome(winners, position.ending, dict(zip(SEATS, left, strict=True)))
