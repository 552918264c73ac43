"""The jobs of a running club: each one's name, when it runs, and what it does.

`pbem serve` runs them by its scheduler. On PostgreSQL workers take them from a queue. `pbem poll`,
`deliver` and `sweep` run some of them once. A new job is a row of `JOBS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pbem.inbox.pending import process_pending
from pbem.jobs.absent import look_for_absent
from pbem.jobs.erase import wipe_files
from pbem.jobs.play_bots import MOST_ANSWERS, play_bots
from pbem.jobs.prune import prune
from pbem.jobs.sweep import sweep
from pbem.ports.outbox import Transport
from pbem.ports.process import Every, Trigger
from pbem.service.clocks.schedule import freshen
from pbem.service.club import Club
from pbem.service.competitions.running import run_competitions
from pbem.service.delivery.claims import release_claims_of_the_dead
from pbem.service.delivery.deliver import deliver
from pbem.service.offers.matchmaking import pair_all
from pbem.service.play.missing_games import look_for_games
from pbem.service.rating import rate_again, rate_waiting
from pbem.service.reading_room.announce import announce
from pbem.service.reading_room.publish import publish_room
from pbem.service.records.publish import publish_all
from pbem.service.watching import email_watchers

Stopping = Callable[[], bool]


def _never() -> bool:
    return False


@dataclass
class JobContext:
    """Context that the jobs of one process share."""

    club: Club
    transport: Transport
    stopping: Stopping = _never
    """Returns whether the process should stop. Long jobs call it between steps."""
    yielding: Callable[[Stopping], Stopping] = lambda stopping: stopping
    """Makes `stopping` also yield the processor, for a job that computes for seconds."""
    run_soon: Callable[[str], None] = lambda name: None
    """Runs a job again, by its name."""
    process: Callable[[Club, Stopping], object] = process_pending
    """Processes the emails that wait, before a sweep judges any flag."""
    _done: set[object] = field(default_factory=set)

    def once(self, run: Callable[[Club], object]) -> None:
        """Do something the first time only. After an error it is tried again next time."""
        if run not in self._done:
            run(self.club)
            self._done.add(run)


@dataclass(frozen=True)
class ClubJob:
    """A row of the table of jobs."""

    name: str
    trigger: Trigger | None
    """Schedule of the job. None runs it as often as the mailbox is polled."""
    run: Callable[[JobContext], object]
    """Does the job. Returns how much was done, if it is counted."""


def _process(at: JobContext) -> int:
    return process_pending(at.club, at.stopping)


def _deliver(at: JobContext) -> int:
    at.once(release_claims_of_the_dead)
    return deliver(at.club, at.transport, at.stopping)


def _play_bots(at: JobContext) -> int:
    answered = play_bots(at.club, at.yielding(at.stopping))
    if answered >= MOST_ANSWERS:
        at.run_soon("bots")
    return answered


def _sweep(at: JobContext) -> int:
    at.once(look_for_games)
    at.once(freshen)
    return sweep(at.club, at.stopping, at.process)


def _publish(at: JobContext) -> object:
    at.once(rate_again)
    published = publish_all(at.club.storage, at.club.archive, at.club.clock)
    rate_waiting(at.club, at.stopping)
    return published


def _publish_pages(at: JobContext) -> None:
    """Publish pages apart from records, since all pages of a large club take an hour."""
    if at.club.room is not None:
        publish_room(at.club.storage, at.club.room, at.stopping)


JOBS = {
    job.name: job
    for job in (
        ClubJob("process", None, _process),
        # A commit runs these two at once. The interval is for commits made on the command line.
        ClubJob("deliver", Every(5), _deliver),
        ClubJob("bots", Every(5), _play_bots),
        ClubJob("sweep", Every(60), _sweep),
        # The end of a match in an announced competition runs it at once.
        ClubJob("competitions", Every(600), lambda at: run_competitions(at.club, at.stopping)),
        # A new search runs it at once. Later, those who wait put up with more.
        ClubJob("pair", Every(600), lambda at: pair_all(at.club, at.stopping)),
        ClubJob("absent", Every(3600), lambda at: look_for_absent(at.club, at.stopping)),
        # The record of an ended match is written at once and then rated, and so are its pages.
        ClubJob("publish", Every(60), _publish),
        ClubJob("pages", Every(60), _publish_pages),
        # Publishing pages runs it at once if somebody watches one of them.
        ClubJob("watch", Every(60), lambda at: email_watchers(at.club, at.stopping)),
        # The same for the webhook, whose events wait here while it fails.
        ClubJob("webhook", Every(60), lambda at: announce(at.club, at.stopping)),
        # Data that cannot be erased while somebody reads the database is tried again next time.
        ClubJob("erase", Every(60), lambda at: wipe_files(at.club)),
        ClubJob("prune", Every(3600), lambda at: prune(at.club, at.stopping)),
    )
}
"""The table, by name."""
