"""Proof: what a mail proves beside who sent it."""

from __future__ import annotations

from typing import NamedTuple

from pbem.mail.topic import Topic


class Proof(NamedTuple):
    """What the token or the signature of a mail proves beside who sent it."""

    topic: Topic
    """That of the token; without one, the match as it stands."""
    latest: bool
    """Whether it answers the newest mail about it that was sent to them."""
    token: bool = True
    """Whether there is a token; else the signature alone is the proof."""

    sent_to: str = ""
    """The address that was mailed the token, if it was not theirs by then, or is told apart."""

    @property
    def turn(self) -> int:
        """Turn that is answered."""
        return self.topic.turn
