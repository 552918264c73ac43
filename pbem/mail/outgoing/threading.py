"""Threads: all the mails of a match to one player hang together in every client."""

from __future__ import annotations

from collections.abc import Sequence

MOST_REFERENCES = 10
"""Message-IDs in References; the first and the latest are those that clients need."""


def match_subject(club: str, match_id: int, title: str, players: Sequence[str]) -> str:
    """Subject of every mail of a match; it never changes and holds no secret."""
    return f"[{club} {match_id}] {title}: {', '.join(players)}"


def references(thread: Sequence[str], answered: str = "") -> tuple[str, ...]:
    """Message-IDs for References, the one that is answered last."""
    chain = [message_id for message_id in thread if message_id != answered]
    if len(chain) > MOST_REFERENCES - 1:
        chain = [chain[0], *chain[-(MOST_REFERENCES - 2) :]]
    return (*chain, answered) if answered else tuple(chain)
