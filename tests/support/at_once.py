"""Two workers of one club that act at the same moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from threading import Barrier, local

from pbem.inbox.process import process
from pbem.matches.offer import Offer
from pbem.ports.people import Offers
from pbem.ports.storage import Storage, UnitOfWork
from pbem.service.club import Club

PATIENCE = 20
"""Seconds that one worker waits for the other: far more than needed."""


class Meeting:
    """A storage whose writers begin their first transactions together."""

    def __init__(self, storage: Storage, writers: int) -> None:
        self.storage = storage
        self._barrier = Barrier(writers)
        self._met = local()

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        """Wait inside the first transaction of each thread until all are there."""
        with self.storage.writing() as uow:
            self._meet()
            yield uow

    def _meet(self) -> None:
        if not getattr(self._met, "once", False):
            self._met.once = True
            self._barrier.wait(PATIENCE)

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        """Delegate to the storage."""
        return self.storage.reading()

    def wake_by(self, wake: Callable[[str], None]) -> None:
        """Delegate to the storage."""
        self.storage.wake_by(wake)

    def wipe(self) -> bool:
        """Delegate to the storage."""
        return self.storage.wipe()

    def close(self) -> None:
        """Do nothing: the storage belongs to someone else."""


class Unlocked(Meeting):
    """A storage without locks on offers: all its writers read an offer before one writes."""

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        """Wait until every writer has read an offer."""
        with self.storage.writing() as uow:
            yield replace(uow, offers=_Unlocked(uow.offers, self._meet))


class _Unlocked:
    """Offers whose `lock` only reads, and which believe what was read once."""

    def __init__(self, offers: Offers, read: Callable[[], None]) -> None:
        self._offers = offers
        self._read = read
        self._seen: dict[int, Offer] = {}
        self.add, self.get, self.save = offers.add, offers.get, offers.save
        self.standing, self.of_player = offers.standing, offers.of_player
        self.expired, self.postpone, self.waits = offers.expired, offers.postpone, offers.waits

    def lock(self, number: int) -> Offer:
        """Read only."""
        if number not in self._seen:
            self._seen[number] = self._offers.get(number)
            self._read()
        return self._seen[number]


def process_at_once(clubs: Sequence[Club], mails: Sequence[int]) -> list[BaseException | None]:
    """Let each worker process an email, all at once.

    Return their errors, or None if all is well.
    """
    with ThreadPoolExecutor(len(mails)) as workers:
        done = [workers.submit(process, *each) for each in zip(clubs, mails, strict=True)]
    return [each.exception() for each in done]
