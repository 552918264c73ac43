"""Lanko's notation: `[7-B]`, `[9:C:E]`, `[E-(X)]`, `[8-B +++]`, `[S+++]` (rulebook, Lanko)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pbem.games.api import (
    ActionError,
    AmbiguousActionError,
    IllegalActionError,
    InvalidActionError,
    Reading,
    Seat,
)
from pbem.games.lanko.board import (
    ADVERSE,
    CASTLES,
    MIDDLE,
    PIECES,
    SEATS,
    VACANT,
    LankoBoard,
    Move,
)
from pbem.games.lanko.position import Action, Declaration, LankoPosition
from pbem.games.lanko.words import phrase
from pbem.games.lenient_text import GOES, TAKES
from pbem.games.phrases import Phrase
from pbem.games.words import phrase as common

PASS = "[---]"
MOST_CANDIDATES = 8

_LABEL = r"(?:\(\s*[XNESW]\s*\)|#?[A-Z]|\d{1,3})"
_CAPTURES = rf"(?:\s*[:X]\s*|\s+(?:{TAKES})\s+)"
_WAYS = rf"\s*-\s*{_LABEL}|(?:(?:{_CAPTURES}|{GOES}){_LABEL})+"
_MOVE = rf"{_LABEL}(?:{_WAYS})(?![\w#(])"
_DECLARES = r"\+\+\+"
_ACTION = re.compile(rf"{_MOVE}(?:\s*{_DECLARES})?|[NESW]?\s*{_DECLARES}", re.IGNORECASE)
_GAP = re.compile(r"\s*[.;]?\s*")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")


def joined(lines: Sequence[Reading]) -> Sequence[Reading]:
    """Join declarations to their moves. If lines have brackets, only those lines count."""
    if any("[" in line.line for line in lines if line.counts):
        lines = [line if "[" in line.line else Reading(line.line, False) for line in lines]
    return _with_declarations_joined(lines)


def actions_in(line: str) -> tuple[str, ...] | None:
    """Return the actions of a line. Raises InvalidActionError if brackets hold something else."""
    inside = _BRACKETS.findall(line)
    if inside and _actions(_BRACKETS.sub(" ", line)) is not None:
        return tuple(_bracketed(inside))
    return _actions(line)


def _bracketed(inside: Iterable[str]) -> Iterator[str]:
    for text in inside:
        actions = _actions(text)
        if not actions:
            raise InvalidActionError(phrase("bracket-no-move", text=text))
        yield from actions


def _actions(text: str) -> tuple[str, ...] | None:
    """Return the actions, possibly none, of a text that holds nothing else. Otherwise None."""
    found = []
    at = _skip(text, 0)
    while at < len(text):
        match = _ACTION.match(text, at)
        if not match:
            return None
        found.append(match[0])
        at = _skip(text, match.end())
    return tuple(found)


def _skip(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def _with_declarations_joined(lines: Iterable[Reading]) -> tuple[Reading, ...]:
    """Join a declaration to the move before it: `[8-B] [+++]` is one action, `8-B +++`."""
    joined: list[Reading] = []
    for reading in lines:
        actions = list(reading.actions)
        if actions and actions[0] == "+++":
            before = next((i for i in range(len(joined) - 1, -1, -1) if joined[i].actions), None)
            if before is not None and "+++" not in joined[before].actions[-1]:
                *others, last = joined[before].actions
                joined[before] = joined[before]._replace(actions=(*others, f"{last} +++"))
                del actions[0]
        joined.append(reading._replace(actions=tuple(_joined(actions))))
    return tuple(joined)


def _joined(actions: Iterable[str]) -> list[str]:
    joined: list[str] = []
    for action in actions:
        if action == "+++" and joined and "+++" not in joined[-1]:
            joined[-1] += " +++"
        else:
            joined.append(action)
    return joined


def words_in(line: str) -> tuple[str, ...]:
    """Return the words of a line of prose that look like actions."""
    words = re.finditer(rf"(?<![\w#:.-]){_MOVE}(?![-:>])", line, re.IGNORECASE)
    return tuple(word[0] for word in words if any(c in word[0] for c in "-:>") or _digit(word[0]))


def _digit(word: str) -> bool:
    """Return whether an `x` or a word between labels is likely to be a move, unlike "axe"."""
    return any(c.isdigit() for c in word)


def format_action(board: LankoBoard, action: Action) -> str:
    """Return the canonical text."""
    if isinstance(action, Declaration):
        return f"[{action.seat}+++]"
    start, *landings = (_printed(board.labels[square]) for square in action.path)
    capture = bool(action.taken)
    text = ":".join([start, *landings]) if capture else f"{start}-{landings[0]}"
    return f"[{text} +++]" if action.declares else f"[{text}]"


def _printed(label: str) -> str:
    return f"({label})" if label == MIDDLE else label


def meant(position: LankoPosition, text: str, seat: Seat) -> Action:
    """Return the action that a text means.

    Raises InvalidActionError, IllegalActionError or AmbiguousActionError.
    """
    bare = text.strip("[]. ").upper()
    if re.fullmatch(rf"[NESW]?\s*{_DECLARES}", bare):
        return _parse_declaration(position, bare, seat)
    match = re.fullmatch(rf"({_MOVE})(\s*{_DECLARES})?", bare, re.IGNORECASE)
    if not match:
        raise InvalidActionError(phrase("no-move"))
    move = _parse_move(position, match[1], seat)
    return move._replace(declares=True) if match[2] else move


def _parse_declaration(position: LankoPosition, bare: str, seat: Seat) -> Declaration:
    named = bare[0] if bare[0] in "NESW" else seat
    if position.ending is not None:
        raise IllegalActionError(common("match-over"))
    if named not in position.terms.seats_with(seat):
        raise IllegalActionError(phrase("another-seat", named=named, seat=seat))
    return Declaration(named)


def _parse_move(position: LankoPosition, bare: str, seat: Seat) -> Move:
    board = position.terms.board
    capture, squares = _capture(bare), _squares(board, bare)
    if position.ending is not None:
        raise IllegalActionError(common("match-over"))
    if position.seat != seat:
        raise IllegalActionError(common("not-your-turn", to_act=position.seat, seat=seat))
    readings = _readings(position.legal, capture, squares)
    if not readings:
        raise _refusal(position, capture, squares)
    if len(readings) > 1:
        names = [format_action(board, move) for move in readings]
        raise AmbiguousActionError(common("several-readings"), names)
    return readings[0]


_STEP = re.compile(rf"{_LABEL}\s*-\s*{_LABEL}")
_GOES = re.compile(rf"{_LABEL}(?:{GOES}{_LABEL})+", re.IGNORECASE)
_NEXT = re.compile(rf"({_LABEL})(?:{_CAPTURES}|{GOES}|\s*-\s*)?", re.IGNORECASE)


def _capture(bare: str) -> bool | None:
    """Return whether a move is written as a capture. None if it has an arrow or `to` instead."""
    return None if _GOES.fullmatch(bare) else not _STEP.fullmatch(bare)


def _squares(board: LankoBoard, bare: str) -> list[set[int]]:
    """Return the squares that each label of a move may mean."""
    return [_squares_of(board, "".join(label.split())) for label in _NEXT.findall(bare)]


def _squares_of(board: LankoBoard, label: str) -> set[int]:
    """Return the squares with a label. The parentheses of `(X)`, `(N)` … are optional."""
    inner = label.strip("()")
    wanted = {label, f"({inner})"} if label == inner else {label}
    if inner == MIDDLE:
        wanted = {MIDDLE}
    squares = {board.labelled[name] for name in wanted if name in board.labelled}
    if not squares:
        raise InvalidActionError(phrase("no-square", square=label))
    return squares


def _readings(legal: Iterable[Move], capture: bool | None, squares: list[set[int]]) -> list[Move]:
    """Return the legal moves that a text names. A full match beats a shortened one."""
    of_kind = [m for m in legal if m.path[0] in squares[0] and capture in (None, bool(m.taken))]
    exact = [move for move in of_kind if _exactly(move.path, squares)]
    return exact or [move for move in of_kind if _shortened(move.path, squares)]


def _exactly(path: tuple[int, ...], squares: list[set[int]]) -> bool:
    return len(path) == len(squares) and all(
        square in meant for square, meant in zip(path, squares, strict=True)
    )


def _shortened(path: tuple[int, ...], squares: list[set[int]]) -> bool:
    """Return whether the text is this path with landings left out. The start is always given."""
    landings = iter(path[1:])
    return all(any(landing in meant for landing in landings) for meant in squares[1:])


def _refusal(position: LankoPosition, capture: bool | None, squares: list[set[int]]) -> ActionError:
    board, starts, to = position.terms.board, squares[0], squares[-1]
    near = [m for m in position.legal if m.path[0] in starts] or [
        m for m in position.legal if m.path[-1] in to
    ]
    if bool(position.legal[0].taken) and not near:
        near = list(position.legal)
    names = [format_action(board, move) for move in near[:MOST_CANDIDATES]]
    return IllegalActionError(reason(position, starts, capture, to), names)


_WAY = re.compile(rf"\[({_LABEL}(?:[-:]{_LABEL})+)")


def paths(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the path of a canonical action. Empty for a declaration or a pass."""
    found = _WAY.match(text)
    return (tuple(re.split("[-:]", found[1])),) if found else ()


def _start(position: LankoPosition, squares: set[int]) -> int:
    """Return the likeliest start among the squares of a label: one with the player's own piece."""
    own, home = PIECES[position.seat], position.terms.board.home
    return min(squares, key=lambda square: (position.cells[square] not in own, square in home))


def reason(position: LankoPosition, starts: set[int], capture: bool | None, to: set[int]) -> Phrase:
    """Explain what is wrong with a move from one of these starts to one of these ends."""
    start = _start(position, starts)
    board, cells, seat = position.terms.board, position.cells, position.seat
    label, piece = board.labels[start], cells[start]
    if start in board.home and (piece != VACANT or position.middle):
        return phrase("at-home")
    if piece == VACANT:
        return phrase("vacant", square=label)
    if piece in ADVERSE[seat]:
        return phrase("adversary", square=label)
    if start not in board.zone[seat]:
        partner = next(s for s in SEATS if s != seat and PIECES[s] == PIECES[seat])
        return phrase("partner", square=label, partner=partner)
    if bool(position.legal[0].taken) and not capture:
        return phrase("must-capture")
    if not capture and all(cells[square] != VACANT for square in to):
        return phrase("occupied", square=board.labels[min(to)])
    return _cannot(piece, label, bool(capture))


def _cannot(piece: str, square: str, capture: bool) -> Phrase:
    if piece in CASTLES:
        if capture:
            return phrase("cannot.castle-capture", square=square)
        return phrase("cannot.castle-move", square=square)
    if capture:
        return phrase("cannot.pawn-capture", square=square)
    return phrase("cannot.pawn-move", square=square)
