"""In-memory storage that fulfils the contract in the simplest way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from pbem.ports.process import Jobs, StorageUnavailable
from pbem.ports.storage import UnitOfWork
from tests.fakes.storage_competitions import FakeCompetitions
from tests.fakes.storage_data import Data
from tests.fakes.storage_erasures import FakeErasures
from tests.fakes.storage_imported import FakeImported
from tests.fakes.storage_mail import FakeInbound, FakeOutbox
from tests.fakes.storage_offers import FakeBlocks, FakeMutes, FakeOffers
from tests.fakes.storage_people import FakeAbsences, FakeLeaves, FakePlayers
from tests.fakes.storage_play import (
    FakeDeadlines,
    FakeDecisions,
    FakeDigests,
    FakeMatches,
    FakePauses,
    FakePlans,
    FakeServiceLog,
    FakeSnapshots,
    FakeWaitingNews,
)
from tests.fakes.storage_ratings import FakeRatings
from tests.fakes.storage_retention import FakeRetention
from tests.fakes.storage_room import (
    FakeAnnouncements,
    FakeNotes,
    FakeShownMatches,
    FakeStalePages,
    FakeWaitingNotes,
    FakeWatches,
)
from tests.fakes.storage_tallies import FakeTallies
from tests.fakes.storage_topics import FakeExposures, FakeInvitedMailboxes, FakeQuestions

PATIENCE = 30
"""Seconds to wait for other writers."""


def unit_of_work(data: Data, *, writing: bool) -> UnitOfWork:
    """Return repositories over one state of the data."""
    return UnitOfWork(
        players=FakePlayers(data, writing),
        absences=FakeAbsences(data, writing),
        leaves=FakeLeaves(data, writing),
        matches=FakeMatches(data, writing),
        competitions=FakeCompetitions(data, writing),
        offers=FakeOffers(data, writing),
        blocks=FakeBlocks(data, writing),
        mutes=FakeMutes(data, writing),
        invited=FakeInvitedMailboxes(data, writing),
        inbound=FakeInbound(data, writing),
        outbox=FakeOutbox(data, writing),
        questions=FakeQuestions(data, writing),
        exposures=FakeExposures(data, writing),
        erasures=FakeErasures(data, writing),
        retention=FakeRetention(data, writing),
        deadlines=FakeDeadlines(data, writing),
        decisions=FakeDecisions(data, writing),
        pauses=FakePauses(data, writing),
        plans=FakePlans(data, writing),
        digests=FakeDigests(data, writing),
        waiting_news=FakeWaitingNews(data, writing),
        snapshots=FakeSnapshots(data, writing),
        notes=FakeNotes(data, writing),
        waiting_notes=FakeWaitingNotes(data, writing),
        imported=FakeImported(data, writing),
        ratings=FakeRatings(data, writing),
        shown=FakeShownMatches(data, writing),
        stale=FakeStalePages(data, writing),
        watches=FakeWatches(data, writing),
        announcements=FakeAnnouncements(data, writing),
        service=FakeServiceLog(data, writing),
        tallies=FakeTallies(data, writing),
        jobs=Jobs(),
    )


class FakeStorage:
    """The port Storage. One writer at a time works on a copy that then replaces the data."""

    def __init__(self) -> None:
        self._data = Data()
        self._read = self._data, unit_of_work(self._data, writing=False)
        self._lock = Lock()
        self._wake: Callable[[str], None] = lambda job: None

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        if not self._lock.acquire(timeout=PATIENCE):
            raise StorageUnavailable("the fake storage is locked")
        try:
            data = self._data.copied()
            uow = unit_of_work(data, writing=True)
            yield uow
            self._data = data
        finally:
            self._lock.release()
        uow.jobs.tell(self._wake)

    def wake_by(self, wake: Callable[[str], None]) -> None:
        self._wake = wake

    @contextmanager
    def reading(self) -> Iterator[UnitOfWork]:
        of, uow = self._read
        if of is not self._data:
            of, uow = self._read = self._data, unit_of_work(self._data, writing=False)
        yield uow

    def wipe(self) -> bool:
        return True

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
