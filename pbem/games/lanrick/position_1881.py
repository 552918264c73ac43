"""A Lanrick position under the rules of 1881 (rulebook, `lanrick-1881`), and its legal actions.

Phases: place, mark, play, remove, disperse, equalise, muster.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pbem.games.api import Seat
from pbem.games.lanrick.actions import LanrickAction, each_square, free_steps, steps_from
from pbem.games.lanrick.board import BORDER, FIELD, NEAR, RAYS, bits, mask_of
from pbem.games.values import once

SEATS: tuple[Seat, ...] = ("white", "black")


@dataclass(unsafe_hash=True)
class Position1881:
    """Everything the rules of 1881 need to continue. Only they may change it, while building it."""

    repetition: bool
    quiet_limit: int
    men: tuple[int, int] = (0, 0)
    """Masks of White's and Black's men."""
    phase: str = "place"
    to_act: int = 0
    """0 for White, 1 for Black."""
    mark: int | None = None
    winner: int = 0
    """Winner of the last rendezvous."""
    marker: int = 0
    """The seat that sets the next mark and musters first."""
    first_turn: bool = False
    """Whether it is the first turn of the rendezvous."""
    budget: int = 0
    """Squares that the seat to act may still move in this turn."""
    stepped: tuple[tuple[int, int], ...] = ()
    """Current square of each man that has stepped in this turn, and which of four lines it uses."""
    taken: tuple[int, int] = (0, 0)
    """Men taken by White and by Black."""
    turn: int = 1
    quiet: int = 0
    """Turns since a man was taken."""
    seen: tuple[object, ...] = ()
    """Positions at the starts of turns since a man was taken."""
    passed: tuple[Seat, ...] = ()
    last: tuple[LanrickAction, ...] = ()
    """Actions of the current turn, or of the previous one before its first action."""
    begun: bool = False
    """Whether this turn has had an action."""
    over: str = ""
    """Why the last steps ended automatically: `spent` squares, or every man `blocked`."""
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
        """Occupied squares."""
        return self.men[0] | self.men[1]

    @property
    def rendezvous(self) -> int:
        """Mask of the rendezvous, 0 if there is none."""
        return NEAR[self.mark] if self.mark is not None else 0

    @once
    def legal(self) -> tuple[LanrickAction, ...]:
        """Legal actions, a1 first."""
        return tuple(_LEGAL[self.phase](self)) if self.ending is None else ()

    @once
    def allowed(self) -> frozenset[LanrickAction]:
        """Legal actions as a set, for lookups."""
        return frozenset(self.legal)

    @property
    def can_act(self) -> bool:
        """Whether there is a legal action."""
        return bool(_LEGAL[self.phase](self))


_PLACES, _MARKS, _REMOVALS = (each_square(SEATS, sign) for sign in ("", "@", "x"))
_ENDS = [LanrickAction(seat, ".") for seat in SEATS]


def _places(position: Position1881) -> list[LanrickAction]:
    places = _PLACES[position.to_act]
    return [places[square] for square in bits(BORDER & ~position.occupied)]


def _marks(position: Position1881) -> list[LanrickAction]:
    """Return the marks allowed by rule 5.

    No own man may be in the rendezvous, and they must not all be able to enter in one turn.
    """
    free = [square for square in bits(FIELD) if not NEAR[square] & position.own]
    fair = [square for square in free if not _all_could_enter(position, NEAR[square])]
    marks = _MARKS[position.to_act]
    return [marks[square] for square in fair or free or bits(FIELD)]


def _all_could_enter(position: Position1881, rendezvous: int) -> bool:
    """Return whether the marker's men could all step one square into different vacant squares."""
    vacant = rendezvous & ~position.occupied
    choices = []
    for man in bits(position.own):
        if not NEAR[man] & vacant:
            return False
        choices.append(list(bits(NEAR[man] & vacant)))
    return _matched(choices, 0)


def _matched(choices: list[list[int]], used: int) -> bool:
    if not choices:
        return True
    first, *rest = choices
    return any(_matched(rest, used | 1 << s) for s in first if not used >> s & 1)


def _steps(position: Position1881) -> list[LanrickAction]:
    seat, occupied, lines = position.seat, position.occupied, dict(position.stepped)
    steps: list[LanrickAction] = []
    for man in bits(position.own):
        of_man = steps_from(seat, man)
        rays = of_man.lines[lines[man]] if man in lines else of_man.rays
        steps += free_steps(rays, occupied, position.budget)
    return [*steps, _ENDS[position.to_act]] if lines else steps


def _removals(position: Position1881) -> list[LanrickAction]:
    removals = _REMOVALS[position.to_act]
    return [removals[square] for square in bits(position.adverse & ~position.rendezvous)]


def _dispersals(position: Position1881) -> list[LanrickAction]:
    outside = position.adverse & FIELD & ~position.rendezvous
    return ways_to_the_border(position.seat, outside, position.occupied)


def _own_to_the_border(position: Position1881) -> list[LanrickAction]:
    return ways_to_the_border(position.seat, position.own & FIELD, position.occupied)


@cache
def _ways_from(seat: Seat, start: int) -> tuple[tuple[int, LanrickAction], ...]:
    """Return the masks and actions of the ways from a square to the border, sorted by end."""
    rays = sorted((ray for ray in RAYS[start] if ray), key=lambda ray: ray[-1])
    return tuple((mask_of(ray), LanrickAction(seat, ">", (start, ray[-1]))) for ray in rays)


def ways_to_the_border(seat: Seat, men: int, occupied: int) -> list[LanrickAction]:
    """Return the moves of men along lines of vacant squares to the border."""
    ways = (way for man in bits(men) for way in _ways_from(seat, man))
    return [action for squares, action in ways if not squares & occupied]


_LEGAL = {
    "place": _places,
    "mark": _marks,
    "play": _steps,
    "remove": _removals,
    "disperse": _dispersals,
    "equalise": _own_to_the_border,
    "muster": _own_to_the_border,
}
