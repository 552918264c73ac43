"""Absent: the directors hear of members who are absent for good."""

from __future__ import annotations

from collections.abc import Callable

from pbem.service.club import Club
from pbem.service.members.absent import perhaps_absent, report_if_absent
from pbem.service.work import reading, writing


def look_for_absent(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Returns how many were reported."""
    with reading(club) as work:
        members = perhaps_absent(work)
    reported = 0
    for member in members:
        if stopping():
            break
        with writing(club) as work:
            reported += report_if_absent(work, member)
    return reported
