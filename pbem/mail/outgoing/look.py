"""Look: how the HTML part of a mail shows what has a form of its own, to one reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pbem.mail.outgoing.taps import ReplyTo

BOARDS = ("html", "picture", "ascii")
"""How a board can be shown, the usual way first."""


class AnswersLeft(NamedTuple):
    """The answers left today to emails that change nothing."""

    left: int
    most: int


@dataclass(frozen=True)
class Look:
    """What a reader has chosen, and what they can tap."""

    board: str = BOARDS[0]
    reply: ReplyTo | None = None
    """Where an answer goes; None where there is nothing to be answered."""
    answers_left: AnswersLeft | None = None
    """How many more answers there are today, shown at the foot; None: not shown."""


USUAL = Look()
