"""Stranger: somebody the club knows by nothing but an address."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stranger:
    """Who wrote from an address that no player has."""

    address: str

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where mail of theirs comes from."""
        return (self.address,)
