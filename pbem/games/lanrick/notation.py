"""Lanrick's notation: `a4`, `@d5`, `b1-b3`, `.`, `xe7`, `f6>f8`; in 1893 also `@d5/`, `ix`,
`swap b2 c3`, `a4~a7`, `a4~<a7`, `*e7` (rulebook, Lanrick)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.games.api import (
    ActionError,
    AmbiguousAction,
    IllegalAction,
    InvalidAction,
    Reading,
    Seat,
)
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import NAMES, SQUARES, edge_way
from pbem.games.text import plain, undressed, without_bullet

MOST_CANDIDATES = 8
_LONGEST_LINE = 500
_SQUARE = r"[a-h][1-8]"
_ACTION = re.compile(
    rf"""
    (?P<swap>swap(?:\s+{_SQUARE})+)
    | (?P<ix>ix)
    | (?P<move>{_SQUARE}\s*(?:-|~\s*[<>]|[~>])\s*{_SQUARE})
    | (?P<mark>@\s*{_SQUARE}(?:\s?[-|/\\](?!\s*[a-h]))?)
    | (?P<one>[x*]?\s?{_SQUARE})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE = re.compile(rf"(?:{_ACTION.pattern})", re.VERBOSE | re.IGNORECASE)
_MENTIONED = re.compile(
    rf"(?<![\w@~>-])[@x*]?{_SQUARE}(?:[-~>][<>]?{_SQUARE})?(?![\w-])", re.IGNORECASE
)
EXAMPLES = "a move looks like b1-b3, a mark like @d5"


def read(text: str) -> tuple[Reading, ...]:
    """Lines told apart into actions and prose."""
    return tuple(_read_line(line) for line in text.splitlines())


def _read_line(line: str) -> Reading:
    bare = undressed(line)
    actions = _actions(bare) if len(bare) <= _LONGEST_LINE else None
    return Reading(line, bool(actions), actions or ())


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
    """An action without the blanks that do not matter, so that `* e7` is no bullet any more."""
    return text if text[:4].casefold() == "swap" else "".join(text.split())


def mentioned(line: str) -> tuple[str, ...]:
    """Words of a line of prose that look like actions."""
    if len(line) > _LONGEST_LINE:
        return ()
    return tuple(word[0] for word in _MENTIONED.finditer(plain(line)))


def parse(legal: Sequence[Action], seat_to_act: Seat | None, text: str, seat: Seat) -> Action:
    """Action that a text means among the legal ones.

    Raises InvalidAction, IllegalAction or AmbiguousAction.
    """
    written = without_bullet(plain(text)).strip()
    bare = normal(written)
    if bare != "." and not _WHOLE.fullmatch(bare):
        raise InvalidAction(written, f"that is not an action; {EXAMPLES}")
    if seat_to_act is None:
        raise IllegalAction(written, "the match is over")
    if seat != seat_to_act:
        raise IllegalAction(written, f"it is {seat_to_act}'s turn, not {seat}'s")
    meant = [action for action in legal if bare in spellings(action)]
    if not meant:
        raise _refusal(legal, written, bare)
    if len(meant) > 1:
        raise AmbiguousAction(
            written, "that can be read in more than one way", [action.text for action in meant]
        )
    return meant[0]


def normal(text: str) -> str:
    """A text as it is compared: lower case, one blank between squares of a choice, none else."""
    words = text.casefold().split()
    if words[:1] == ["swap"]:
        return " ".join(["swap", *sorted(words[1:])])
    joined = "".join(words)
    return joined.removesuffix(".") if len(joined) > 1 else joined


def spellings(action: Action) -> Iterable[str]:
    """Texts that mean an action: the canonical one, and for a run those of its direction."""
    yield action.text
    if action.sign == "~":
        start, to = (NAMES[square] for square in action.squares)
        yield f"{start}~{action.way}{to}"
        if action.way == edge_way(*action.squares):
            yield f"{start}-{to}"


def _refusal(legal: Sequence[Action], written: str, bare: str) -> ActionError:
    if bare == "." and any(action.sign in ("-", "~") for action in legal):
        return IllegalAction(written, "there is no turn to be ended yet; it needs a step")
    squares = {SQUARES[name] for name in re.findall(_SQUARE, bare)}
    first = SQUARES.get(bare[:2])
    near = [action for action in legal if action.squares and action.squares[0] == first]
    near = near or [action for action in legal if squares.intersection(action.squares)]
    names = [action.text for action in (near or legal)[:MOST_CANDIDATES]]
    return IllegalAction(written, _reason(legal), names)


def _reason(legal: Sequence[Action]) -> str:
    kinds = {action.sign for action in legal}
    return next(words for sign, words in ASKED.items() if sign in kinds)


ASKED = {
    "": "now a man is to be placed on a vacant border square",
    "@": "now the mark is to be set, and not everywhere",
    "x": "now an adverse man outside the rendezvous is to be taken off",
    ">": "now men are to be moved to the border along a clear line",
    "*": "now an adverse man outside the rendezvous is to be replaced",
    "swap": "now the squares for the interchange are to be chosen",
    "-": "no man of yours can go like that now",
    "~": "no man of yours can go like that now",
    "ix": "nothing but the interchange is possible now",
    ".": "the turn can only be ended now",
}
