"""Several processes with one database: nothing is lost, nothing is done twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.matches.plans import Plan, Step
from pbem.ports.people import AbsenceNotice
from pbem.ports.play import Unseen
from pbem.service.club import Rates
from pbem.service.delivery.claims import claim as claim_next
from pbem.service.waiting_news import add_to_news
from pbem.service.work import writing
from tests.fakes.clock import FakeClock
from tests.support.sending import sending_club
from tests.support.stored import MINUTE, T0, action, claim, new_match, outgoing, people
from tests.support.writers import (
    MATCH,
    begin_series,
    choose,
    claim_all,
    claim_rated,
    play_locked,
    play_unlocked,
    record,
    start_together,
)

pytestmark = pytest.mark.servers

WORKERS = 4
TURNS = 20
"""Turns of each worker. Without the lock, some of them fail."""


def nothing_is_lost(url: str, done: list[list[int]]) -> None:
    """Check that every turn of every worker has been played and recorded."""
    assert done == [[TURNS]] * WORKERS
    with closing(SqlStorage(open_engine(url))) as storage, storage.reading() as uow:
        numbers = [each.number for each in uow.matches.recorded(MATCH)]
        assert numbers == list(range(1, WORKERS * TURNS + 1))
        assert uow.matches.get(MATCH).actions == WORKERS * TURNS


def test_four_writers_lose_nothing(database_url: str, sql_storage: SqlStorage) -> None:
    assert new_match(sql_storage).id == MATCH
    done = start_together(WORKERS, play_locked, database_url, TURNS)
    nothing_is_lost(database_url, done)


def test_without_the_lock_the_same_check_fails(database_url: str, sql_storage: SqlStorage) -> None:
    assert new_match(sql_storage).id == MATCH
    done = start_together(WORKERS, play_unlocked, database_url, TURNS)
    with pytest.raises(AssertionError):
        nothing_is_lost(database_url, done)


def test_no_email_is_claimed_twice(database_url: str, sql_storage: SqlStorage) -> None:
    with sql_storage.writing() as uow:
        for number in range(80):
            uow.outbox.add(outgoing(number), T0)
    claimed = [number for each in start_together(3, claim_all, database_url, 0) for number in each]
    assert sorted(claimed) == list(range(1, 81))


def test_workers_together_keep_the_clubs_sending_rate(
    database_url: str, sql_storage: SqlStorage
) -> None:
    with sql_storage.writing() as uow:
        for number in range(200):
            uow.outbox.add(outgoing(number, to_address=f"{number}@example.org"), T0)
    claimed = start_together(WORKERS, claim_rated, database_url, 0)
    assert sum(map(len, claimed)) == 60 / 6, "a sixth of the minute's rate at one moment"


def test_no_email_is_recorded_twice(database_url: str, sql_storage: SqlStorage) -> None:
    recorded = [uid for each in start_together(3, record, database_url, 40) for uid in each]
    assert sorted(recorded) == list(range(1, 41))
    with sql_storage.reading() as uow:
        assert len(uow.inbound.pending()) == 40


def test_no_setting_of_a_player_is_lost(database_url: str, sql_storage: SqlStorage) -> None:
    with sql_storage.writing() as uow:
        anna = uow.players.add("Anna", ["anna@mail.example"])
    start_together(3, choose, database_url, 15)
    with sql_storage.reading() as uow:
        assert len(uow.players.get(anna.id).settings) == 3 * 15


def test_competition_number_is_never_given_twice(
    database_url: str, sql_storage: SqlStorage
) -> None:
    with sql_storage.writing() as uow:
        people(uow, "Anna", "Bob")
    given = start_together(WORKERS, begin_series, database_url, 10)
    assert sorted(number for each in given for number in each) == list(range(1, WORKERS * 10 + 1))


def test_two_matches_are_played_at_once_on_postgresql(postgresql_url: str) -> None:
    with closing(SqlStorage(open_engine(postgresql_url))) as storage:
        first = new_match(storage)
        with storage.writing() as uow:
            second = uow.matches.add(replace(first, id=0))
        with storage.writing() as mine, storage.writing() as other:
            mine.matches.lock(first.id)
            other.matches.lock(second.id)
            other.matches.append(second.id, [action(1)])
            other.absences.add(AbsenceNotice(1, first.id, T0, "", ""))
            mine.matches.append(first.id, [action(1)])


def test_claiming_workers_do_not_wait_for_each_other_on_postgresql(postgresql_url: str) -> None:
    with closing(SqlStorage(open_engine(postgresql_url))) as storage:
        with storage.writing() as uow:
            for number in range(3):
                uow.outbox.add(outgoing(number), T0)
        with storage.writing() as mine, storage.writing() as other:
            claims = [claim(uow, T0, T0 + MINUTE, 2) for uow in (mine, other)]
    assert [[mail.id for mail in claim] for claim in claims] == [[1, 2], [3]]


def test_rate_counts_of_workers_are_serialised_on_postgresql(
    postgresql_url: str,
) -> None:
    with closing(SqlStorage(open_engine(postgresql_url))) as storage, ThreadPoolExecutor(1) as pool:
        club = sending_club(storage, FakeClock(T0), Rates(6))
        with storage.writing() as uow:
            for number in range(3):
                uow.outbox.add(outgoing(number), T0)
        with storage.writing() as uow:
            uow.outbox.take_turns()
            others = pool.submit(claim_next, club)
            with pytest.raises(TimeoutError):
                others.result(timeout=0.3)
            claim(uow, T0, T0 + MINUTE, 1)
        assert others.result().mails == []


def test_news_that_a_digest_has_just_shown_is_not_kept_again_on_postgresql(
    postgresql_url: str,
) -> None:
    with closing(SqlStorage(open_engine(postgresql_url))) as storage, ThreadPoolExecutor(1) as pool:
        match = new_match(storage)
        news = Unseen(match.id, 1, 3, T0, T0, ("shown",))
        club = sending_club(storage, FakeClock(T0), Rates(6))

        def keep() -> None:
            with writing(club) as work:
                add_to_news(work, replace(news, turn=5, said=("new",)))

        with storage.writing() as uow:
            uow.waiting_news.put(news)
        with storage.writing() as uow:
            assert uow.waiting_news.of(1, lock=True) == [news]
            uow.waiting_news.told(1, [match.id])
            kept = pool.submit(keep)
            with pytest.raises(TimeoutError):
                kept.result(timeout=0.3)
        kept.result()
        with storage.reading() as uow:
            assert uow.waiting_news.of(1) == [replace(news, turn=5, said=("new",))]


def test_match_that_waits_again_is_not_settled_before_on_postgresql(postgresql_url: str) -> None:
    with closing(SqlStorage(open_engine(postgresql_url))) as storage, ThreadPoolExecutor(1) as pool:

        def settle() -> None:
            with storage.writing() as uow:
                uow.ratings.settle([-1])

        with storage.writing() as uow:
            uow.ratings.wait([-1])
        with storage.writing() as uow:
            uow.ratings.wait([-1])
            settled = pool.submit(settle)
            with pytest.raises(TimeoutError):
                settled.result(timeout=0.3)
        settled.result()
        with storage.reading() as uow:
            assert uow.ratings.waiting(1) == []


def test_plans_are_asked_for_again_once_their_matches_are_locked_on_postgresql(
    postgresql_url: str,
) -> None:
    with closing(SqlStorage(open_engine(postgresql_url))) as storage:
        match = new_match(storage)
        plan = Plan(match.id, 1, 1, ((Step(True, ("resign",)),),), turn=1, since=0)
        with storage.writing() as mine:
            assert not mine.plans.in_match(match.id)
            with storage.writing() as other:
                other.plans.add(plan)
            mine.matches.playing(0, 9)
            assert mine.plans.in_match(match.id) == [plan]
