"""Absent: the directors hear of members who are absent for good, and of seats that nobody takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pbem.service.club import Club
from pbem.service.hands.untaken import long_offered, report_if_untaken
from pbem.service.members.absent import perhaps_absent, report_if_absent
from pbem.service.work import in_order, reading


def look_for_absent(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Returns how many reports there were."""
    with reading(club) as work:
        members, seats = perhaps_absent(work), long_offered(work)
    reported = 0
    for member in members:
        if stopping():
            break
        reported += in_order(club, partial(report_if_absent, member=member))
    for match, holder in seats:
        if stopping():
            break
        reported += in_order(club, partial(report_if_untaken, number=match, holder=holder))
    return reported
