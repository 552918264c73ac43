"""`flag=play-on`: a late turn counts and nobody is asked. The record shows it."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """Do nothing more."""
    del work, match, due_at
