"""Who works on the outbox."""

from __future__ import annotations

from typing import Protocol


class Workers(Protocol):
    """The processes that send the club's mail, each by a name that no other ever has."""

    def own_name(self) -> str:
        """Name of this process; empty if nobody could tell whether it is alive."""

    def is_dead(self, name: str) -> bool:
        """Whether a process has certainly ended; False for one of another machine."""


class Strangers:
    """Workers of whom nothing is known."""

    def own_name(self) -> str:
        """None."""
        return ""

    def is_dead(self, name: str) -> bool:
        """Nobody can tell."""
        return False
