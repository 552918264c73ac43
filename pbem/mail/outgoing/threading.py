"""Threads: what holds the mails of a match together, and tells them apart in a list of mails."""

from __future__ import annotations

import re
from collections.abc import Sequence


def match_subject(club: str, match_id: int, title: str, players: Sequence[str]) -> str:
    """Subject of every mail of a match; it never changes and holds no secret."""
    return f"[{club} {match_id}] {title}: {', '.join(players)}"


def offer_subject(club: str, number: int, title: str) -> str:
    """Subject of every mail of an offer; it must not be taken for that of a match."""
    return f"[{club} offer-{number}] {title}"


def references(thread: Sequence[str], answered: str = "") -> tuple[str, ...]:
    """Message-IDs for References: the thread's first mail, and the one that is answered, last.

    Every mail stands beside the others below the first one, or below what it answers: clients draw
    no staircase. A thread's first mail refers to nothing but what it answers.
    """
    return tuple(dict.fromkeys(each for each in (*thread[:1], answered) if each))


def from_name(club: str, wants: str = "") -> str:
    """Name in From: what a mail wants, which a narrow list of mails cuts off last, and the club."""
    if not wants:
        return club
    return f"{wants} {club}" if wants.endswith(("?", "!", ".")) else f"{wants}, {club}"


_NO_LABEL = re.compile(r"[^a-z0-9]+")


def match_list(club: str, match_id: int, address: str) -> str:
    """List-Id of all mails of a match, by which filters sort them (RFC 2919).

    Its name space is a domain below the club's host that no other club there has.
    """
    local, _, host = address.lower().rpartition("@")
    list_id = f"<match-{match_id}.{_NO_LABEL.sub('-', local).strip('-') or 'club'}.{host}>"
    name = f"{club} match {match_id}"
    return f'"{name}" {list_id}' if name.isascii() and not set(name) & set('"\\') else list_id
