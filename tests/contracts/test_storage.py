"""The contract of a storage: transactions and locks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from threading import Event, Thread

import pytest

from pbem.ports.process import StorageError
from pbem.ports.storage import Storage
from tests.support.stored import (
    T0,
    action,
    new_match,
    outgoing,
    people,
)


class CrashError(Exception):
    """An unexpected error."""


def test_next_transaction_sees_what_was_written(storage: Storage) -> None:
    with storage.writing() as uow:
        anna = uow.players.add("Anna", ["anna@example.org"])
        assert uow.players.get(anna.id) == anna
    with storage.reading() as uow:
        assert uow.players.get(anna.id) == anna


def test_error_rolls_everything_back(storage: Storage) -> None:
    match = new_match(storage)

    def crash_at_the_end() -> None:
        with storage.writing() as uow:
            uow.players.add("Dora", ["dora@example.org"])
            uow.matches.append(match.id, [action(1)])
            uow.matches.save(replace(match, actions=1, to_act="W"))
            uow.outbox.add(outgoing(1), T0)
            raise CrashError

    with pytest.raises(CrashError):
        crash_at_the_end()
    with storage.reading() as uow:
        assert uow.players.named("Dora") is None
        assert uow.matches.recorded(match.id) == []
        assert uow.matches.get(match.id) == match
        assert uow.outbox.unsent() == 0


def test_refusal_leaves_the_rest_of_the_transaction_alone(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        uow.outbox.add(outgoing(1), T0)
        with pytest.raises(StorageError):
            uow.players.add("Dora", ["dora@example.org", "ANNA@example.org"])
        uow.outbox.add(outgoing(2), T0)
    with storage.reading() as uow:
        assert uow.outbox.unsent() == 2
        assert uow.players.named("Dora") is None


def test_refused_email_or_action_ends_the_transaction(storage: Storage) -> None:
    match = new_match(storage)
    _play(storage, match.id, (1,), mails=())
    for numbers, mails in (((2, 1), (1,)), ((2, 2), (1,)), ((2,), (1, 1))):
        with pytest.raises(StorageError):
            _play(storage, match.id, numbers, mails)
    with storage.reading() as uow:
        assert uow.outbox.unsent() == 0
        assert uow.matches.recorded(match.id) == [action(1)]


def _play(storage: Storage, match: int, numbers: Iterable[int], mails: Iterable[int]) -> None:
    with storage.writing() as uow:
        for number in mails:
            uow.outbox.add(outgoing(number), T0)
        uow.matches.append(match, map(action, numbers))


def test_reading_transaction_refuses_to_write(storage: Storage) -> None:
    with (
        pytest.raises(Exception, match=r"read-?only"),  # each database has its own error
        storage.reading() as uow,
    ):
        uow.players.add("Anna", ["anna@example.org"])
    with storage.reading() as uow:
        assert uow.players.all() == []


def test_reading_transaction_refuses_to_lock(storage: Storage) -> None:
    match = new_match(storage)
    with pytest.raises(RuntimeError, match="read-only"), storage.reading() as uow:
        uow.matches.lock(match.id)


def test_writing_after_reading_works(storage: Storage) -> None:
    with storage.reading() as uow:
        assert uow.players.all() == []
    with storage.writing() as uow:
        people(uow, "Anna")
    with storage.reading() as uow:
        assert uow.players.named("Anna") is not None


def test_reading_transaction_sees_one_moment(storage: Storage) -> None:
    with storage.reading() as before:
        assert before.players.all() == []
        with storage.writing() as uow:
            people(uow, "Anna")
        assert before.players.all() == []


def test_locked_match_excludes_other_writers(storage: Storage) -> None:
    match = new_match(storage)
    began, seen = Event(), []

    def other() -> None:
        began.set()
        with storage.writing() as uow:
            seen.append(uow.matches.lock(match.id).actions)

    thread = Thread(target=other)
    with storage.writing() as uow:
        locked = uow.matches.lock(match.id)
        thread.start()
        began.wait()
        uow.matches.append(match.id, [action(1)])
        uow.matches.save(replace(locked, actions=1))
        assert seen == []
    thread.join()
    assert seen == [1]


def test_lock_reads_the_match_again(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        uow.matches.get(match.id)
        uow.matches.save(replace(match, turn=7))
        assert uow.matches.lock(match.id).turn == 7
        assert uow.matches.get(match.id).turn == 7


@pytest.mark.parametrize("number", (0, -1, 12, 2**31, 10**30))
def test_missing_row_is_an_error(storage: Storage, number: int) -> None:
    with storage.writing() as uow:
        for ask in (
            uow.players.get,
            uow.matches.get,
            uow.matches.lock,
            uow.competitions.get,
            uow.competitions.lock,
            uow.inbound.get,
            uow.inbound.lock,
        ):
            with pytest.raises(StorageError):
                ask(number)
