"""Lancelot's notation: `K4`, `*G7`, `*A5+K4`, `K4+*A5` (rulebook, Lancelot)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from pbem.games.api import IllegalAction, InvalidAction, Reading, Seat
from pbem.games.lancelot.board import SIZE, name_of, square_of
from pbem.games.lancelot.legal import is_legal, legal_actions
from pbem.games.lancelot.position import Action, Placement, Position, Resignation
from pbem.games.lancelot.seats import SEAT_NAMES
from pbem.games.lancelot.words import phrase
from pbem.games.phrases import Phrase
from pbem.games.text import plain, undressed, without_bullet
from pbem.games.words import phrase as common

RESIGN = "resign"
MOST_CANDIDATES = 8
_LONGEST_LINE = 500
_SQUARE = r"[A-N]\s?\d{1,2}(?!\d)"
_KNIGHT, _SWORD = _SQUARE, rf"\*\s?{_SQUARE}"
_PLUS = r"\s*(?:\+\s*)?"
_FORCE = rf"{_SWORD}{_PLUS}{_KNIGHT}|{_KNIGHT}{_PLUS}{_SWORD}"
_ACTION = re.compile(rf"(?:{_FORCE}|{_SWORD}|{_KNIGHT})\.?(?=[\s;]|$)", re.IGNORECASE)
_HALF = re.compile(r"(\*?)\s?([A-N])\s?(\d{1,2})", re.IGNORECASE)


def read(text: str) -> tuple[Reading, ...]:
    """Lines parted into actions and prose."""
    return tuple(_read_line(line) for line in text.splitlines())


def _read_line(line: str) -> Reading:
    bare = undressed(line)
    actions = _actions(bare) if len(bare) <= _LONGEST_LINE else ()
    return Reading(line, bool(actions), actions)


def _actions(text: str) -> tuple[str, ...]:
    """Actions of a text that holds nothing else; none where it does."""
    found, at = [], 0
    while at < len(text):
        match = _ACTION.match(text, at)
        if match:
            # `* D5` is no bullet inside a line.
            found.append(re.sub(r"\*\s+", "*", match[0]))
            at = match.end()
        elif text[at] in " ;":
            at += 1
        else:
            return ()
    return tuple(found)


def mentioned(line: str) -> tuple[str, ...]:
    """Words of a line of prose that look like actions."""
    if len(line) > _LONGEST_LINE:
        return ()
    words = re.finditer(
        r"(?<![\w*+])(?:\*[A-N]\d{1,2}\+[A-N]\d{1,2}|[A-N]\d{1,2}\+\*[A-N]\d{1,2}"
        r"|\*?[A-N]\d{1,2})(?![\w*+])",
        plain(line),
        re.IGNORECASE,
    )
    return tuple(word[0] for word in words)


def format_action(action: Action) -> str:
    """Canonical text."""
    if isinstance(action, Resignation):
        return RESIGN
    knight = name_of(action.knight) if action.knight is not None else ""
    sword = f"*{name_of(action.sword)}" if action.sword is not None else ""
    first, second = (sword, knight) if action.sword_first else (knight, sword)
    return f"{first}+{second}" if first and second else first or second


def parse(position: Position, text: str, seat: Seat) -> Action:
    """Action that a text means; raises InvalidAction or IllegalAction."""
    written = without_bullet(plain(text)).strip()
    if written.casefold() == RESIGN:
        return _resignation(position, written, seat)
    if not _ACTION.fullmatch(written):
        raise InvalidAction(written, phrase("no-action"))
    action = _placement(written, seat)
    if position.ending is not None:
        raise IllegalAction(written, common("match-over"))
    if position.seat != seat:
        asked, asking = SEAT_NAMES[position.seat], SEAT_NAMES[seat]
        raise IllegalAction(written, common("not-your-turn", to_act=asked, seat=asking))
    if not is_legal(position, action):
        raise IllegalAction(written, _reason(position, action), _near(position, action))
    return action


def _resignation(position: Position, written: str, seat: Seat) -> Resignation:
    if position.ending is not None:
        raise IllegalAction(written, common("match-over"))
    if position.terms.seats.index(seat) in position.resigned:
        raise IllegalAction(written, phrase("resigned", seat=SEAT_NAMES[seat]))
    return Resignation(seat)


def _placement(written: str, seat: Seat) -> Placement:
    halves: dict[bool, int] = {}
    for star, file, rank in _HALF.findall(written):
        square = square_of(file.upper() + rank)
        if square is None:
            raise InvalidAction(written, phrase("no-square", square=file.upper() + rank))
        halves[bool(star)] = square
    sword_first = written.startswith("*") or True not in halves
    return Placement(seat, halves.get(False), halves.get(True), sword_first)


def _reason(position: Position, action: Placement) -> Phrase:
    board, field = position.terms.board, position.field
    if position.sets_the_sword:
        return phrase("sword-first")
    if action.knight is None:
        return phrase("sword-alone")
    if action.knight not in board.through or action.sword not in {None, *board.through}:
        return phrase("outside")
    if action.sword is not None:
        if not position.sword:
            return phrase("no-sword")
        if position.to_act in position.called:
            return phrase("called")
        return phrase("not-like-that")
    if field.taken >> action.knight & 1:
        return phrase("occupied")
    return phrase("too-far-ahead")


def _near(position: Position, action: Placement) -> list[str]:
    """Legal actions: those next to the square meant first, if knights alone can be placed."""
    legal: Iterable[Placement] = position.plain
    if action.knight is not None and action.sword is None:
        meant = divmod(action.knight, SIZE)
        legal = sorted(legal, key=lambda near: _steps(meant, divmod(near.knight or 0, SIZE)))
    near = list(islice(legal, MOST_CANDIDATES)) or islice(legal_actions(position), MOST_CANDIDATES)
    return [format_action(each) for each in near]


def _steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


_ONE = re.compile(r"\b[A-N]\d{1,2}\b")


def paths(text: str) -> tuple[tuple[str, ...], ...]:
    """Squares of a canonical action, each by itself."""
    return tuple((square,) for square in _ONE.findall(text))
