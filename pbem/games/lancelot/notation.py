"""Lancelot's notation: `K4`, `*G7`, `*A5`, `*A5+K4`, `K4+*A5` (rulebook, Lancelot)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, takewhile

from pbem.games.api import (
    AmbiguousActionError,
    IllegalActionError,
    InvalidActionError,
    Reading,
    Seat,
)
from pbem.games.lancelot.board import SEAT_NAMES, SIZE, name_of, square_of
from pbem.games.lancelot.position import Action, LancelotPosition, Placement, Resignation
from pbem.games.lancelot.rules import is_legal, legal_actions, play
from pbem.games.lancelot.words import phrase
from pbem.games.phrases import Phrase
from pbem.games.words import phrase as common

RESIGN = "resign"
MOST_CANDIDATES = 8
_SQUARE = r"[A-N]\s?\d{1,2}(?!\d)"
_KNIGHT, _SWORD = _SQUARE, rf"\*\s?{_SQUARE}"
_PLUS = r"\s*(?:\+\s*)?"
_FORCE = rf"{_SWORD}{_PLUS}{_KNIGHT}|{_KNIGHT}{_PLUS}{_SWORD}"
_ACTION = re.compile(rf"(?:{_FORCE}|{_SWORD}|{_KNIGHT})\.?(?=[\s;]|$)", re.IGNORECASE)
_HALF = re.compile(r"(\*?)\s?([A-N])\s?(\d{1,2})", re.IGNORECASE)


def joined(readings: Sequence[Reading]) -> Sequence[Reading]:
    """Join Excalibur alone on one line and a knight alone on the next into one action."""
    lines, half = list(readings), None
    for at, line in enumerate(lines):
        if half is not None and _are_halves(*lines[half].actions, *line.actions):
            both = " ".join((*lines[half].actions, *line.actions))
            lines[half], lines[at] = lines[half]._replace(actions=(both,)), Reading(line.line, True)
            half = None
        elif line.line.strip():
            half = at if len(line.actions) == 1 else None
    return lines


def _are_halves(*actions: str) -> bool:
    """Return whether the actions are one of Excalibur alone and one of a knight alone."""
    if len(actions) != 2 or not all(len(_HALF.findall(each)) == 1 for each in actions):
        return False
    return sum("*" in each for each in actions) == 1


def actions_in(text: str) -> tuple[str, ...] | None:
    """Return the actions of a text that holds nothing else, None if it holds more."""
    found, at = [], 0
    while at < len(text):
        match = _ACTION.match(text, at)
        if match:
            # Inside a line, the star of `* D5` is not a bullet.
            found.append(re.sub(r"\*\s+", "*", match[0]))
            at = match.end()
        elif text[at] in " ;":
            at += 1
        else:
            return None
    return tuple(found)


def words_in(line: str) -> tuple[str, ...]:
    """Return the words of a line of prose that look like actions."""
    words = re.finditer(
        r"(?<![\w*+])(?:\*[A-N]\d{1,2}\+[A-N]\d{1,2}|[A-N]\d{1,2}\+\*[A-N]\d{1,2}"
        r"|\*?[A-N]\d{1,2})(?![\w*+])",
        line,
        re.IGNORECASE,
    )
    return tuple(word[0] for word in words)


def format_action(action: Action) -> str:
    """Return the canonical text."""
    if isinstance(action, Resignation):
        return RESIGN
    knight = name_of(action.knight) if action.knight is not None else ""
    sword = f"*{name_of(action.sword)}" if action.sword is not None else ""
    first, second = (sword, knight) if action.sword_first else (knight, sword)
    return f"{first}+{second}" if first and second else first or second


def meant(position: LancelotPosition, written: str, seat: Seat) -> Action:
    """Return the action that a text means.

    Raises InvalidActionError, IllegalActionError or AmbiguousActionError.
    """
    if written.casefold() == RESIGN:
        return _resignation(position, seat)
    if not _ACTION.fullmatch(written):
        raise InvalidActionError(phrase("no-action"))
    action = _placement(written, seat)
    if position.ending is not None:
        raise IllegalActionError(common("match-over"))
    if position.seat != seat:
        asked, asking = SEAT_NAMES[position.seat], SEAT_NAMES[seat]
        raise IllegalActionError(common("not-your-turn", to_act=asked, seat=asking))
    if not is_legal(position, action):
        raise IllegalActionError(_reason(position, action), _near(position, action))
    if "+" not in written and action.knight is not None and action.sword is not None:
        knight = Placement(seat, action.knight)
        sword = Placement(seat, None, action.sword)
        first, second = (sword, knight) if action.sword_first else (knight, sword)
        if is_legal(position, first) and is_legal(play(position, first), second):
            two_ways = [format_action(action), format_action(first)]  # the others would pass
            raise AmbiguousActionError(phrase("one-turn-or-two"), two_ways)
    return action


def _resignation(position: LancelotPosition, seat: Seat) -> Resignation:
    if position.ending is not None:
        raise IllegalActionError(common("match-over"))
    if position.terms.seats.index(seat) in position.resigned:
        raise IllegalActionError(phrase("resigned", seat=SEAT_NAMES[seat]))
    return Resignation(seat)


def _placement(written: str, seat: Seat) -> Placement:
    halves: dict[bool, int] = {}
    for star, file, rank in _HALF.findall(written):
        square = square_of(file.upper() + rank)
        if square is None:
            raise InvalidActionError(phrase("no-square", square=file.upper() + rank))
        halves[bool(star)] = square
    sword_first = written.startswith("*") or True not in halves
    return Placement(seat, halves.get(False), halves.get(True), sword_first)


def _reason(position: LancelotPosition, action: Placement) -> Phrase:
    board, field = position.terms.board, position.field
    if position.sets_the_sword:
        return phrase("sword-first")
    if not {action.knight, action.sword} <= {None, *board.through}:
        return phrase("outside")
    if action.sword is not None:
        if not position.sword:
            return phrase("no-sword")
        if position.to_act in position.called:
            return phrase("called")
        if action.knight is None and not position.terms.sword_alone:
            return phrase("sword-alone")
        if action.knight is not None and not position.has_knights:
            return phrase("no-knights")
        return phrase("not-like-that")
    assert action.knight is not None, "one of the two is placed"
    if not position.has_knights:
        return phrase("no-knights")
    if field.taken >> action.knight & 1:
        return phrase("occupied")
    return phrase("too-far-ahead")


def _near(position: LancelotPosition, action: Placement) -> list[str]:
    """Return legal actions of the same kind, those nearest its square first, or else any."""
    alone = takewhile(_is_alone, legal_actions(position))
    kind = action.knight is None
    same = [each for each in alone if (each.knight is None) == kind]
    if _is_alone(action):
        meant = divmod(_square_of(action), SIZE)
        same.sort(key=lambda near: _steps(meant, divmod(_square_of(near), SIZE)))
    near = same[:MOST_CANDIDATES] or islice(legal_actions(position), MOST_CANDIDATES)
    return [format_action(each) for each in near]


def _is_alone(action: Placement) -> bool:
    """Return whether an action places or moves only one thing."""
    return action.knight is None or action.sword is None


def _square_of(action: Placement) -> int:
    """Return the square of an action that places or moves only one thing."""
    square = action.sword if action.knight is None else action.knight
    assert square is not None, "one of the two is placed"
    return square


def _steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


_ONE = re.compile(r"\b[A-N]\d{1,2}\b")


def paths(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the squares of a canonical action, each as its own path."""
    return tuple((square,) for square in _ONE.findall(text))
