"""The experience of a player."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class PlayerReport:
    """Counts and findings of one player, as reported at the end."""

    name: str
    received: Counter[str] = field(default_factory=Counter)
    """Number of emails by kind."""
    sent: Counter[str] = field(default_factory=Counter)
    """Number of emails by kind: moves, requests for the list, mistakes."""
    moves: list[tuple[int, str]] = field(default_factory=list)
    """Match and move, as confirmed by the club."""
    mistakes: dict[str, str] = field(default_factory=dict)
    """Mistakes made, each with its answer."""
    scores: dict[int, dict[str, int]] = field(default_factory=dict)
    """Everybody's score by match, from the email that announced its end."""
    table: dict[str, list[int | None]] = field(default_factory=dict)
    """Rows of the last cross-table."""
    table_text: str = ""
    turn_mail: str = ""
    """One of the turn emails, as shown."""
    problems: list[str] = field(default_factory=list)
    """Problems that the player noticed."""
