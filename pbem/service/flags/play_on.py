"""`flag=play-on`: a late turn counts, and nobody is asked anything; the record tells of it."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """Nothing more."""
    del work, match, due_at
