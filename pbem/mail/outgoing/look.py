"""Look: how the HTML part of a mail shows what has a form of its own, to one reader."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.mail.outgoing.taps import ReplyTo

BOARDS = ("html", "picture", "ascii")
"""How a board can be shown, the usual way first."""


@dataclass(frozen=True)
class Look:
    """What a reader has chosen, and what they can tap."""

    board: str = BOARDS[0]
    reply: ReplyTo | None = None
    """Where an answer goes; None where there is nothing to be answered."""


USUAL = Look()
