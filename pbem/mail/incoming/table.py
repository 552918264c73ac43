"""Refusals of mails, and what a mail proves."""

from __future__ import annotations

from typing import Any, NamedTuple

from pbem.games.phrases import ENGLISH


class Rejection(Exception):
    """A refusal that is mailed back; its name is that of its template."""

    def __init__(self, name: str, **data: Any) -> None:
        super().__init__(f"{name}: {ENGLISH.text(data.get('reason', ''))}".rstrip(": "))
        self.name = name
        self.data = data


class Proof(NamedTuple):
    """What the token or the signature of a mail proves beside who sent it."""

    turn: int
    """Turn in the token; without one, that of the match as it stands."""
    latest: bool
    """Whether it answers the newest mail sent to the player."""
    token: bool = True
    """Whether there is a token; else the signature alone is the proof."""
