"""Lanrick's notation: `a4`, `@d5`, `b1-b3`, `.`, `xe7`, `f6>f8`. In 1893 also `@d5/`, `ix`, `swap
b2 c3`, `a4~a7`, `a4~<a7`, `*e7` (rulebook, Lanrick). After the actions of an email, `...` says that
the turn continues.

Players may also write `h5->h7`, `h5 to h7` or `h5h7`. The position decides which kind of action
that is. If it can be two, the player is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.games.api import (
    ActionError,
    AmbiguousActionError,
    IllegalActionError,
    InvalidActionError,
    Seat,
)
from pbem.games.lanrick import position_1881, position_1893
from pbem.games.lanrick.actions import LAPS, LanrickAction
from pbem.games.lanrick.board import NAMES, RAYS, SEAT_NAMES, SQUARES, edge_way
from pbem.games.lanrick.words import phrase
from pbem.games.lenient_text import GOES, TAKES
from pbem.games.phrases import Phrase
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
"""Two squares without the kind of action, after `normal`."""
_SPOKEN = {"to": "->", **dict.fromkeys(("take", "takes", "capture", "captures"), "x")}


def actions_in(text: str) -> tuple[str, ...] | None:
    """Return the actions of a text that holds nothing else, None if it holds more."""
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
    """Remove needless spaces from an action, so that `* e7` is not read as a bullet."""
    return text if text[:4].casefold() == "swap" else _joined(text.split())


def _joined(words: Iterable[str]) -> str:
    """Join the words of an action without spaces. Spoken words become characters."""
    return "".join(_SPOKEN.get(word.casefold(), word) for word in words)


def words_in(line: str) -> tuple[str, ...]:
    """Return the words of a line of prose that look like actions."""
    return tuple(word[0] for word in _MENTIONED.finditer(line))


def meant(position: Position, text: str, seat: Seat) -> LanrickAction:
    """Return the action that a text means in a position.

    Raises InvalidActionError, IllegalActionError or AmbiguousActionError.
    """
    bare, legal = normal(text), position.legal
    if bare != "." and not _WHOLE.fullmatch(bare):
        raise InvalidActionError(phrase("no-action"))
    if position.ending is not None or seat != position.seat:
        raise not_asked(position, bare, seat)
    near = _with_squares(legal, bare)
    found = [action for action in near if bare in spellings(action)] or _of_any_kind(legal, bare)
    if not found:
        raise refusal(position, bare)
    if len(found) > 1:
        readings = [action.text for action in found]
        raise AmbiguousActionError(common("several-readings"), readings)
    return found[0]


def normal(text: str) -> str:
    """Return a text in the form used for comparison.

    It is in lower case, with no spaces except one between the squares of a choice.
    """
    words = text.casefold().split()
    if words[:1] == ["swap"]:
        return " ".join(["swap", *sorted(words[1:])])
    joined = _joined(words)
    return joined.removesuffix(".") if len(joined) > 1 else joined


def _with_squares(legal: Sequence[LanrickAction], bare: str) -> list[LanrickAction]:
    """Return the legal actions with the squares of a text. A choice may list them in any order."""
    squares = tuple(SQUARES[name] for name in _ONE.findall(bare))
    return [action for action in legal if action.squares == squares or action.sign == "swap"]


def spellings(action: LanrickAction) -> Iterable[str]:
    """Yield the texts that mean an action. A run also has texts with its direction."""
    yield action.text
    if action.sign == "~":
        start, to = (NAMES[square] for square in action.squares)
        yield f"{start}~{action.way}{to}"
        if action.way == edge_way(*action.squares):
            yield f"{start}-{to}"


def _of_any_kind(legal: Sequence[LanrickAction], bare: str) -> list[LanrickAction]:
    """Return the legal actions between two squares that are written without the kind.

    A hyphen means a step or a man's way to the border. It means a run only along one edge
    (`spellings`).
    """
    way = _UNTOLD.fullmatch(bare)
    if not way:
        return []
    squares = SQUARES[way[1]], SQUARES[way[3]]
    kinds = (">",) if way[2] == "-" else ("-", ">", "~")
    return [a for a in legal if a.squares == squares and a.sign in kinds]


_PATH = re.compile(r"([a-h][1-8])[-~>][<>]?([a-h][1-8])")


def paths(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the paths of a canonical action. Two squares with a sign between them are one path."""
    if way := _PATH.fullmatch(text):
        return ((way[1], way[2]),)
    return tuple((square,) for square in _ONE.findall(text))


def not_asked(position: Position, bare: str, seat: Seat) -> ActionError:
    """Return the error for a text of a seat that is not to act."""
    error = IllegalActionError(_not_asked(position, seat))
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
    """Return the error for a text of the seat to act, with the nearest legal actions."""
    legal = position.legal
    if bare == END:
        error = IllegalActionError(_no_end(legal))
        error.ends_nothing = True
        return error
    squares = [SQUARES[name] for name in _ONE.findall(bare)]
    step = squares if _ONE.match(bare) else ()
    near = [action for action in legal if action.squares[:1] == tuple(squares[:1])]
    near = near or [action for action in legal if set(squares).intersection(action.squares)]
    names = [action.text for action in (near or legal)[:MOST_CANDIDATES]]
    return IllegalActionError(_step_reason(position, step) or _reason(legal), names)


def _no_end(legal: Sequence[LanrickAction]) -> Phrase:
    if any(action.sign in ("-", "~") for action in legal):
        return phrase("no-end")
    return _reason(legal)


def _step_reason(position: Position, squares: Sequence[int]) -> Phrase | None:
    """Explain what is wrong with a step between two squares. None if there is no special reason."""
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
            return None  # runs are counted differently
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
