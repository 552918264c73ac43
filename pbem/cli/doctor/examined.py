"""What is examined: a club that could be opened, with its configuration."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pbem.config import Config
from pbem.service.club import Club
from pbem.service.status import Status

LATELY = timedelta(minutes=10)
"""Whoever was heard of within that time is alive."""


@dataclass(frozen=True)
class Examined:
    """A club on the table."""

    config: Config
    club: Club
    status: Status
    """How it stands, as its database tells."""

    @property
    def is_served(self) -> bool:
        """Whether somebody saw to what is due of late."""
        beat = self.status.last_beat
        return beat is not None and self.status.now - beat < LATELY
