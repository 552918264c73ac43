"""Locks are waited for in one order; who would have to wait out of it is told so at once.

It is of PostgreSQL alone: the others have one writer at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from pbem.adapters.db import SqlStorage, open_engine
from pbem.service.ports import Lock, LockKind, OutOfOrder, UnitOfWork
from tests.support.stored import T0, a_match, people

pytestmark = pytest.mark.servers

PATIENCE_S = 20


@pytest.fixture
def storage(postgresql_url: str) -> Iterator[SqlStorage]:
    """A club with three players and two matches."""
    with closing(SqlStorage(open_engine(postgresql_url))) as storage:
        with storage.writing() as uow:
            them = people(uow, "Anna", "Bob", "Carol")
            for _ in range(2):
                uow.matches.add(a_match(them))
        yield storage


def test_a_free_lock_is_taken_out_of_order(storage: SqlStorage) -> None:
    with storage.writing() as uow:
        uow.locks.keep_order()
        uow.players.lock(2)
        uow.matches.lock(2)
        assert uow.matches.lock(1).id == 1


def wants_the_first(uow: UnitOfWork, held: str) -> None:
    """It has the second match and player, and wants the first of one."""
    uow.locks.keep_order()
    uow.matches.lock(2)
    uow.players.lock(2)
    if held == "match":
        uow.matches.lock(1)
    else:
        uow.players.choose(1, "zone", "Europe/Warsaw")


@pytest.mark.parametrize("held", ("match", "player", "address"))
def test_nobody_waits_out_of_order(storage: SqlStorage, held: str) -> None:
    with storage.writing() as first:
        if held == "match":
            first.matches.lock(1)
        elif held == "player":
            first.players.lock(1)
        else:
            first.players.address_works(first.players.get(1).address, T0)
        with pytest.raises(OutOfOrder) as raised, storage.writing() as second:
            wants_the_first(second, held)
    own = {Lock(LockKind.MATCH, 2), Lock(LockKind.PLAYER, 2)}
    wanted = Lock(LockKind.MATCH if held == "match" else LockKind.PLAYER, 1)
    assert raised.value.locks == own | {wanted}


def test_who_begins_anew_waits_for_all_of_it_in_order(storage: SqlStorage) -> None:
    """Both want both matches; one has begun with the wrong one, and comes after the other."""
    got: list[str] = []

    def second() -> None:
        with storage.writing() as uow:
            uow.locks.keep_order([Lock(LockKind.PLAYER, 1), *map(_match, (2, 1))])
            got.append("second")

    other = threading.Thread(target=second)
    with storage.writing() as uow:
        _takes(uow, 1)
        other.start()
        _takes(uow, 2)
        got.append("first")
    other.join(PATIENCE_S)
    assert got == ["first", "second"]


def _match(number: int) -> Lock:
    return Lock(LockKind.MATCH, number)


def _takes(uow: UnitOfWork, match: int) -> None:
    uow.locks.keep_order()
    uow.matches.lock(match)
