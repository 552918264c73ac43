"""Two writers that wait for each other: one gives way at once, the other continues.

This applies to PostgreSQL only: the others have one writer at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.ports.process import Deadlock
from tests.support.stored import a_match, people

pytestmark = pytest.mark.servers

PATIENCE_S = 20


@pytest.fixture
def storage(postgresql_url: str) -> Iterator[SqlStorage]:
    """A club with two matches."""
    with closing(SqlStorage(open_engine(postgresql_url))) as storage:
        with storage.writing() as uow:
            them = people(uow, "Anna", "Bob", "Carol")
            for _ in range(2):
                uow.matches.add(a_match(them))
        yield storage


def test_one_of_two_deadlocked_writers_gives_way(storage: SqlStorage) -> None:
    both = threading.Barrier(2, timeout=PATIENCE_S)

    def has_both(first: int, second: int) -> bool:
        try:
            with storage.writing() as uow:
                uow.matches.lock(first)
                both.wait()
                uow.matches.lock(second)
        except Deadlock:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(has_both, (1, 2), (2, 1))) == [False, True]
