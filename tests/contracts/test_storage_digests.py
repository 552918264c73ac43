"""The contract of a storage: digests, and news that waits for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.mail.topic import match_key
from pbem.matches.clock import Clock
from pbem.matches.time_controls.days import Days
from pbem.ports.play import Digest, Unseen
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage
from tests.support.stored import MINUTE, T0, new_match

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_digest_is_found_by_its_number(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        first, second = (uow.digests.add(Digest(1, T0, turns)) for turns in ({}, {1: 3, 12: 40}))
    assert first.id < second.id
    with storage.reading() as uow:
        assert uow.digests.of(first.id) == Digest(1, T0, {}, first.id)
        assert uow.digests.of(second.id) == Digest(1, T0, {1: 3, 12: 40}, second.id)
        assert uow.digests.of(99) is None
        assert uow.digests.of(10**12) is None


def test_readers_digests_that_show_a_match_are_found(storage: Storage) -> None:
    new_match(storage)
    with storage.writing() as uow:
        first, second, *_ = [
            uow.digests.add(Digest(reader, T0, turns))
            for reader, turns in ((1, {1: 3, 12: 40}), (1, {1: 2}), (2, {1: 9}), (1, {}))
        ]
    with storage.reading() as uow:
        assert uow.digests.showing(1, 1) == [second, first]
        assert uow.digests.showing(1, 12) == [first]
        assert uow.digests.showing(1, 2) == uow.digests.showing(3, 1) == []
        has = [uow.exposures.worth(match_key(1), each).has_digests for each in (1, 2, 3, "1")]
        assert has == [True, True, False, False]


def test_digest_of_an_unknown_player_is_refused(storage: Storage) -> None:
    with pytest.raises(StorageError), storage.writing() as uow:
        uow.digests.add(Digest(99, T0, {}))


def test_news_is_kept_once_for_each_match_and_reader(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        other = uow.matches.add(replace(match, id=0))
        first = Unseen(match.id, 1, 3, T0, T0 + HOUR, ("one", "zwei – żółw"))
        for each in (
            first,
            replace(first, reader=2, said=()),
            replace(first, match_id=other.id),
            replace(first, turn=2, due_at=T0 + MINUTE, said=("one", "two")),
        ):
            uow.waiting_news.put(each)
    now = replace(first, turn=2, due_at=T0 + MINUTE, said=("one", "two"))
    with storage.reading() as uow:
        assert uow.waiting_news.of(1) == [now, replace(first, match_id=other.id)]
        assert uow.waiting_news.in_match(match.id) == {1: now, 2: replace(first, reader=2, said=())}
        assert uow.waiting_news.of(3) == []
    with storage.writing() as uow:
        uow.waiting_news.reschedule(1, T0 + HOUR, T0 + 2 * HOUR)
        uow.waiting_news.told(1, [match.id])
        uow.waiting_news.told(1, [])
        moved = replace(first, match_id=other.id, due_at=T0 + HOUR, safe_until=T0 + 2 * HOUR)
        assert uow.waiting_news.of(1) == [moved]
        assert uow.waiting_news.in_match(match.id).keys() == {2}


def test_news_of_an_unknown_match_or_reader_is_refused(storage: Storage) -> None:
    match = new_match(storage)
    news = Unseen(match.id, 1, 3, T0, T0)
    for wrong in (replace(news, match_id=99), replace(news, reader=99)):
        with pytest.raises(StorageError), storage.writing() as uow:
            uow.waiting_news.put(wrong)


def test_readers_are_found_once_their_news_is_due_or_their_time_too_short(
    storage: Storage,
) -> None:
    match = new_match(storage)  # it is the turn of Anna, player 1
    with storage.writing() as uow:
        for reader in (2, 1):
            uow.waiting_news.put(Unseen(match.id, reader, 1, T0 + 4 * HOUR, T0 + 6 * HOUR))
        assert uow.waiting_news.due(T0) == []
        assert uow.waiting_news.due(T0 + 4 * HOUR) == [1, 2]
        uow.matches.save(replace(match, clock=Clock(Days(4)).start(1, T0)))
        assert uow.waiting_news.due(T0) == []
        uow.waiting_news.reschedule(1, T0 + 4 * HOUR, T0 + 4 * DAY + MINUTE)
        assert uow.waiting_news.due(T0) == [1]
        uow.waiting_news.reschedule(1, T0 + 4 * HOUR, T0 + 4 * DAY)
        assert uow.waiting_news.due(T0) == []
        uow.waiting_news.reschedule(2, T0 + 4 * HOUR, T0 + 4 * DAY + MINUTE)
        assert uow.waiting_news.due(T0) == [], "the clock runs for somebody else"
