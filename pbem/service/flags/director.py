"""`flag=director`: the director decides. A late turn counts."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import MatchSummary
from pbem.service.flags import tell_late_player
from pbem.service.play.change import report_flag
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """Ask the directors, and tell the player that they can still move."""
    report_flag(work, match, due_at)
    tell_late_player(work, work.whole(match), due_at)
