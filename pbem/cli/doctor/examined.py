"""What is examined: a club that could be opened, with its configuration."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.config import Config
from pbem.service.club import Club


@dataclass(frozen=True)
class Examined:
    """A club on the table."""

    config: Config
    club: Club

    @property
    def now(self) -> datetime:
        """As this machine has it."""
        return self.club.clock.now()
