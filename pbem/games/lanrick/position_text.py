"""Texts of Lanrick positions under both sets of rules, and whether a match can reach them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.games.api import Seat
from pbem.games.lanrick import position_1881, position_1893
from pbem.games.lanrick.actions import LanrickAction
from pbem.games.lanrick.board import BORDER, FIELD, NAMES, SQUARES, mask_of, names
from pbem.games.lanrick.position_1893 import LINES, rendezvous_of
from pbem.games.lanrick.rules_1881 import MEN, TO_WIN, squares_allowed as allowed_1881
from pbem.games.lanrick.rules_1893 import squares_allowed as allowed_1893
from pbem.games.lanrick.view import Position
from pbem.games.position_text import fields_of, joined, numbers, require, require_number, written

FORM_1881, FORM_1893 = "lanrick-1881 1", "lanrick-1893 1"
"""With a new number, older texts are no longer read."""
NONE = "-"


def write_1881(position: position_1881.Position1881) -> str:
    """Return the text of a position, without the agreed terms."""
    seats = position_1881.SEATS
    return written(
        FORM_1881,
        {
            **_shared(position, seats),
            "winner": seats[position.winner],
            "marker": seats[position.marker],
            "stepped": joined(f"{NAMES[man]}{line}" for man, line in position.stepped),
            "taken": joined(position.taken),
            "seen": joined(map(_seen_1881, position.seen)),
        },
    )


def read_1881(repetition: bool, quiet_limit: int, text: str) -> position_1881.Position1881:
    """Return the position of a text. Raises ValueError or LookupError if it is not one."""
    fields, seats = fields_of(FORM_1881, text), position_1881.SEATS
    white, black = numbers(fields["taken"])
    stepped = ((SQUARES[each[:2]], int(each[2:])) for each in fields["stepped"].split())
    return position_1881.Position1881(
        repetition,
        quiet_limit,
        **_read_shared(fields, seats),
        winner=seats.index(fields["winner"]),
        marker=seats.index(fields["marker"]),
        stepped=tuple(stepped),
        taken=(white, black),
        seen=tuple(map(_read_seen_1881, fields["seen"].split())),
    )


def write_1893(position: position_1893.Position1893) -> str:
    """Return the text of a position, without the agreed terms."""
    return written(
        FORM_1893,
        {
            **_shared(position, position_1893.SEATS),
            "line": position.line,
            "rendezvous": _squares(position.rendezvous),
            "open": _flag(position.open),
            "may-claim": _flag(position.may_claim),
            "stepped": _squares(position.stepped),
            "seen": joined(map(_seen_1893, position.seen)),
        },
    )


def read_1893(repetition: bool, quiet_limit: int, text: str) -> position_1893.Position1893:
    """Return the position of a text. Raises ValueError or LookupError if it is not one."""
    fields = fields_of(FORM_1893, text)
    return position_1893.Position1893(
        repetition,
        quiet_limit,
        **_read_shared(fields, position_1893.SEATS),
        line=fields["line"],
        rendezvous=_mask(fields["rendezvous"]),
        open=_is(fields["open"]),
        may_claim=_is(fields["may-claim"]),
        stepped=_mask(fields["stepped"]),
        seen=tuple(map(_read_seen_1893, fields["seen"].split())),
    )


def _shared(position: Position, seats: Sequence[Seat]) -> dict[str, object]:
    return {
        "men": joined(map(_squares, position.men)),
        "phase": position.phase,
        "to-act": seats[position.to_act],
        "mark": _mark(position.mark),
        "first-turn": _flag(position.first_turn),
        "budget": position.budget,
        "turn": position.turn,
        "quiet": position.quiet,
        "passed": joined(position.passed),
        "last": joined(map(_action, position.last)),
        "begun": _flag(position.begun),
        "over": position.over,
        "ending": position.ending or NONE,
    }


def _read_shared(fields: Mapping[str, str], seats: Sequence[Seat]) -> dict[str, Any]:
    first, second = map(_mask, fields["men"].split())
    return {
        "men": (first, second),
        "phase": fields["phase"],
        "to_act": seats.index(fields["to-act"]),
        "mark": _read_mark(fields["mark"]),
        "first_turn": _is(fields["first-turn"]),
        "budget": int(fields["budget"]),
        "turn": int(fields["turn"]),
        "quiet": int(fields["quiet"]),
        "passed": tuple(fields["passed"].split()),
        "last": tuple(map(_read_action, fields["last"].split())),
        "begun": _is(fields["begun"]),
        "over": fields["over"],
        "ending": None if fields["ending"] == NONE else fields["ending"],
    }


def _seen_1881(seen: Any) -> str:
    to_act, phase, men, mark, first_turn = seen
    return ",".join([str(to_act), phase, *map(_squares, men), _mark(mark), _flag(first_turn)])


def _read_seen_1881(text: str) -> tuple[object, ...]:
    to_act, phase, white, black, mark, first_turn = text.split(",")
    men = _mask(white), _mask(black)
    return int(to_act), phase, men, _read_mark(mark), _is(first_turn)


def _seen_1893(seen: Any) -> str:
    to_act, phase, men, mark, rendezvous, *flags = seen
    squares = map(_squares, (*men, rendezvous))
    return ",".join([str(to_act), phase, *squares, _mark(mark), *map(_flag, flags)])


def _read_seen_1893(text: str) -> tuple[object, ...]:
    to_act, phase, yellow, black, rendezvous, mark, *flags = text.split(",")
    men = _mask(yellow), _mask(black)
    return int(to_act), phase, men, _read_mark(mark), _mask(rendezvous), *map(_is, flags)


def _action(action: LanrickAction) -> str:
    """Return the parts of an action, none of which contains a comma."""
    squares = _names(action.squares)
    return f"{action.seat},{action.sign},{squares},{action.detail},{action.way}"


def _read_action(text: str) -> LanrickAction:
    seat, sign, squares, detail, way = text.split(",")
    return LanrickAction(seat, sign, _read_names(squares), detail, way)


def _mark(square: int | None) -> str:
    return NONE if square is None else NAMES[square]


def _read_mark(text: str) -> int | None:
    return None if text == NONE else SQUARES[text]


def _squares(mask: int) -> str:
    return "".join(names(mask)) or NONE


def _mask(text: str) -> int:
    return 0 if text == NONE else mask_of(_read_names(text))


def _names(squares: Iterable[int]) -> str:
    return "".join(NAMES[square] for square in squares)


def _read_names(text: str) -> tuple[int, ...]:
    return tuple(SQUARES[text[i : i + 2]] for i in range(0, len(text), 2))


def _flag(flag: bool) -> str:
    return "yes" if flag else "no"


def _is(text: str) -> bool:
    return text == "yes"


PHASES_1881 = ("place", "mark", "play", "remove", "disperse", "equalise", "muster")
PHASES_1893 = ("mark", "play", "interchange", "replace")
UNMARKED = ("place", "mark", "muster")
"""Phases of 1881 without a mark on the board."""
ENDLESS = (None, "stuck", "repetition", "quiet")
_SQUARES = {"": 1, "@": 1, "-": 2, "~": 2, ".": 0, "x": 1, ">": 2, "*": 1, "ix": 0}
"""Number of squares that an action names, by its sign."""


def require_possible_1881(position: position_1881.Position1881) -> None:
    """Raise ImpossiblePosition unless a match under the rules of 1881 can reach the position."""
    _require_shared(position, position_1881.SEATS, PHASES_1881, "four-taken", 5)
    placing, marked = position.phase == "place", position.mark is not None
    require(marked != (position.phase in UNMARKED), "the mark and the phase do not agree")
    require(position.mark is None or FIELD >> position.mark & 1, "the mark is not in the field")
    for seat, men in enumerate(position.men):
        require_number("taken", position.taken[seat], 0, TO_WIN)
        left = MEN - position.taken[1 - seat]
        count = men.bit_count()
        require(count == left or (placing and count < left), f"{count} men, instead of {left}")
    won = position.taken[position.to_act] == TO_WIN
    require(won == (position.ending == "four-taken"), "taken and the ending do not agree")
    require(TO_WIN not in position.taken or won, "taken and the ending do not agree")
    if placing:
        _require_placing(position)
    if position.phase in ("remove", "disperse"):
        inside = not position.own & ~position.rendezvous
        require(inside and position.winner == position.to_act, "the rendezvous is not won")
    if position.phase == "equalise":
        more = (position.own & FIELD).bit_count() > (position.adverse & FIELD).bit_count()
        require(more, "the seat to act has no more men in the field than the other")
    stepped = [man for man, _ in position.stepped]
    require(stepped == sorted(set(stepped)), "a man is named twice in stepped, or out of order")
    require(all(0 <= line < 4 for _, line in position.stepped), "there are four lines, 0 to 3")
    mask = sum(1 << man for man in stepped)
    _require_turn(position, mask, position.rendezvous, allowed_1881(position))
    _require_seen(position.repetition, position.seen, PHASES_1881, 5)


def _require_placing(position: position_1881.Position1881) -> None:
    white, black = (men.bit_count() for men in position.men)
    require(white - black == position.to_act, "men are placed by turns")
    require(black < MEN, "all men are placed")
    require(not position.occupied & ~BORDER, "men are placed on the border")


def require_possible_1893(position: position_1893.Position1893) -> None:
    """Raise ImpossiblePosition unless a match under the rules of 1893 can reach the position."""
    _require_shared(position, position_1893.SEATS, PHASES_1893, "last-man", 5)
    own, adverse = position.own.bit_count(), position.adverse.bit_count()
    require_number("men", own + adverse, 3, 10)
    least = 1 if position.ending == "last-man" else 2
    require(own >= 2, "the seat to act has too few men")
    require(adverse >= least, "the other seat has too few men")
    last = position.ending != "last-man" or adverse == 1
    require(last, "the men and the ending do not agree")
    _require_rendezvous(position)
    fewer = position.phase not in ("mark", "interchange") or own <= adverse
    require(fewer, "the marker has no more men than the other")
    require(position.phase != "interchange" or own < adverse, "equal numbers change at once")
    if position.phase == "replace":
        full = not position.rendezvous & ~position.occupied
        require(position.all_in and not full, "there is no man to be replaced")
    first = position.phase == "play" and position.first_turn and own >= adverse
    require(not position.may_claim or first, "the interchange cannot be claimed")
    require(not position.stepped & ~position.own, "stepped names a square without an own man")
    _require_turn(position, position.stepped, position.rendezvous, allowed_1893(position))
    _require_seen(position.repetition, position.seen, PHASES_1893, 7)


def _require_rendezvous(position: position_1893.Position1893) -> None:
    men = position.occupied.bit_count()
    if position.mark is None:
        opens = position.phase == "mark" and men == 10 and not position.rendezvous
        require(opens and not position.open, "the mark and the phase do not agree")
        require(not position.line, "the line and the mark do not agree")
        return
    # A man leaves the board before the next mark is set, and before the match ends.
    sizes = {men} if position.phase == "mark" else {men - 1}
    if position.ending == "last-man":
        sizes = {men - 1, men}
    require(any(_is_rendezvous(position, size) for size in sizes), "that is not the rendezvous")


def _is_rendezvous(position: position_1893.Position1893, size: int) -> bool:
    mark, line = position.mark, position.line
    if mark is None or not 3 <= size <= 9 or position.open != (size % 2 == 0):
        return False
    if size == 3 and line not in LINES:
        return False
    if size > 3 and (line or not FIELD >> mark & 1):
        return False
    squares = rendezvous_of(mark, size, line)
    return squares.bit_count() == size and position.rendezvous == squares


def _require_shared(
    position: Position, seats: tuple[Seat, ...], phases: tuple[str, ...], won: str, most: int
) -> None:
    require(not position.men[0] & position.men[1], "two men are on one square")
    require(position.phase in phases, f"there is no phase {position.phase!r}")
    require_number("turn", position.turn, 1)
    require_number("quiet", position.quiet, -1)
    require_number("budget", position.budget, 0, most)
    require(set(position.passed) <= set(seats), "passed names a seat that does not play")
    require(position.over in ("", "spent", "blocked"), f"over cannot be {position.over!r}")
    ending = position.ending
    require(ending in (*ENDLESS, won), f"a match cannot end by {ending}")
    quiet = ending is None and 0 < position.quiet_limit <= position.quiet
    require(not quiet, "the match has ended: quiet")
    _require_actions(position.last, seats)
    require(position.last or not position.begun, "the last actions are missing")


def _require_actions(actions: Iterable[LanrickAction], seats: tuple[Seat, ...]) -> None:
    for each in actions:
        known = each.sign == "swap" or each.sign in _SQUARES
        require(known and each.seat in seats, "there is no such last action")
        count = len(each.squares)
        require(count == _SQUARES.get(each.sign, count), "a last action names other squares")
        fits = each.detail in ("", "<", ">", *LINES) and each.way in ("", "<", ">")
        require(fits, "a last action goes no such way")


def _require_turn(position: Position, stepped: int, rendezvous: int, allowed: int) -> None:
    """Raise ImpossiblePosition unless the squares left fit the steps of an open turn."""
    if position.phase != "play":
        return
    require(not stepped & ~position.own, "stepped names a square without an own man")
    if position.ending is not None:
        return
    if not stepped:
        require(position.budget == allowed, f"budget is {allowed} before the first step")
        return
    require(position.begun, "a turn with a step has started")
    require_number("budget", position.budget, 1, allowed - 1)
    require(position.own & ~rendezvous, "all men are in: the turn has ended")


def _require_seen(
    repetition: bool, seen: tuple[object, ...], phases: tuple[str, ...], parts: int
) -> None:
    require(repetition or not seen, "repetitions do not count")
    for each, times in Counter(seen).items():
        fits = isinstance(each, tuple) and len(each) == parts
        require(fits and each[0] in (0, 1) and each[1] in phases, "no such position was seen")  # type: ignore[index]
        require(times <= 2, "a position was seen three times")
