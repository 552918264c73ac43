"""Announcement: how members enter a competition, the last day for that, and its progress.

A competition that a director announces has one. Those that started without one have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

from pbem.matches.match import PlayerId
from pbem.matches.off_time import read_span, write_span
from pbem.matches.reliability import NO_CONDITIONS, Conditions, read_conditions
from pbem.matches.zones import start_of

DAY = timedelta(days=1)
MOST_PLAYERS = 999
ZONE = "UTC"
"""The zone whose days count for entering and for the last day of a competition."""


class Phase(StrEnum):
    """How far an announced competition has come."""

    ENTRY = "entry"
    RUNNING = "running"
    ENDED = "ended"
    CALLED_OFF = "called-off"
    """Called off before it started."""
    STOPPED = "stopped"
    """Called off later. Matches in play continue."""


class Order(StrEnum):
    """What decides the numbers of the players."""

    ENTRY = "entry"
    LOTS = "lots"
    RATING = "rating"


UNSTARTED = (Phase.ENTRY, Phase.CALLED_OFF)
"""Phases without matches, pages or tables."""
OPEN = (Phase.ENTRY, Phase.RUNNING)
"""Phases that do not last."""


@dataclass(frozen=True)
class Announcement:
    """The terms of entry, and the state of an announced competition."""

    last_day: date
    """Last day of entry."""
    least: int
    """Fewest players. With fewer, it is called off."""
    most: int = 0
    """Most players, 0 without a limit."""
    order: Order = Order.ENTRY
    late: bool = True
    """Whether members can enter after the start, if the kind allows it."""
    repeat: timedelta | None = None
    """How long members can enter the next one, which is announced when this one is over."""
    conditions: Conditions = NO_CONDITIONS
    terms: Mapping[str, str] = field(default_factory=dict)
    """Terms of its kind as announced, by key. The next one gets the same."""
    follows: int = 0
    """Id of the competition that it repeats, 0 for none."""
    phase: Phase = Phase.ENTRY
    waiting: tuple[PlayerId, ...] = ()
    """Members on the waiting list, the first one first."""
    always: frozenset[PlayerId] = frozenset()
    """Members who enter each time it is repeated."""

    @property
    def closes_at(self) -> datetime:
        """When entry ends and the competition starts."""
        return start_of(self.last_day + DAY, ZONE)

    @property
    def started(self) -> bool:
        """Whether its first matches have started."""
        return self.phase not in UNSTARTED

    @property
    def stored(self) -> dict[str, Any]:
        """Its terms as JSON. Its phase and the members are stored with the competition."""
        values = {
            "last_day": self.last_day.isoformat(),
            "least": self.least,
            "most": self.most,
            "order": str(self.order),
            "late": self.late,
            "repeat": "" if self.repeat is None else write_span(self.repeat),
            "conditions": dict(self.conditions.written),
            "terms": dict(self.terms),
            "follows": self.follows,
        }
        return {key: value for key, value in values.items() if value or key == "late"}

    @classmethod
    def of(
        cls,
        stored: Mapping[str, Any],
        phase: Phase,
        waiting: tuple[PlayerId, ...] = (),
        always: frozenset[PlayerId] = frozenset(),
    ) -> Announcement:
        """Return an announcement from stored values."""
        own = dict(stored)
        own["last_day"] = date.fromisoformat(own["last_day"])
        own["order"] = Order(own.get("order", Order.ENTRY))
        own["repeat"] = read_span(own.get("repeat", ""))
        own["conditions"] = read_conditions(own.get("conditions", {}))
        return cls(**own, phase=phase, waiting=waiting, always=always)

    def succeeded(self, old: PlayerId, new: PlayerId) -> Announcement:
        """Return the announcement after a member took over a player's entry."""
        waiting = tuple(each for each in self.waiting if each != new)
        return replace(self, waiting=waiting, always=self.always - {old})

    def at(self, phase: Phase) -> Announcement:
        """Return the announcement in another phase."""
        return replace(self, phase=phase)
