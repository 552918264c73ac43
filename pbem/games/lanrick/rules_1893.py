"""Lanrick by the rules of 1893 (rulebook, `lanrick-1893`): the position and what can be done.

Phases: mark, play (with the claim to an interchange), interchange (its choice of squares), replace.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

from pbem.games.api import IllegalAction, Outcome, Seat
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import (
    FIELD,
    NEAR,
    RAYS,
    RING,
    SQUARES,
    along_an_edge,
    bits,
    mask_of,
)
from pbem.games.values import changed, value
from pbem.games.words import phrase

SEATS: tuple[Seat, ...] = ("yellow", "black")
OPENING = (
    mask_of(tuple(SQUARES[name] for name in ("a1", "a7", "e8", "g1", "h5"))),
    mask_of(tuple(SQUARES[name] for name in ("a4", "b8", "d1", "h2", "h8"))),
)
FIRST_MARKS = tuple(SQUARES[name] for name in ("f3", "e4", "d5", "c6"))
LINES = {"-": (2, 6), "|": (0, 4), "/": (1, 5), "\\": (3, 7)}
"""Directions of a mark for three squares, both ways, as indices of RAYS."""
FIRST_TURN = 2
CAP = 3
"""Squares that one man may go, unless it is the only one outside."""
RING_AT = {square: index for index, square in enumerate(RING)}
DIAGONALS, RANK = (1, 3, 5, 7), (2, 6)


def rendezvous_of(mark: int, size: int, line: str = "") -> int:
    """Mask of the rendezvous of so many squares round a mark (rulebook, "Rendezvous")."""
    rays = RAYS[mark]
    beside = {way: 1 << rays[way][0] if rays[way] else 0 for way in range(8)}
    ends = {way: 1 << rays[way][-1] if rays[way] else 0 for way in range(8)}
    if size == 3:
        return 1 << mark | beside[LINES[line][0]] | beside[LINES[line][1]]
    return {
        9: NEAR[mark],
        8: sum(ends.values()),
        7: NEAR[mark] & ~(beside[2] | beside[6]),
        6: sum(end for way, end in ends.items() if way not in RANK),
        5: 1 << mark | sum(beside[way] for way in DIAGONALS),
        4: sum(ends[way] for way in DIAGONALS),
    }[size]


@value
class Position:
    """All that the rules of 1893 need to go on."""

    repetition: bool
    quiet_limit: int
    men: tuple[int, int] = OPENING
    """Masks of Yellow's and Black's men."""
    phase: str = "mark"
    to_act: int = 0
    """0 Yellow, 1 Black."""
    mark: int | None = None
    line: str = ""
    """Direction of a mark for three squares."""
    rendezvous: int = 0
    """Its mask."""
    open: bool = False
    """Whether it is on the border, so that men run along it."""
    first_turn: bool = False
    may_claim: bool = False
    """Whether the seat to act may claim the interchange."""
    budget: int = 0
    """Squares left to the seat to act in its turn."""
    stepped: int = 0
    """Mask of the men that have stepped in this turn."""
    turn: int = 1
    quiet: int = 0
    """Turns since a man was taken or replaced."""
    seen: tuple[object, ...] = ()
    """Positions at the starts of turns since then."""
    passed: tuple[Seat, ...] = ()
    last: tuple[Action, ...] = ()
    begun: bool = False
    """Whether something has been done in this turn."""
    over: str = ""
    """Why the last steps ended by themselves: the squares `spent`, or every man `blocked`."""
    ending: str | None = None

    @property
    def seat(self) -> Seat:
        """Seat to act."""
        return SEATS[self.to_act]

    @property
    def own(self) -> int:
        """Men of the seat to act."""
        return self.men[self.to_act]

    @property
    def adverse(self) -> int:
        """Men of the other seat."""
        return self.men[1 - self.to_act]

    @property
    def occupied(self) -> int:
        """Squares on which a man stands."""
        return self.men[0] | self.men[1]

    @property
    def all_in(self) -> bool:
        """Whether every man of the seat to act is in the rendezvous."""
        return not self.own & ~self.rendezvous

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """Legal actions, a1 first."""
        return tuple(_LEGAL[self.phase](self)) if self.ending is None else ()

    @property
    def can_act(self) -> bool:
        """Whether there is one; the first that is found will do."""
        return next(_LEGAL[self.phase](self), None) is not None


def _marks(position: Position) -> Iterator[Action]:
    seat = position.seat
    if position.mark is None:
        for square in FIRST_MARKS:
            yield Action(seat, "@", (square,))
    elif position.occupied.bit_count() > 4:
        for square in bits(FIELD):
            yield Action(seat, "@", (square,))
    else:
        for square in range(64):
            for line, ways in LINES.items():
                if all(RAYS[square][way] for way in ways):
                    yield Action(seat, "@", (square,), line)


def _swaps(position: Position) -> Iterator[Action]:
    """The marker has fewer men, and chooses as many of the others' squares."""
    for squares in combinations(bits(position.adverse), position.own.bit_count()):
        yield Action(position.seat, "swap", squares)


def _replacements(position: Position) -> Iterator[Action]:
    for square in bits(position.adverse & ~position.rendezvous):
        yield Action(position.seat, "*", (square,))


def _turn(position: Position) -> Iterator[Action]:
    if position.may_claim:
        yield Action(position.seat, "ix")
    yield from _steps(position)
    if position.stepped:
        yield Action(position.seat, ".")


def _steps(position: Position) -> Iterator[Action]:
    outside = position.own & ~position.rendezvous
    for man in bits(position.own & ~position.stepped):
        only = outside == 1 << man
        reach = position.budget if only else min(CAP, position.budget)
        yield from _straight(position, man, reach)
        if position.open and man in RING_AT:
            yield from _named_runs(position, man, reach)


def _straight(position: Position, man: int, reach: int) -> Iterator[Action]:
    occupied = position.occupied
    for ray in RAYS[man]:
        if position.open and ray and along_an_edge(man, ray[0]):
            continue
        for square in ray[:reach]:
            if occupied >> square & 1:
                break
            yield Action(position.seat, "-", (man, square))


def runs(position: Position, man: int, reach: int, sense: int) -> dict[int, int]:
    """Cost by square of the runs of a man one way round (1 clockwise, -1 the other way)."""
    costs: dict[int, int] = {}
    start, past = RING_AT[man], False
    for walked in range(1, len(RING)):
        square = RING[(start + sense * walked) % len(RING)]
        if position.occupied >> square & 1:
            break
        cost = walked if past else 1
        if cost > reach:
            break
        costs[square] = cost
        past = past or bool(position.rendezvous >> square & 1)
    return costs


def _named_runs(position: Position, man: int, reach: int) -> Iterator[Action]:
    """Runs both ways; the cheaper needs no arrow, nor does the clockwise one on equal cost."""
    ways = {">": runs(position, man, reach, 1), "<": runs(position, man, reach, -1)}
    for arrow, other in ((">", "<"), ("<", ">")):
        for square, cost in ways[arrow].items():
            rival = ways[other].get(square)
            default = rival is None or cost < rival or (cost == rival and arrow == ">")
            yield Action(position.seat, "~", (man, square), "" if default else arrow, arrow)


_LEGAL = {"mark": _marks, "interchange": _swaps, "play": _turn, "replace": _replacements}


def play(position: Position, action: Action) -> Position:
    """Position after an action; raises IllegalAction if the rules do not allow it."""
    if action not in position.legal:
        raise IllegalAction(action.text, phrase("not-legal"))
    done = (*position.last, action) if position.begun else (action,)
    noted = changed(position, last=done, begun=True, passed=(), over="")
    return _AFTER[position.phase](noted, action)


def _after_mark(position: Position, action: Action) -> Position:
    size = position.occupied.bit_count() - 1
    mark = action.squares[0]
    marked = changed(
        position,
        mark=mark,
        line=action.detail,
        rendezvous=rendezvous_of(mark, size, action.detail),
        open=size % 2 == 0,
        first_turn=True,
        may_claim=True,
    )
    return _begin(marked, 1 - position.to_act, "play")


def _after_swap(position: Position, action: Action) -> Position:
    chosen = mask_of(action.squares)
    me, left = position.to_act, position.own
    men = list(position.men)
    men[me] = chosen
    men[1 - me] = men[1 - me] & ~chosen | left
    return _begin(changed(position, men=(men[0], men[1])), 1 - me, "play")


def _claimed(position: Position) -> Position:
    """All change places if the numbers are equal; otherwise the marker chooses with whom."""
    yellow, black = position.men
    claimed = changed(position, may_claim=False)
    if yellow.bit_count() != black.bit_count():
        return _begin(claimed, 1 - position.to_act, "interchange")
    swapped = changed(claimed, men=(black, yellow))
    return swapped if swapped.can_act else _stopped(swapped)


def _after_turn_action(position: Position, action: Action) -> Position:
    if action.sign == "ix":
        return _claimed(position)
    if action.sign == ".":
        return _end_of_turn(position)
    start, to = action.squares
    men = list(position.men)
    men[position.to_act] ^= 1 << start | 1 << to
    moved = changed(
        position,
        men=(men[0], men[1]),
        stepped=position.stepped | 1 << to,
        budget=position.budget - cost_of(position, action),
        may_claim=False,
    )
    if moved.all_in:
        return _reward(moved)
    if next(_steps(moved), None) is None:
        return _end_of_turn(changed(moved, over="blocked" if moved.budget else "spent"))
    return moved


def cost_of(position: Position, action: Action) -> int:
    """Squares that a step or a run costs."""
    start, to = action.squares
    if action.sign == "-":
        ray = next(ray for ray in RAYS[start] if to in ray)
        return ray.index(to) + 1
    return runs(position, start, position.budget, 1 if action.way == ">" else -1)[to]


def _end_of_turn(position: Position) -> Position:
    return _begin(changed(position, first_turn=False), 1 - position.to_act, "play")


def _reward(position: Position) -> Position:
    """The seat to act has all its men in: it replaces a man, or takes the outlying one off."""
    if position.rendezvous & ~position.occupied:
        return changed(position, phase="replace")
    me, men = position.to_act, list(position.men)
    men[1 - me] &= position.rendezvous
    taken = changed(position, men=(men[0], men[1]), quiet=-1, seen=())
    if men[1 - me].bit_count() == 1:
        return changed(taken, ending="last-man")
    fewer = men[me].bit_count() < men[1 - me].bit_count()
    if fewer:
        return changed(taken, phase="mark")
    return _begin(taken, 1 - me, "mark")


def _after_replacement(position: Position, action: Action) -> Position:
    me, square, men = position.to_act, 1 << action.squares[0], list(position.men)
    men[me] |= square
    men[1 - me] ^= square
    after = changed(position, men=(men[0], men[1]), quiet=-1, seen=())
    if men[1 - me].bit_count() == 1:
        return changed(after, ending="last-man")
    return _end_of_turn(after)


_AFTER = {
    "mark": _after_mark,
    "interchange": _after_swap,
    "play": _after_turn_action,
    "replace": _after_replacement,
}


def _budget(position: Position, seat: int) -> int:
    if position.first_turn:
        return FIRST_TURN
    men = position.men[seat].bit_count()
    return 5 if men > 4 else 4 if men == 4 else 3


def _begin(position: Position, seat: int, phase: str, passed: tuple[Seat, ...] = ()) -> Position:
    """The next turn, with the passes the engine plays, or the end that comes instead."""
    begun = changed(
        position,
        phase=phase,
        to_act=seat,
        stepped=0,
        budget=_budget(position, seat),
        turn=position.turn + 1,
        quiet=position.quiet + 1,
        begun=False,
        passed=passed,
    )
    return asked(begun) if begun.can_act else _stopped(begun)


def _stopped(position: Position) -> Position:
    """A seat that cannot step: it passes, and is examined all the same."""
    if _is_stuck(position):
        return changed(position, ending="stuck")
    if not position.begun and 0 < position.quiet_limit <= position.quiet:
        return changed(position, ending="quiet")
    passed = (*position.passed, position.seat)
    if position.all_in:
        return _reward(changed(position, passed=passed))
    after = changed(position, first_turn=False)
    return _begin(after, 1 - position.to_act, "play", passed)


def _is_stuck(position: Position) -> bool:
    """Whether nobody can step and nobody is rewarded."""
    men = position.men
    if any(not each & ~position.rendezvous for each in men):
        return False
    occupied = position.occupied
    return all(not ray or occupied >> ray[0] & 1 for man in bits(occupied) for ray in RAYS[man])


def opening(repetition: bool, quiet_limit: int) -> Position:
    """The position before the first action, Yellow to act."""
    return asked(Position(repetition, quiet_limit))


def asked(position: Position) -> Position:
    """A position in which a seat is asked: counted, or ended by repetition or the quiet limit."""
    key = (
        position.to_act,
        position.phase,
        position.men,
        position.mark,
        position.rendezvous,
        position.first_turn,
        position.may_claim,
    )
    if position.repetition and position.seen.count(key) == 2:
        return changed(position, ending="repetition")
    if 0 < position.quiet_limit <= position.quiet:
        return changed(position, ending="quiet")
    return changed(position, seen=(*position.seen, key)) if position.repetition else position


def outcome(position: Position) -> Outcome | None:
    """Winner and men left once the match has ended."""
    if position.ending is None:
        return None
    left = (men.bit_count() for men in position.men)
    winners = (position.seat,) if position.ending == "last-man" else ()
    return Outcome(winners, position.ending, dict(zip(SEATS, left, strict=True)))
