"""Absent: report members who are absent for good, and seats that nobody takes."""

from __future__ import annotations

from collections.abc import Callable

from pbem.service.club import Club
from pbem.service.delivery.held_mail import is_held
from pbem.service.members.absent import perhaps_absent, report_if_absent
from pbem.service.takeovers.vacancies import long_offered, report_if_untaken
from pbem.service.work import reading, writing


def look_for_absent(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Send the reports that are due, none while email is held after a restore. Return how many."""
    if is_held(club):
        return 0
    with reading(club) as work:
        members, seats = perhaps_absent(work), long_offered(work)
    reported = 0
    for member in members:
        if stopping():
            break
        with writing(club) as work:
            reported += report_if_absent(work, member)
    for match, holder in seats:
        if stopping():
            break
        with writing(club) as work:
            reported += report_if_untaken(work, match, holder)
    return reported
