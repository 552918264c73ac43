"""Listening: until when all mail is recorded that our mail server hands over.

While we listen it hands over at once. What it could not hand over it tries again, the later the
longer it has waited; until it has had time to, nobody is judged to be late.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.ports.process import ClockWrong
from pbem.ports.storage import HANDED_OVER, LISTENS
from pbem.service.club import Club
from pbem.service.play.heartbeat import require_right_clock
from pbem.service.work import writing

BEAT_SECONDS = 15.0
HANDING_OVER = timedelta(minutes=1)
"""What the mail server has received before that it has handed over, unless we were away."""
LONGEST_SILENCE = timedelta(minutes=1)
"""Who has not beaten for longer was away: the machine slept, or the database was gone."""

SHORTEST_RETRY = timedelta(seconds=300)
LONGEST_RETRY = timedelta(seconds=4000)
"""Postfix tries a mail again after as long as it has waited, but not sooner and not later than this
(`minimal_backoff_time`, `maximal_backoff_time`),"""
QUEUE_RUN = timedelta(seconds=300)
"""and looks for what to try so often (`queue_run_delay`)."""


class Listening:
    """Notes that we listen, and who was away waits until the mail server has tried again."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._beat_at: datetime | None = None
        self._complete_at: datetime | None = None
        """From then on nothing waits for another try any more."""
        self._put_off = True
        self._unfit: ClockWrong | None = None

    def require_fit(self) -> None:
        """Raises ClockWrong where this machine would date mail wrongly."""
        if self._unfit is not None:
            raise self._unfit

    def put_off(self) -> None:
        """A mail was not taken: the mail server is to bring it again."""
        self._put_off = True

    def beat(self) -> None:
        """Notes until when all mail is recorded; raises StorageUnavailable."""
        self._look_at_the_clock()
        with writing(self._club) as work:
            now = work.now
            if self._was_away(now) or self._complete_at is None:
                self._put_off = False
                self._complete_at = now + _tried_again(work.service.last_poll((HANDED_OVER,)), now)
            self._beat_at = now
            work.service.polled(now, LISTENS)
            if now >= self._complete_at:
                work.service.polled(now - HANDING_OVER, HANDED_OVER)

    def _look_at_the_clock(self) -> None:
        try:
            require_right_clock(self._club, self._club.clock.now())
            self._unfit = None
        except ClockWrong as error:
            self._unfit = error
            raise

    def _was_away(self, now: datetime) -> bool:
        """Whether mail may wait; a clock that was put ahead or back looks the same."""
        last = self._beat_at
        return self._put_off or last is None or not last <= now <= last + LONGEST_SILENCE


def _tried_again(complete_until: datetime | None, now: datetime) -> timedelta:
    """After how long whatever came since a moment has been tried again; None: whenever it came."""
    waited = LONGEST_RETRY if complete_until is None else now - complete_until
    return min(max(waited, SHORTEST_RETRY), LONGEST_RETRY) + QUEUE_RUN + HANDING_OVER
