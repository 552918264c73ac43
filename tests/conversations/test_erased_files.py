"""Traces of erased members disappear from files, however often the service is interrupted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.jobs.erase import clear_mailbox, wipe_files
from pbem.ports.inbound import Mailbox, MailboxState
from pbem.service.work import reading, writing
from tests.conversations.house import House
from tests.support.stored import T0, people


class Killed(BaseException):
    """The process was killed here."""


class Dying:
    """A mailbox whose service dies before or right after emails are removed."""

    def __init__(self, mailbox: Mailbox, *, after: bool) -> None:
        self._mailbox, self._after = mailbox, after

    def open(self) -> MailboxState:
        return self._mailbox.open()

    def remove(self, uids: Sequence[int], message_ids: Sequence[str] = ()) -> None:
        if self._after:
            self._mailbox.remove(uids, message_ids)
        raise Killed

    def __getattr__(self, name: str) -> object:
        return getattr(self._mailbox, name)


def forgotten(house: House) -> None:
    """Anna, a former member."""
    anna = house.player("Anna")
    anna.says("settings", recipient=house.address)
    house.works()
    anna.receives()
    anna.says("forget me")
    house.works()
    anna.receives()
    anna.says("confirm")
    house.works()


@pytest.mark.parametrize("after", (False, True))
def test_next_run_removes_emails_from_the_mailbox(house: House, after: bool) -> None:
    forgotten(house)
    assert len(house.post.inbox(house.address)) == 3
    with suppress(Killed):
        clear_mailbox(house.club, Dying(house.mailbox, after=after))  # type: ignore[arg-type]
    with reading(house.club) as work:
        assert len(work.erasures.left_in_mailbox(9)) == 3
    assert clear_mailbox(house.club, house.mailbox) == 3
    assert house.post.inbox(house.address) == []
    assert clear_mailbox(house.club, house.mailbox) == 0


@pytest.fixture
def storage(sqlite_url: str) -> Iterator[SqlStorage]:
    """On SQLite, whose files belong to the club."""
    with closing(SqlStorage(open_engine(sqlite_url))) as storage:
        yield storage


@pytest.mark.thorough  # waits as long as the database is busy
def test_files_are_wiped_once_nobody_reads_them(storage: SqlStorage) -> None:
    with storage.writing() as uow:
        people(uow, "Anna")
    with storage.reading() as reader:
        assert reader.players.get(1).name == "Anna"
        with storage.writing() as uow:
            uow.erasures.erase(1, "former member 1", {}, T0)
        assert not storage.wipe()
    assert storage.wipe()


def test_data_erased_during_a_wipe_is_wiped_next_time(house: House) -> None:
    forgotten(house)
    wipe = house.club.storage.wipe

    def and_erases() -> bool:
        house.clock.advance(minutes=1)
        with writing(house.club) as work:
            work.erasures.note(work.now)
        return wipe()

    house.club.storage.wipe = and_erases  # type: ignore[method-assign]
    assert wipe_files(house.club)
    with reading(house.club) as work:
        assert work.erasures.left_in_database() is not None
