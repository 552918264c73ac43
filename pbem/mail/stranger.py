"""Stranger: a person of whom the club only knows an address."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stranger:
    """The sender of an email from an address that belongs to no player."""

    address: str

    @property
    def addresses(self) -> tuple[str, ...]:
        """The only address of the stranger."""
        return (self.address,)
