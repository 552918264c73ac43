"""The texts of Lanrick positions by both rules, as FEN is one of chess."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.games.api import Seat
from pbem.games.lanrick import position_1881, position_1893
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import NAMES, SQUARES, mask_of, names
from pbem.games.lanrick.view import Position
from pbem.games.position_text import fields_of, joined, numbers, written

FORM_1881, FORM_1893 = "lanrick-1881 1", "lanrick-1893 1"
"""Another number, and texts of before are read no more."""
NONE = "-"


def write_1881(position: position_1881.Position) -> str:
    """Text of a position; what was agreed for the match is not in it."""
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


def read_1881(repetition: bool, quiet_limit: int, text: str) -> position_1881.Position:
    """The position of a text; raises ValueError or LookupError if it is none."""
    fields, seats = fields_of(FORM_1881, text), position_1881.SEATS
    white, black = numbers(fields["taken"])
    stepped = ((SQUARES[each[:2]], int(each[2:])) for each in fields["stepped"].split())
    return position_1881.Position(
        repetition,
        quiet_limit,
        **_read_shared(fields, seats),
        winner=seats.index(fields["winner"]),
        marker=seats.index(fields["marker"]),
        stepped=tuple(stepped),
        taken=(white, black),
        seen=tuple(map(_read_seen_1881, fields["seen"].split())),
    )


def write_1893(position: position_1893.Position) -> str:
    """Text of a position; what was agreed for the match is not in it."""
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


def read_1893(repetition: bool, quiet_limit: int, text: str) -> position_1893.Position:
    """The position of a text; raises ValueError or LookupError if it is none."""
    fields = fields_of(FORM_1893, text)
    return position_1893.Position(
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


def _action(action: Action) -> str:
    """Its parts; none of them has a comma in it."""
    squares = _names(action.squares)
    return f"{action.seat},{action.sign},{squares},{action.detail},{action.way}"


def _read_action(text: str) -> Action:
    seat, sign, squares, detail, way = text.split(",")
    return Action(seat, sign, _read_names(squares), detail, way)


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
