"""Rest: the nights of a player, in which no reminder comes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from pbem.matches.nights import Nights
from pbem.matches.quiet import NOTHING, Schedule

USUAL_NIGHTS = Nights.read("22-08")
"""Of who has not said when they sleep."""

SECOND, LONGEST = timedelta(seconds=1), timedelta(days=2)


@dataclass(frozen=True)
class Rest:
    """Nights by the clock on somebody's wall."""

    zone: str
    nights: Nights = USUAL_NIGHTS

    def instead_of(self, moment: datetime, flag_at: datetime) -> datetime:
        """When to remind instead of a moment of the night; any other moment stays.

        In the morning, or in the evening before where the flag has fallen by the morning. So two
        in one night come together.
        """
        morning = self._schedule.when(moment, NOTHING)
        if moment == morning or morning < flag_at:
            return morning
        return self._evening(moment)

    def _evening(self, moment: datetime) -> datetime:
        """When the night began that a moment is in."""
        since = moment.replace(microsecond=0) - LONGEST
        seconds = range(LONGEST // SECOND)
        asleep = bisect_left(
            seconds,
            True,
            key=lambda after: not self._schedule.counted(since + SECOND * after, moment),
        )
        return since + SECOND * asleep

    @cached_property
    def _schedule(self) -> Schedule:
        """In which the nights are what does not count."""
        return Schedule(self.zone, nights=self.nights)
