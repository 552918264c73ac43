"""Lanrick's notation: `a4`, `@d5`, `b1-b3`, `.`, `xe7`, `f6>f8`; in 1893 also `@d5/`, `ix`,
`swap b2 c3`, `a4~a7`, `a4~<a7`, `*e7` (rulebook, Lanrick). Behind the actions of a mail `...` says
that the turn goes on.

A way may also be written `h5->h7`, `h5 to h7` or `h5h7`: what kind of action that is the position
tells, and where it can be two the player is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.games.api import AmbiguousAction, InvalidAction, Reading, Seat
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import NAMES, SQUARES, edge_way
from pbem.games.lanrick.refusal import Position, not_asked, refusal
from pbem.games.lanrick.words import phrase
from pbem.games.text import GOES, TAKES, plain, undressed, without_bullet
from pbem.games.words import phrase as common

_LONGEST_LINE = 500
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
_GOES_ON = ("...", "…")
"""What says that a turn goes on after the mail; phones make one character of three dots."""
_ONE = re.compile(_SQUARE)
_UNTOLD = re.compile(rf"({_SQUARE})(-|(?:[-=]{{1,2}})?>|)({_SQUARE})")
"""A way that does not tell its kind, as `normal` leaves it."""
_SPOKEN = {"to": "->", **dict.fromkeys(("take", "takes", "capture", "captures"), "x")}


def read(text: str) -> tuple[Reading, ...]:
    """Lines told apart into actions and prose."""
    return tuple(_read_line(line) for line in text.splitlines())


def _read_line(line: str) -> Reading:
    bare = undressed(line)
    if len(bare) > _LONGEST_LINE:
        return Reading(line, False)
    goes_on = bare.endswith(_GOES_ON)
    actions = _actions(bare.rstrip(".…") if goes_on else bare)
    counts = actions is not None and bool(actions or goes_on)
    return Reading(line, counts, actions or (), counts and goes_on)


def _actions(text: str) -> tuple[str, ...] | None:
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


def mentioned(line: str) -> tuple[str, ...]:
    """Words of a line of prose that look like actions."""
    if len(line) > _LONGEST_LINE:
        return ()
    return tuple(word[0] for word in _MENTIONED.finditer(plain(line)))


def parse(position: Position, text: str, seat: Seat) -> Action:
    """Action that a text means in a position.

    Raises InvalidAction, IllegalAction or AmbiguousAction.
    """
    written = without_bullet(plain(text)).strip()
    bare, legal = normal(written), position.legal
    if bare != "." and not _WHOLE.fullmatch(bare):
        raise InvalidAction(written, phrase("no-action"))
    if position.ending is not None or seat != position.seat:
        raise not_asked(position, written, bare, seat)
    near = _with_squares(legal, bare)
    meant = [action for action in near if bare in spellings(action)] or _of_any_kind(legal, bare)
    if not meant:
        raise refusal(position, written, bare)
    if len(meant) > 1:
        readings = [action.text for action in meant]
        raise AmbiguousAction(written, common("several-readings"), readings)
    return meant[0]


def normal(text: str) -> str:
    """A text as it is compared: lower case, one space between squares of a choice, none else."""
    words = text.casefold().split()
    if words[:1] == ["swap"]:
        return " ".join(["swap", *sorted(words[1:])])
    joined = _joined(words)
    return joined.removesuffix(".") if len(joined) > 1 else joined


def _with_squares(legal: Sequence[Action], bare: str) -> list[Action]:
    """Legal actions with the squares of a text; those of a choice may stand in another order."""
    squares = tuple(SQUARES[name] for name in _ONE.findall(bare))
    return [action for action in legal if action.squares == squares or action.sign == "swap"]


def spellings(action: Action) -> Iterable[str]:
    """Texts that mean an action: the canonical one, and for a run those of its direction."""
    yield action.text
    if action.sign == "~":
        start, to = (NAMES[square] for square in action.squares)
        yield f"{start}~{action.way}{to}"
        if action.way == edge_way(*action.squares):
            yield f"{start}-{to}"


def _of_any_kind(legal: Sequence[Action], bare: str) -> list[Action]:
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
