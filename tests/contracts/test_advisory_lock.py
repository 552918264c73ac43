"""A duty belongs to one process at a time. It can wait for it, keep it, lose it or return it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from pbem.adapters.db import advisory_lock
from pbem.adapters.db.advisory_lock import SessionDuty
from pbem.ports.process import Duty, StorageUnavailable, Unshared

PATIENCE_S = 30.0
END_THE_HOLDER = """
SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
"""


def test_duty_passes_to_the_next_when_given_back_or_lost(postgresql_url: str) -> None:
    one, two, other = (SessionDuty(postgresql_url, name) for name in ("a", "a", "b"))
    with ThreadPoolExecutor() as threads, closing(one), closing(two), closing(other):
        assert [one.taken(), two.taken(), other.taken()] == [True, False, True]
        assert [one.held, two.held, other.held] == [True, False, True]
        other.close()
        assert not other.held

        kept, waited = threads.submit(one.keep), threads.submit(two.wait)
        one.close()
        assert kept.result(PATIENCE_S) is None
        assert waited.result(PATIENCE_S)

        kept = threads.submit(two.keep)
        with psycopg.connect(postgresql_url) as connection:
            connection.execute(END_THE_HOLDER)
        with pytest.raises(StorageUnavailable):
            kept.result(PATIENCE_S)
        assert not two.held
        assert two.taken()


def test_stalled_holder_loses_the_duty(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = int(advisory_lock.SESSION_SETTINGS["idle_session_timeout"]) / 1000
    assert allowed > 2 * advisory_lock.SAY_SECONDS
    monkeypatch.setitem(advisory_lock.SESSION_SETTINGS, "idle_session_timeout", "500")
    monkeypatch.setattr(advisory_lock, "SAY_SECONDS", 0.1)
    still, second, third = (SessionDuty(postgresql_url, "a") for _ in range(3))
    with ThreadPoolExecutor() as threads, closing(still), closing(second), closing(third):
        assert still.taken()
        assert second.wait()
        kept, waited = threads.submit(second.keep), threads.submit(third.wait)
        with pytest.raises(TimeoutError):
            waited.result(1.5)
        with pytest.raises(StorageUnavailable):
            still.keep()
        assert [still.held, second.held, third.held] == [False, True, False]
        second.close()
        assert kept.result(PATIENCE_S) is None
        assert waited.result(PATIENCE_S)


def test_waiting_for_a_duty_can_be_ended(postgresql_url: str) -> None:
    holder, waiting = (SessionDuty(postgresql_url, "a") for _ in range(2))
    with ThreadPoolExecutor() as threads, closing(holder), closing(waiting):
        assert holder.taken()
        assert not waiting.taken()
        waited = threads.submit(waiting.wait)
        waiting.close()
        assert not waited.result(PATIENCE_S)
        assert not waiting.wait()
        assert holder.held


@pytest.mark.servers
def test_unreachable_database_is_reported() -> None:
    with pytest.raises(StorageUnavailable, match="cannot be used"):
        SessionDuty("postgresql://nobody@127.0.0.1:9/nothing", "a").taken()


def test_process_without_others_keeps_the_duty_for_ever() -> None:
    alone: Duty = Unshared()
    assert alone.taken()
    assert alone.held
    assert alone.wait()
    alone.close()
    alone.keep()
    assert not alone.wait()
