"""Lanrick under the rules of 1881 (rulebook, `lanrick-1881`): the effects of actions.

`play` copies the position. The functions it calls change that copy until it is the position after
the action. No other code sees the copy before that.
"""

from __future__ import annotations

from pbem.games.api import IllegalActionError, Outcome
from pbem.games.lanrick.actions import LanrickAction
from pbem.games.lanrick.board import FIELD, WAYS, has_room, replaced
from pbem.games.lanrick.position_1881 import SEATS, Position1881, ways_to_the_border
from pbem.games.values import copied
from pbem.games.words import phrase

MEN = 5
TO_WIN = 4
FIRST_TURN = 2
"""Squares allowed in the first turn of a rendezvous."""


def opening(repetition: bool, quiet_limit: int) -> Position1881:
    """Return the position before the first action, White to act."""
    position = Position1881(repetition, quiet_limit)
    ask(position)
    return position


def play(position: Position1881, action: LanrickAction) -> Position1881:
    """Return the position after an action. Raises IllegalActionError if it is not legal."""
    if action not in position.allowed:
        raise IllegalActionError(phrase("not-legal"), text=action.text)
    after = copied(position)
    after.last = (*position.last, action) if position.begun else (action,)
    after.begun, after.passed, after.over = True, (), ""
    _DO[position.phase](after, action)
    return after


def _place(after: Position1881, action: LanrickAction) -> None:
    (square,) = action.squares
    after.men = replaced(after.men, after.to_act, after.own | 1 << square)
    if after.occupied.bit_count() < 2 * MEN:
        _begin(after, 1 - after.to_act, "place")
    else:
        _begin(after, 0, "mark")


def _set_mark(after: Position1881, action: LanrickAction) -> None:
    (after.mark,) = action.squares
    after.first_turn = True
    _begin(after, 1 - after.to_act, "play")


def _step(after: Position1881, action: LanrickAction) -> None:
    if action.sign == ".":
        _end_turn(after)
        return
    start, to = action.squares
    direction, cost = WAYS[start][to]
    stepped = (to, direction % 4)
    if after.stepped:
        others = [pair for pair in after.stepped if pair[0] != start]
        after.stepped = tuple(sorted([*others, stepped]))
    else:
        after.stepped = (stepped,)
    after.budget -= cost
    _move(after, action, after.to_act)
    if not after.own & ~after.rendezvous:
        _win(after)
    elif not after.budget:  # with squares left, the man could at least step back
        after.over = "spent"
        _end_turn(after)


def _move(after: Position1881, action: LanrickAction, owner: int) -> None:
    """Move one of an owner's men from one square to another."""
    start, to = action.squares
    after.men = replaced(after.men, owner, after.men[owner] ^ (1 << start | 1 << to))


def _end_turn(after: Position1881) -> None:
    after.first_turn = False
    _begin(after, 1 - after.to_act, "play")


def _win(after: Position1881) -> None:
    """Let the seat to act, whose men are all in, take an opponent's man if one is outside."""
    after.stepped, after.winner = (), after.to_act
    if after.adverse & ~after.rendezvous:
        after.phase = "remove"
    else:
        _disperse(after)


def _remove(after: Position1881, action: LanrickAction) -> None:
    me = after.to_act
    (square,) = action.squares
    after.men = replaced(after.men, 1 - me, after.adverse ^ 1 << square)
    after.taken = replaced(after.taken, me, after.taken[me] + 1)
    # The turn continues, and the next turn sets this count to 0.
    after.quiet, after.seen = -1, ()
    if after.taken[me] == TO_WIN:
        after.ending = "four-taken"
    else:
        _disperse(after)


def _disperse(after: Position1881) -> None:
    after.phase = "disperse"
    if not after.can_act:
        _equalise(after)


def _move_adverse(after: Position1881, action: LanrickAction) -> None:
    _move(after, action, 1 - after.to_act)
    _disperse(after)


def _equalise(after: Position1881) -> None:
    """Make the seat with more men in the field move them to the border until numbers are equal."""
    white, black = ((men & FIELD).bit_count() for men in after.men)
    more = int(black > white)
    if white != black and _can_reach_the_border(after, more):
        _hand_to(after, more, "equalise")
    else:
        after.mark, after.marker = None, _first_to_muster(after)
        _muster(after, after.marker)


def _can_reach_the_border(position: Position1881, seat: int) -> bool:
    """Return whether a seat has a man in the field with a clear line to the border."""
    return bool(ways_to_the_border(SEATS[seat], position.men[seat] & FIELD, position.occupied))


def _move_to_equalise(after: Position1881, action: LanrickAction) -> None:
    _move(after, action, after.to_act)
    _equalise(after)


def _first_to_muster(position: Position1881) -> int:
    """Return the next marker: the seat with fewer men, or else the loser of the rendezvous."""
    white, black = (men.bit_count() for men in position.men)
    if white == black:
        return 1 - position.winner
    return int(black < white)


def _muster(after: Position1881, due: int) -> None:
    """Let the seats move their own men to the border in turn. A seat that can't is skipped for now.

    Being skipped is not a turn. When neither seat can move, the first one sets the mark.
    """
    for seat in (due, 1 - due):
        if _can_reach_the_border(after, seat):
            _hand_to(after, seat, "muster")
            return
    _hand_to(after, after.marker, "mark")


def _move_to_muster(after: Position1881, action: LanrickAction) -> None:
    _move(after, action, after.to_act)
    _muster(after, 1 - after.to_act)


_DO = {
    "place": _place,
    "mark": _set_mark,
    "play": _step,
    "remove": _remove,
    "disperse": _move_adverse,
    "equalise": _move_to_equalise,
    "muster": _move_to_muster,
}


def _hand_to(after: Position1881, seat: int, phase: str) -> None:
    """Let a seat act in a phase, in the same turn if it is already to act."""
    if seat == after.to_act:
        after.phase = phase
    else:
        _begin(after, seat, phase)


def _begin(after: Position1881, seat: int, phase: str) -> None:
    """Start the next turn and play the engine's passes, or end the match."""
    after.phase, after.to_act = phase, seat
    after.stepped, after.begun = (), False
    after.budget = squares_allowed(after)
    after.turn += 1
    after.quiet += 1
    if phase != "play" or has_room(after.own, after.occupied):
        ask(after)
    elif not has_room(after.adverse, after.occupied):
        after.ending = "stuck"
    elif 0 < after.quiet_limit <= after.quiet:
        after.ending = "quiet"
    else:
        after.passed = (*after.passed, after.seat)
        _end_turn(after)


def squares_allowed(position: Position1881) -> int:
    """Return the squares that the men of the seat to act may move in a turn, in total."""
    return FIRST_TURN if position.first_turn else position.own.bit_count()


def ask(after: Position1881) -> None:
    """Record that it is a seat's turn. A repetition or the quiet limit ends the match instead."""
    key = (after.to_act, after.phase, after.men, after.mark, after.first_turn)
    if after.repetition and after.seen.count(key) == 2:
        after.ending = "repetition"
    elif 0 < after.quiet_limit <= after.quiet:
        after.ending = "quiet"
    elif after.repetition:
        after.seen = (*after.seen, key)


def outcome(position: Position1881) -> Outcome | None:
    """Return the winner and the men taken, None before the end."""
    if position.ending is None:
        return None
    scores = dict(zip(SEATS, position.taken, strict=True))
    winners = (position.seat,) if position.ending == "four-taken" else ()
    return Outcome(winners, position.ending, scores)
