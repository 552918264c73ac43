"""Lanrick's notation: `a4`, `@d5`, `b1-b3`, `.`, `xe7`, `f6>f8`; in 1893 also `@d5/`, `ix`,
`swap b2 c3`, `a4~a7`, `a4~<a7`, `*e7` (rulebook, Lanrick). After the actions of an
email, `...` says that the turn goes on.

A way may also be written `h5->h7`, `h5 to h7` or `h5h7`: what kind of action that is the position
tells, and where it can be two the player is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.games.api import ActionError, AmbiguousAction, IllegalAction, InvalidAction, Seat
from pbem.games.lanrick import position_1881, position_1893
from pbem.games.lanrick.actions import LAPS, LanrickAction
from pbem.games.lanrick.board import NAMES, RAYS, SEAT_NAMES, SQUARES, edge_way
from pbem.games.lanrick.words import phrase
from pbem.games.phrases import Phrase
from pbem.games.text import GOES, TAKES
from pbem.games.words import phrase as common

Position = position_1881.Position1881 | position_1893.Position1893

MOST_CANDIDATES = 8
END = "."
_SQUARE = r"[a-h][1-8]"
_WAY = rf"{_SQUARE}(?:\s*(?:-(?!>)|~\s*[<>]|[~>])\s*|{GOES}|){_SQUARE}"
_ACTION = re.compile(
    rf"""
    (?P<swap>swap(?:\s+{_SQUARE})+)
    | (?P<ix>ix)
    | (?P<move>{_WAY})
    | (?P<mark>@\s*{_SQUARE}(?:\s?[-|/\\](?!\s*[a-h]))?)
    | (?P<one>(?:[x*]|(?:{TAKES})(?=\s))?\s?{_SQUARE})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE = re.compile(rf"(?:{_ACTION.pattern})", re.VERBOSE | re.IGNORECASE)
_MENTIONED = re.compile(
    rf"(?<![\w@~>-])(?:{_WAY}|(?:[@x*]|(?:{TAKES})\s)?{_SQUARE})(?![\w-])", re.IGNORECASE
)
_ONE = re.compile(_SQUARE)
_UNTOLD = re.compile(rf"({_SQUARE})(-|(?:[-=]{{1,2}})?>|)({_SQUARE})")
"""A way that does not tell its kind, as `normal` leaves it."""
_SPOKEN = {"to": "->", **dict.fromkeys(("take", "takes", "capture", "captures"), "x")}


def actions_in(text: str) -> tuple[str, ...] | None:
    """Actions of a text that holds nothing else; None where it does."""
    found, at = [], 0
    while at < len(text):
        if text[at] in " ;":
            at += 1
        elif match := _ACTION.match(text, at):
            found.append(_compact(match[0]))
            at = match.end() + (text[match.end() : match.end() + 1] == ".")
            if at < len(text) and text[at] not in " ;":
                return None
        elif text[at] == "." and text[at + 1 : at + 2] in ("", " ", ";"):
            found.append(".")
            at += 1
        else:
            return None
    return tuple(found)


def _compact(text: str) -> str:
    """An action without the spaces that do not matter, so that `* e7` is no bullet any more."""
    return text if text[:4].casefold() == "swap" else _joined(text.split())


def _joined(words: Iterable[str]) -> str:
    """Words of an action without spaces, spoken ones as characters."""
    return "".join(_SPOKEN.get(word.casefold(), word) for word in words)


def words_in(line: str) -> tuple[str, ...]:
    """Words of a line of prose that look like actions."""
    return tuple(word[0] for word in _MENTIONED.finditer(line))


def meant(position: Position, text: str, seat: Seat) -> LanrickAction:
    """Action that a text means in a position.

    Raises InvalidAction, IllegalAction or AmbiguousAction.
    """
    bare, legal = normal(text), position.legal
    if bare != "." and not _WHOLE.fullmatch(bare):
        raise InvalidAction(phrase("no-action"))
    if position.ending is not None or seat != position.seat:
        raise not_asked(position, bare, seat)
    near = _with_squares(legal, bare)
    found = [action for action in near if bare in spellings(action)] or _of_any_kind(legal, bare)
    if not found:
        raise refusal(position, bare)
    if len(found) > 1:
        readings = [action.text for action in found]
        raise AmbiguousAction(common("several-readings"), readings)
    return found[0]


def normal(text: str) -> str:
    """A text as it is compared: lower case, one space between squares of a choice, none else."""
    words = text.casefold().split()
    if words[:1] == ["swap"]:
        return " ".join(["swap", *sorted(words[1:])])
    joined = _joined(words)
    return joined.removesuffix(".") if len(joined) > 1 else joined


def _with_squares(legal: Sequence[LanrickAction], bare: str) -> list[LanrickAction]:
    """Legal actions with the squares of a text; those of a choice may stand in another order."""
    squares = tuple(SQUARES[name] for name in _ONE.findall(bare))
    return [action for action in legal if action.squares == squares or action.sign == "swap"]


def spellings(action: LanrickAction) -> Iterable[str]:
    """Texts that mean an action: the canonical one, and for a run those of its direction."""
    yield action.text
    if action.sign == "~":
        start, to = (NAMES[square] for square in action.squares)
        yield f"{start}~{action.way}{to}"
        if action.way == edge_way(*action.squares):
            yield f"{start}-{to}"


def _of_any_kind(legal: Sequence[LanrickAction], bare: str) -> list[LanrickAction]:
    """Legal actions along a way that is written without the character of its kind.

    A hyphen is a step, or a man's way to the border; a run only along one edge (`spellings`).
    """
    way = _UNTOLD.fullmatch(bare)
    if not way:
        return []
    squares = SQUARES[way[1]], SQUARES[way[3]]
    kinds = (">",) if way[2] == "-" else ("-", ">", "~")
    return [a for a in legal if a.squares == squares and a.sign in kinds]


_PATH = re.compile(r"([a-h][1-8])[-~>][<>]?([a-h][1-8])")


def paths(text: str) -> tuple[tuple[str, ...], ...]:
    """Squares of a canonical action; two that are parted by a sign are a way."""
    if way := _PATH.fullmatch(text):
        return ((way[1], way[2]),)
    return tuple((square,) for square in _ONE.findall(text))


def not_asked(position: Position, bare: str, seat: Seat) -> ActionError:
    """Refusal of a text of a seat that is not to act."""
    error = IllegalAction(_not_asked(position, seat))
    error.ends_nothing = bare == END
    return error


def _not_asked(position: Position, seat: Seat) -> Phrase:
    if position.ending is not None:
        return common("match-over")
    to_act = SEAT_NAMES[position.seat]
    if position.last and position.last[0].seat == seat:
        why = TURN_OVER.get(position.over, phrase("over.ended"))
        return phrase("over.turn", why=why, to_act=to_act)
    return common("not-your-turn", to_act=to_act, seat=SEAT_NAMES[seat])


TURN_OVER = {
    "spent": phrase("over.spent"),
    "blocked": phrase("over.blocked"),
}


def refusal(position: Position, bare: str) -> ActionError:
    """Refusal of a text of the seat to act, with the nearest legal ones."""
    legal = position.legal
    if bare == END:
        error = IllegalAction(_no_end(legal))
        error.ends_nothing = True
        return error
    squares = [SQUARES[name] for name in _ONE.findall(bare)]
    step = squares if _ONE.match(bare) else ()
    near = [action for action in legal if action.squares[:1] == tuple(squares[:1])]
    near = near or [action for action in legal if set(squares).intersection(action.squares)]
    names = [action.text for action in (near or legal)[:MOST_CANDIDATES]]
    return IllegalAction(_step_reason(position, step) or _reason(legal), names)


def _no_end(legal: Sequence[LanrickAction]) -> Phrase:
    if any(action.sign in ("-", "~") for action in legal):
        return phrase("no-end")
    return _reason(legal)


def _step_reason(position: Position, squares: Sequence[int]) -> Phrase | None:
    """What is wrong with a step from one square to another; None where it is not told."""
    if position.phase != "play" or len(squares) != 2:
        return None
    start, to = squares
    if not position.own >> start & 1:
        return phrase("step.no-man", square=NAMES[start])
    if position.occupied >> to & 1:
        return phrase("step.occupied", square=NAMES[to])
    if isinstance(position, position_1893.Position1893):
        if position.stepped >> start & 1:
            return phrase("step.again", square=NAMES[start])
        if position.open and start in LAPS and to in LAPS:
            return None  # a run has a count of its own
    squares_on = next((ray.index(to) + 1 for ray in RAYS[start] if to in ray), 0)
    if squares_on > position.budget:
        return phrase("step.too-far", count=squares_on, left=position.budget)
    return None


def _reason(legal: Sequence[LanrickAction]) -> Phrase:
    kinds = {action.sign for action in legal}
    return next(words for sign, words in ASKED.items() if sign in kinds)


ASKED = {
    "": phrase("now.place"),
    "@": phrase("now.mark"),
    "x": phrase("now.remove"),
    ">": phrase("now.disperse"),
    "*": phrase("now.replace"),
    "swap": phrase("now.choose"),
    "-": phrase("now.step"),
    "~": phrase("now.step"),
    "ix": phrase("now.interchange"),
    ".": phrase("now.end"),
}
