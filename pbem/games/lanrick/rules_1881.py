"""Lanrick by the rules of 1881 (rulebook, `lanrick-1881`): the position and what can be done.

Phases: place, mark, play, remove, disperse, equalise, muster.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from pbem.games.api import IllegalAction, Outcome, Seat
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import BORDER, FIELD, NEAR, RAYS, bits
from pbem.games.values import changed, value
from pbem.games.words import phrase

SEATS: tuple[Seat, ...] = ("white", "black")
MEN = 5
TO_WIN = 4
FIRST_TURN = 2
"""Squares that may be moved in the first turn of a rendezvous."""


@value
class Position:
    """All that the rules of 1881 need to go on."""

    repetition: bool
    quiet_limit: int
    men: tuple[int, int] = (0, 0)
    """Masks of White's and Black's men."""
    phase: str = "place"
    to_act: int = 0
    """0 White, 1 Black."""
    mark: int | None = None
    winner: int = 0
    """Who won the last rendezvous."""
    marker: int = 0
    """Who sets the next mark, and is the first to muster."""
    first_turn: bool = False
    """Whether it is the first turn of the rendezvous."""
    budget: int = 0
    """Squares left to the seat to act in its turn."""
    stepped: tuple[tuple[int, int], ...] = ()
    """Men that have stepped in this turn, where they stand now and on which of the four lines."""
    taken: tuple[int, int] = (0, 0)
    """Men taken by White and by Black."""
    turn: int = 1
    quiet: int = 0
    """Turns since a man was taken."""
    seen: tuple[object, ...] = ()
    """Positions at the starts of turns since a man was taken."""
    passed: tuple[Seat, ...] = ()
    last: tuple[Action, ...] = ()
    """Actions of the turn being played, or of the last one if none has been done in it."""
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
    def rendezvous(self) -> int:
        """Mask of the rendezvous, 0 where none is played for."""
        return NEAR[self.mark] if self.mark is not None else 0

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """Legal actions, a1 first."""
        return tuple(_LEGAL[self.phase](self)) if self.ending is None else ()

    @property
    def can_act(self) -> bool:
        """Whether there is one; the first that is found will do."""
        return next(_LEGAL[self.phase](self), None) is not None


def _places(position: Position) -> Iterator[Action]:
    for square in bits(BORDER & ~position.occupied):
        yield Action(position.seat, "", (square,))


def _marks(position: Position) -> Iterator[Action]:
    """Rule 5: no own man in the rendezvous, and not all of them brought in in one turn."""
    free = [square for square in bits(FIELD) if not NEAR[square] & position.own]
    fair = [square for square in free if not _all_could_enter(position, NEAR[square])]
    for square in fair or free or bits(FIELD):
        yield Action(position.seat, "@", (square,))


def _all_could_enter(position: Position, rendezvous: int) -> bool:
    """Whether the marker's men, a square each, could all step into different vacant squares."""
    vacant = rendezvous & ~position.occupied
    choices = [list(bits(NEAR[man] & vacant)) for man in bits(position.own)]
    if not all(choices):
        return False
    return _matched(choices, 0)


def _matched(choices: list[list[int]], used: int) -> bool:
    if not choices:
        return True
    first, *rest = choices
    return any(_matched(rest, used | 1 << s) for s in first if not used >> s & 1)


def _steps(position: Position) -> Iterator[Action]:
    lines = dict(position.stepped)
    occupied, seat = position.occupied, position.seat
    for man in bits(position.own):
        for direction, ray in enumerate(RAYS[man]):
            if lines.get(man, direction % 4) == direction % 4:
                for square in ray[: position.budget]:
                    if occupied >> square & 1:
                        break
                    yield Action(seat, "-", (man, square))
    if position.stepped:
        yield Action(seat, ".")


def _removals(position: Position) -> Iterator[Action]:
    for square in bits(position.adverse & ~position.rendezvous):
        yield Action(position.seat, "x", (square,))


def _dispersals(position: Position) -> Iterator[Action]:
    outside = position.adverse & FIELD & ~position.rendezvous
    yield from _to_the_border(position, outside)


def _own_to_the_border(position: Position) -> Iterator[Action]:
    yield from _to_the_border(position, position.own & FIELD)


def _to_the_border(position: Position, men: int) -> Iterator[Action]:
    """Each man along a line over vacant squares, to the border square at its end."""
    occupied = position.occupied
    for man in bits(men):
        ends = [ray[-1] for ray in RAYS[man] if not any(occupied >> s & 1 for s in ray)]
        for end in sorted(ends):
            yield Action(position.seat, ">", (man, end))


_LEGAL = {
    "place": _places,
    "mark": _marks,
    "play": _steps,
    "remove": _removals,
    "disperse": _dispersals,
    "equalise": _own_to_the_border,
    "muster": _own_to_the_border,
}


def play(position: Position, action: Action) -> Position:
    """Position after an action; raises IllegalAction if the rules do not allow it."""
    if action not in position.legal:
        raise IllegalAction(action.text, phrase("not-legal"))
    done = (*position.last, action) if position.begun else (action,)
    noted = changed(position, last=done, begun=True, passed=(), over="")
    return _AFTER[position.phase](noted, action)


def _moved(position: Position, action: Action, owner: int) -> Position:
    start, to = action.squares
    men = list(position.men)
    men[owner] ^= 1 << start | 1 << to
    return changed(position, men=(men[0], men[1]))


def _after_place(position: Position, action: Action) -> Position:
    men = list(position.men)
    men[position.to_act] |= 1 << action.squares[0]
    placed = changed(position, men=(men[0], men[1]))
    if placed.occupied.bit_count() < 2 * MEN:
        return _begin(placed, 1 - placed.to_act, "place")
    return _begin(placed, 0, "mark")


def _after_mark(position: Position, action: Action) -> Position:
    marked = changed(position, mark=action.squares[0], first_turn=True)
    return _begin(marked, 1 - marked.to_act, "play")


def _after_step(position: Position, action: Action) -> Position:
    if action.sign == ".":
        return _end_of_turn(position)
    start, to = action.squares
    moved = _moved(position, action, position.to_act)
    direction = next(d for d, ray in enumerate(RAYS[start]) if to in ray)
    others = tuple(pair for pair in position.stepped if pair[0] != start)
    cost = RAYS[start][direction].index(to) + 1
    stepped = tuple(sorted((*others, (to, direction % 4))))
    moved = changed(moved, stepped=stepped, budget=position.budget - cost)
    if not moved.own & ~moved.rendezvous:
        return _won(changed(moved, stepped=(), winner=moved.to_act))
    if next(_steps(moved)).sign == ".":
        return _end_of_turn(changed(moved, over="blocked" if moved.budget else "spent"))
    return moved


def _end_of_turn(position: Position) -> Position:
    return _begin(changed(position, first_turn=False), 1 - position.to_act, "play")


def _won(position: Position) -> Position:
    """The seat to act has all its men in: it takes a man off, if one is outside."""
    if position.adverse & ~position.rendezvous:
        return changed(position, phase="remove")
    return _disperse(position)


def _after_remove(position: Position, action: Action) -> Position:
    me, men, taken = position.to_act, list(position.men), list(position.taken)
    men[1 - me] ^= 1 << action.squares[0]
    taken[me] += 1
    # The turn goes on, and counts as the first of a new count when it ends.
    after = changed(position, men=(men[0], men[1]), taken=(taken[0], taken[1]), quiet=-1, seen=())
    if taken[me] == TO_WIN:
        return changed(after, ending="four-taken")
    return _disperse(after)


def _disperse(position: Position) -> Position:
    phase = changed(position, phase="disperse")
    return phase if phase.legal else _equalise(phase)


def _after_dispersal(position: Position, action: Action) -> Position:
    return _disperse(_moved(position, action, 1 - position.to_act))


def _equalise(position: Position) -> Position:
    """The seat with more men in the field moves its own to the border until numbers are equal."""
    white, black = ((men & FIELD).bit_count() for men in position.men)
    if white != black:
        more = int(black > white)
        asked = changed(position, phase="equalise", to_act=more, mark=None)
        if asked.legal:
            return _hand_to(position, more, "equalise")
    first = _first_to_muster(position)
    return _muster(changed(position, mark=None, marker=first), first)


def _after_equalising(position: Position, action: Action) -> Position:
    return _equalise(_moved(position, action, position.to_act))


def _first_to_muster(position: Position) -> int:
    """Who has fewer men on the board, or the loser of the rendezvous: the next marker."""
    white, black = (men.bit_count() for men in position.men)
    if white == black:
        return 1 - position.winner
    return int(black < white)


def _muster(position: Position, due: int) -> Position:
    """Own men to the border, alternately; who has none to move is passed over and asked again.

    Being passed over is no turn; when both are, the first one sets the mark.
    """
    for seat in (due, 1 - due):
        if changed(position, phase="muster", to_act=seat).legal:
            return _hand_to(position, seat, "muster")
    return _hand_to(position, position.marker, "mark")


def _after_mustering(position: Position, action: Action) -> Position:
    return _muster(_moved(position, action, position.to_act), 1 - position.to_act)


_AFTER = {
    "place": _after_place,
    "mark": _after_mark,
    "play": _after_step,
    "remove": _after_remove,
    "disperse": _after_dispersal,
    "equalise": _after_equalising,
    "muster": _after_mustering,
}


def _hand_to(position: Position, seat: int, phase: str) -> Position:
    """Lets a seat act in a phase: its turn goes on, or another one begins."""
    if seat == position.to_act:
        return changed(position, phase=phase)
    return _begin(position, seat, phase)


def _begin(position: Position, seat: int, phase: str, passed: tuple[Seat, ...] = ()) -> Position:
    """The next turn, the engine's passes played, or the end that comes instead."""
    begun = changed(
        position,
        phase=phase,
        to_act=seat,
        stepped=(),
        budget=FIRST_TURN if position.first_turn else position.men[seat].bit_count(),
        turn=position.turn + 1,
        quiet=position.quiet + 1,
        begun=False,
        passed=passed,
    )
    if begun.can_act:
        return asked(begun)
    if not changed(begun, to_act=1 - seat, budget=1).can_act:
        return changed(begun, ending="stuck")
    if 0 < begun.quiet_limit <= begun.quiet:
        return changed(begun, ending="quiet")
    after = changed(begun, first_turn=False)
    return _begin(after, 1 - seat, phase, (*passed, begun.seat))


def opening(repetition: bool, quiet_limit: int) -> Position:
    """The position before the first action, White to act."""
    return asked(Position(repetition, quiet_limit))


def asked(position: Position) -> Position:
    """A position in which a seat is asked: counted, or ended by repetition or the quiet limit."""
    key = (position.to_act, position.phase, position.men, position.mark, position.first_turn)
    if position.repetition and position.seen.count(key) == 2:
        return changed(position, ending="repetition")
    if 0 < position.quiet_limit <= position.quiet:
        return changed(position, ending="quiet")
    return changed(position, seen=(*position.seen, key)) if position.repetition else position


def outcome(position: Position) -> Outcome | None:
    """Winner and men taken once the match has ended."""
    if position.ending is None:
        return None
    scores = dict(zip(SEATS, position.taken, strict=True))
    winners = (position.seat,) if position.ending == "four-taken" else ()
    return Outcome(winners, position.ending, scores)
