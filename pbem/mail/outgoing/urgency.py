"""Urgency: which mails go first where not all can go at once."""

from __future__ import annotations

from enum import IntEnum


class Urgency(IntEnum):
    """How long a kind of mail may wait; what is less has a share of its own, and is never last."""

    PLAY = 0
    """Somebody waits for it, or their time runs: answers, turns, questions."""
    NOTICE = 1
    """What its reader should know."""
    ANNOUNCEMENT = 2
    """The same for many."""
    REPORT = 3
    """To the directors."""
