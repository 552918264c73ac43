"""What a player has lived through."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class PlayerReport:
    """Counts and findings of one player, as they are reported at the end."""

    name: str
    received: Counter[str] = field(default_factory=Counter)
    """Mails by kind."""
    sent: Counter[str] = field(default_factory=Counter)
    """Mails by kind: moves, requests for the list, mistakes."""
    moves: list[tuple[int, str]] = field(default_factory=list)
    """Match and move, as the club confirmed them."""
    mistakes: dict[str, str] = field(default_factory=dict)
    """Mistakes made, each with what came back."""
    scores: dict[int, dict[str, int]] = field(default_factory=dict)
    """By match: everybody's score in the mail that announced its end."""
    table: dict[str, list[int | None]] = field(default_factory=dict)
    """Rows of the last cross-table."""
    table_text: str = ""
    turn_mail: str = ""
    """One of the turn mails, as it was shown."""
    problems: list[str] = field(default_factory=list)
    """What was not as it should be."""
