"""In-memory storage: what the contract asks for, by the plainest means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from pbem.service.ports import (
    Absences,
    Blocks,
    Competitions,
    Deadlines,
    Decisions,
    Erasures,
    Exposures,
    Inbound,
    Jobs,
    Leaves,
    Matches,
    Notes,
    Offers,
    Outbox,
    Pauses,
    Players,
    Questions,
    Retention,
    ServiceLog,
    ShownMatches,
    Snapshots,
    StalePages,
    StorageUnavailable,
    Tallies,
    UnitOfWork,
    WaitingNotes,
    Wanted,
)
from tests.fakes.storage_competitions import FakeCompetitions
from tests.fakes.storage_data import Data
from tests.fakes.storage_erasures import FakeErasures
from tests.fakes.storage_mail import FakeInbound, FakeOutbox
from tests.fakes.storage_offers import FakeBlocks, FakeOffers
from tests.fakes.storage_people import FakeAbsences, FakeLeaves, FakePlayers
from tests.fakes.storage_play import (
    FakeDeadlines,
    FakeDecisions,
    FakeMatches,
    FakePauses,
    FakeServiceLog,
    FakeSnapshots,
)
from tests.fakes.storage_retention import FakeRetention
from tests.fakes.storage_room import (
    FakeNotes,
    FakeShownMatches,
    FakeStalePages,
    FakeWaitingNotes,
)
from tests.fakes.storage_tallies import FakeTallies
from tests.fakes.storage_topics import FakeExposures, FakeQuestions

PATIENCE = 30
"""Seconds to wait for the other writers."""


class FakeUnitOfWork:
    """Repositories over one state of the data."""

    players: Players
    absences: Absences
    leaves: Leaves
    matches: Matches
    competitions: Competitions
    offers: Offers
    blocks: Blocks
    inbound: Inbound
    outbox: Outbox
    questions: Questions
    exposures: Exposures
    erasures: Erasures
    retention: Retention
    deadlines: Deadlines
    decisions: Decisions
    pauses: Pauses
    snapshots: Snapshots
    notes: Notes
    waiting_notes: WaitingNotes
    shown: ShownMatches
    stale: StalePages
    service: ServiceLog
    tallies: Tallies
    jobs: Jobs

    def __init__(self, data: Data, *, writing: bool) -> None:
        self.players = FakePlayers(data, writing)
        self.absences = FakeAbsences(data, writing)
        self.leaves = FakeLeaves(data, writing)
        self.matches = FakeMatches(data, writing)
        self.competitions = FakeCompetitions(data, writing)
        self.offers = FakeOffers(data, writing)
        self.blocks = FakeBlocks(data, writing)
        self.inbound = FakeInbound(data, writing)
        self.outbox = FakeOutbox(data, writing)
        self.questions = FakeQuestions(data, writing)
        self.exposures = FakeExposures(data, writing)
        self.erasures = FakeErasures(data, writing)
        self.retention = FakeRetention(data, writing)
        self.deadlines = FakeDeadlines(data, writing)
        self.decisions = FakeDecisions(data, writing)
        self.pauses = FakePauses(data, writing)
        self.snapshots = FakeSnapshots(data, writing)
        self.notes = FakeNotes(data, writing)
        self.waiting_notes = FakeWaitingNotes(data, writing)
        self.shown = FakeShownMatches(data, writing)
        self.stale = FakeStalePages(data, writing)
        self.service = FakeServiceLog(data, writing)
        self.tallies = FakeTallies(data, writing)
        self.jobs = self.wanted = Wanted()


class FakeStorage:
    """The port Storage: one writer at a time, on a copy that takes the place of what was there."""

    def __init__(self) -> None:
        self._data = Data()
        self._lock = Lock()
        self._wake: Callable[[str], None] = lambda job: None

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        """Commits at the end of the block; an error leaves everything as it was."""
        if not self._lock.acquire(timeout=PATIENCE):
            raise StorageUnavailable("the fake storage is locked")
        try:
            data = self._data.copied()
            uow = FakeUnitOfWork(data, writing=True)
            yield uow
            self._data = data
        finally:
            self._lock.release()
        uow.wanted.tell(self._wake)

    def wake_by(self, wake: Callable[[str], None]) -> None:
        """Who hears of jobs that were enqueued, once that is committed."""
        self._wake = wake

    @contextmanager
    def reading(self) -> Iterator[UnitOfWork]:
        """Sees what was committed when it began."""
        yield FakeUnitOfWork(self._data, writing=False)

    def wipe(self) -> bool:
        """Has no files."""
        return True

    def close(self) -> None:
        """Has nothing to give back."""
