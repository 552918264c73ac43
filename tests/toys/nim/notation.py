"""Nim's notation: `take 2`.

The API reads leniently. These functions get plain characters, without bullets and quotation marks.
"""

from __future__ import annotations

import re

from pbem.games.api import IllegalActionError, InvalidActionError, Seat
from pbem.games.words import phrase as common
from tests.toys.nim.rules import Heap, Take, legal_actions
from tests.toys.nim.words import phrase

TAKE = re.compile(r"take ([0-9])\.?", re.IGNORECASE)
MENTIONED = re.compile(r"\btake [0-9]\b", re.IGNORECASE)
SEAT_NAMES = {"first": phrase("seat.first"), "second": phrase("seat.second")}


def actions_in(line: str) -> tuple[str, ...] | None:
    """Return the action of a line that holds nothing else."""
    return (line,) if TAKE.fullmatch(line) else None


def words_in(line: str) -> tuple[str, ...]:
    """Return words in prose that look like actions."""
    return tuple(MENTIONED.findall(line))


def meant(position: Heap, text: str, seat: Seat) -> Take:
    """Return the action that a text means. Raises InvalidActionError or IllegalActionError."""
    take = TAKE.fullmatch(text)
    if not take:
        raise InvalidActionError(phrase("no-action"))
    if not position.left:
        raise IllegalActionError(common("match-over"))
    if seat != position.seat:
        asked, asking = SEAT_NAMES[position.seat], SEAT_NAMES[seat]
        raise IllegalActionError(common("not-your-turn", to_act=asked, seat=asking))
    action = Take(seat, int(take[1]))
    if action not in legal_actions(position):
        raise IllegalActionError(phrase("too-many"), ["take 1"])
    return action


def format_action(action: Take) -> str:
    """Return the canonical text."""
    return f"take {action.number}"
