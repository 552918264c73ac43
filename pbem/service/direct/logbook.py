"""Logbook: the decisions of directors as people read them, by email and on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.matches.zones import minute
from pbem.ports.play import LoggedDecision
from pbem.service.direct.orders import with_names
from pbem.service.work import Work

MOST_SHOWN = 50
"""Decisions shown unless somebody asks for another number."""


class LogEntry(NamedTuple):
    """A logged decision with current names."""

    decision: LoggedDecision
    by: str
    """Name of the director, `shell` for the command line."""
    line: str

    def __str__(self) -> str:
        reason = " ".join(self.decision.reason.split())
        why = f"  {reason}" if reason else ""
        return f"{minute(self.decision.at)}  {self.by}  {self.line}{why}"


def log_entries(work: Work, match: int | None = None, most: int = MOST_SHOWN) -> Iterator[LogEntry]:
    """Yield decisions about a match, or all, newest first."""
    for each in work.decisions.newest(most, match):
        by = "shell" if each.by is None else work.players.get(each.by).name
        yield LogEntry(each, by, with_names(work, each.line))
