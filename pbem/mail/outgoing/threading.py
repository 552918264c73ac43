"""Threads: all the mails of a match to one player hang together in every client."""

from __future__ import annotations

from collections.abc import Sequence


def match_subject(club: str, match_id: int, title: str, players: Sequence[str]) -> str:
    """Subject of every mail of a match; it never changes and holds no secret."""
    return f"[{club} {match_id}] {title}: {', '.join(players)}"


def references(thread: Sequence[str], answered: str = "") -> tuple[str, ...]:
    """Message-IDs for References: the thread's first mail, and the one that is answered, last.

    Every mail stands beside the others below the first one, or below what it answers: clients draw
    no staircase. A thread's first mail refers to nothing but what it answers.
    """
    return tuple(dict.fromkeys(each for each in (*thread[:1], answered) if each))
