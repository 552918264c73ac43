"""Why a text cannot be played in Lanrick, in a player's words, and what could be instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.games.api import ActionError, IllegalAction, Seat
from pbem.games.lanrick import rules_1881, rules_1893
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import NAMES, RAYS, SQUARES

Position = rules_1881.Position | rules_1893.Position

MOST_CANDIDATES = 8
_SQUARE = re.compile(r"[a-h][1-8]")
END = "."


def not_asked(position: Position, written: str, bare: str, seat: Seat) -> ActionError:
    """Refusal of a text of a seat that is not to act."""
    error = IllegalAction(written, _not_asked(position, seat))
    error.ends_nothing = bare == END
    return error


def _not_asked(position: Position, seat: Seat) -> str:
    if position.ending is not None:
        return "the match is over"
    if position.last and position.last[0].seat == seat:
        why = TURN_OVER.get(position.over, "your turn has ended")
        return f"{why}, and then it is {position.seat}'s turn"
    return f"it is {position.seat}'s turn, not {seat}'s"


TURN_OVER = {
    "spent": "your squares are spent",
    "blocked": "no step is left to you",
}


def refusal(position: Position, written: str, bare: str) -> ActionError:
    """Refusal of a text of the seat to act, with the nearest legal ones."""
    legal = position.legal
    if bare == END:
        error = IllegalAction(written, _no_end(legal))
        error.ends_nothing = True
        return error
    squares = [SQUARES[name] for name in _SQUARE.findall(bare)]
    step = squares if _SQUARE.match(bare) else ()
    near = [action for action in legal if action.squares[:1] == tuple(squares[:1])]
    near = near or [action for action in legal if set(squares).intersection(action.squares)]
    names = [action.text for action in (near or legal)[:MOST_CANDIDATES]]
    return IllegalAction(written, _step_reason(position, step) or _reason(legal), names)


def _no_end(legal: Sequence[Action]) -> str:
    if any(action.sign in ("-", "~") for action in legal):
        return "there is no turn to be ended yet; it needs a step"
    return _reason(legal)


def _step_reason(position: Position, squares: Sequence[int]) -> str:
    """What is wrong with a step from one square to another; empty where it is not told."""
    if position.phase != "play" or len(squares) != 2:
        return ""
    start, to = squares
    if not position.own >> start & 1:
        return f"no man of yours stands on {NAMES[start]}"
    if position.occupied >> to & 1:
        return f"a man stands on {NAMES[to]}"
    if isinstance(position, rules_1893.Position):
        if position.stepped >> start & 1:
            return f"the man on {NAMES[start]} has stepped in this turn already"
        if position.open and start in rules_1893.RING_AT and to in rules_1893.RING_AT:
            return ""  # a run has a count of its own
    squares_on = next((ray.index(to) + 1 for ray in RAYS[start] if to in ray), 0)
    if squares_on > position.budget:
        return f"that is {squares_on} squares, and you have {position.budget} left"
    return ""


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
