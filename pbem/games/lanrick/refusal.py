"""Why a text cannot be played in Lanrick, in a player's words, and what could be instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.games.api import ActionError, IllegalAction, Seat
from pbem.games.lanrick import position_1881, position_1893
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import NAMES, RAYS, SQUARES
from pbem.games.lanrick.runs import LAPS
from pbem.games.lanrick.seats import SEAT_NAMES
from pbem.games.lanrick.words import phrase
from pbem.games.phrases import Phrase
from pbem.games.words import phrase as common

Position = position_1881.Position | position_1893.Position

MOST_CANDIDATES = 8
_SQUARE = re.compile(r"[a-h][1-8]")
END = "."


def not_asked(position: Position, written: str, bare: str, seat: Seat) -> ActionError:
    """Refusal of a text of a seat that is not to act."""
    error = IllegalAction(written, _not_asked(position, seat))
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


def _no_end(legal: Sequence[Action]) -> Phrase:
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
    if isinstance(position, position_1893.Position):
        if position.stepped >> start & 1:
            return phrase("step.again", square=NAMES[start])
        if position.open and start in LAPS and to in LAPS:
            return None  # a run has a count of its own
    squares_on = next((ray.index(to) + 1 for ray in RAYS[start] if to in ray), 0)
    if squares_on > position.budget:
        return phrase("step.too-far", count=squares_on, left=position.budget)
    return None


def _reason(legal: Sequence[Action]) -> Phrase:
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
