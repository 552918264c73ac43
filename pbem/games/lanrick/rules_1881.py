"""Lanrick by the rules of 1881 (rulebook, `lanrick-1881`): what comes of an action.

`play` copies the position, and what follows it changes the copy, until it is the position after the
action: nobody else has it before.
"""

from __future__ import annotations

from pbem.games.api import IllegalAction, Outcome
from pbem.games.lanrick.actions import LanrickAction
from pbem.games.lanrick.board import FIELD, WAYS, has_room, replaced
from pbem.games.lanrick.position_1881 import SEATS, Position1881, ways_to_the_border
from pbem.games.values import copied
from pbem.games.words import phrase

MEN = 5
TO_WIN = 4
FIRST_TURN = 2
"""Squares that may be moved in the first turn of a rendezvous."""


def opening(repetition: bool, quiet_limit: int) -> Position1881:
    """The position before the first action, White to act."""
    position = Position1881(repetition, quiet_limit)
    ask(position)
    return position


def play(position: Position1881, action: LanrickAction) -> Position1881:
    """Position after an action; raises IllegalAction if the rules do not allow it."""
    if action not in position.allowed:
        raise IllegalAction(phrase("not-legal"), text=action.text)
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
    """One of an owner's men goes from one square to another."""
    start, to = action.squares
    after.men = replaced(after.men, owner, after.men[owner] ^ (1 << start | 1 << to))


def _end_turn(after: Position1881) -> None:
    after.first_turn = False
    _begin(after, 1 - after.to_act, "play")


def _win(after: Position1881) -> None:
    """The seat to act has all its men in: it takes a man off, if one is outside."""
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
    # The turn goes on, and counts as the first of a new count when it ends.
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
    """The seat with more men in the field moves its own to the border until numbers are equal."""
    white, black = ((men & FIELD).bit_count() for men in after.men)
    more = int(black > white)
    if white != black and _can_reach_the_border(after, more):
        _hand_to(after, more, "equalise")
    else:
        after.mark, after.marker = None, _first_to_muster(after)
        _muster(after, after.marker)


def _can_reach_the_border(position: Position1881, seat: int) -> bool:
    """Whether a seat has a man in the field with a clear line to the border."""
    return bool(ways_to_the_border(SEATS[seat], position.men[seat] & FIELD, position.occupied))


def _move_to_equalise(after: Position1881, action: LanrickAction) -> None:
    _move(after, action, after.to_act)
    _equalise(after)


def _first_to_muster(position: Position1881) -> int:
    """Who has fewer men on the board, or the loser of the rendezvous: the next marker."""
    white, black = (men.bit_count() for men in position.men)
    if white == black:
        return 1 - position.winner
    return int(black < white)


def _muster(after: Position1881, due: int) -> None:
    """Own men to the border, alternately; who has none to move is passed over and asked again.

    Being passed over is no turn; when both are, the first one sets the mark.
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
    """Lets a seat act in a phase: its turn goes on, or another one begins."""
    if seat == after.to_act:
        after.phase = phase
    else:
        _begin(after, seat, phase)


def _begin(after: Position1881, seat: int, phase: str) -> None:
    """The next turn, the engine's passes played, or the end that comes instead."""
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
    """Squares that the men of the seat to act may be moved in its turn, all together."""
    return FIRST_TURN if position.first_turn else position.own.bit_count()


def ask(after: Position1881) -> None:
    """A seat is asked: that is counted, or a repetition or the quiet limit ends the match."""
    key = (after.to_act, after.phase, after.men, after.mark, after.first_turn)
    if after.repetition and after.seen.count(key) == 2:
        after.ending = "repetition"
    elif 0 < after.quiet_limit <= after.quiet:
        after.ending = "quiet"
    elif after.repetition:
        after.seen = (*after.seen, key)


def outcome(position: Position1881) -> Outcome | None:
    """Winner and men taken once the match has ended."""
    if position.ending is None:
        return None
    scores = dict(zip(SEATS, position.taken, strict=True))
    winners = (position.seat,) if position.ending == "four-taken" else ()
    return Outcome(winners, position.ending, scores)
