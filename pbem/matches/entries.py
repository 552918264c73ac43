"""Entries: changes of a competition's players while it is played.

Players are named by their numbers, which are their places in the order of entry, from 1. A
substitute who takes over an entry keeps its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pbem.matches.match import PlayerId


@dataclass(frozen=True)
class Entries:
    """Late entries, withdrawals and byes, by the number of the player as text."""

    late: Mapping[str, int] = field(default_factory=dict)
    """First round of players who entered later."""
    withdrawn: Mapping[str, int] = field(default_factory=dict)
    """First round without a player."""
    byes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Rounds in which a player asked not to play."""

    @property
    def terms(self) -> dict[str, Any]:
        """Its values as JSON, without empty ones."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: dict(value) for name, value in values.items() if value}

    @classmethod
    def of(cls, terms: Mapping[str, Any]) -> Entries:
        """Return the entries from stored values."""
        return cls(**terms)

    def with_late(self, number: int, round_: int) -> Entries:
        """Return the entries after a player entered for a round and those that follow."""
        return replace(self, late={**self.late, str(number): round_})

    def with_withdrawal(self, number: int, round_: int) -> Entries:
        """Return the entries after a player withdrew from a round and those that follow."""
        first = min(round_, self.withdrawn.get(str(number), round_))
        return replace(self, withdrawn={**self.withdrawn, str(number): first})

    def with_bye(self, number: int, round_: int) -> Entries:
        """Return the entries after a player asked for a bye."""
        rounds = sorted({*self.byes.get(str(number), ()), round_})
        return replace(self, byes={**self.byes, str(number): rounds})

    def takes_part(self, number: int, round_: int) -> bool:
        """Return whether a player has entered for a round and has not withdrawn from it."""
        key = str(number)
        return self.late.get(key, 1) <= round_ < self.withdrawn.get(key, round_ + 1)

    def asked_bye(self, number: int, round_: int) -> bool:
        """Return whether a player asked not to play in a round."""
        return round_ in self.byes.get(str(number), ())

    def in_round(self, players: Sequence[PlayerId], round_: int) -> tuple[PlayerId, ...]:
        """Return the players who take part in a round."""
        return tuple(p for n, p in enumerate(players, 1) if self.takes_part(n, round_))

    def last_change(self) -> int:
        """Return the last round before which the players changed, 1 if they never did."""
        return max((1, *self.late.values(), *self.withdrawn.values()))
