"""The contract of a storage: what members watch, and what they know of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.ports.process import StorageError
from pbem.ports.room import Announced, Watch, Watched, WatchKind
from pbem.ports.storage import Storage
from tests.support.stored import MINUTE, T0, new_match

LATER = T0 + MINUTE


def watched(player: int, match: int, turn: int = 0, *, over: bool = False) -> Watched:
    return Watched(player, match, turn, over)


def test_watches_of_a_match_are_those_of_its_game_and_players(storage: Storage) -> None:
    match = new_match(storage)
    of = [
        Watch(3, WatchKind.MEMBER, "1", LATER),
        Watch(2, WatchKind.MATCH, str(match.id), T0),
        Watch(3, WatchKind.GAME, match.game_key, T0),
    ]
    others = [
        Watch(2, WatchKind.MATCH, "99", T0),
        Watch(2, WatchKind.GAME, "whist", T0),
        Watch(2, WatchKind.MEMBER, "77", T0),
    ]
    with storage.writing() as uow:
        for watch in (*of, *others):
            uow.watches.add(watch)
        uow.watches.add(of[0]._replace(since=T0))
    with storage.writing() as uow:
        assert uow.watches.on(match) == [of[1], of[2], of[0]]
        assert uow.watches.of(3) == [of[2], of[0]]
        uow.watches.remove(3, WatchKind.GAME, match.game_key)
        uow.watches.remove(1, WatchKind.MATCH, str(match.id))
        assert uow.watches.on(match) == [of[1], of[0]]
    with pytest.raises(StorageError), storage.writing() as uow:
        uow.watches.add(Watch(99, WatchKind.GAME, "whist", T0))


def test_news_wait_for_each_watcher_until_taken_once(storage: Storage) -> None:
    first = new_match(storage)
    with storage.writing() as uow:
        second = uow.matches.add(replace(first, id=0))
        for player in (1, 2):
            uow.watches.add(Watch(player, WatchKind.GAME, first.game_key, T0))
        uow.watches.add(Watch(2, WatchKind.MATCH, str(first.id), T0))
    with storage.writing() as uow:
        assert [uow.watches.stir(each, T0) for each in (second, first, first)] == [2, 2, 2]
        rows = [watched(player, match.id) for match in (first, second) for player in (1, 2)]
        assert uow.watches.stirred(9) == rows
        assert uow.watches.stirred(2) == rows[:2]
        assert uow.watches.stirred(9, (first.id, 1)) == rows[1:]
        assert uow.watches.stirred_for(2) == [rows[1], rows[3]]
        assert [uow.watches.take(rows[0]) for _ in range(2)] == [True, False]
        uow.watches.told(watched(1, first.id, 7, over=True))
        assert uow.watches.stirred(9) == rows[1:]
        uow.watches.stir(first, LATER)
        assert uow.watches.stirred(1) == [watched(1, first.id, 7, over=True)]
    with pytest.raises(StorageError), storage.writing() as uow:
        uow.watches.told(watched(1, 99))


def test_match_that_nobody_watches_leaves_nothing(storage: Storage) -> None:
    match = new_match(storage)
    with storage.writing() as uow:
        assert uow.watches.stir(match, T0) == 0
        assert uow.watches.stirred(9) == []
        assert not uow.watches.take(watched(1, match.id))


def test_changes_wait_for_the_webhook_until_settled(storage: Storage) -> None:
    first = new_match(storage)
    with storage.writing() as uow:
        second = uow.matches.add(replace(first, id=0))
        for match in (second, first):
            uow.announcements.stir(match.id, T0)
        one, other = uow.announcements.waiting(9)
        assert one == Announced(first.id, 0, False, 1, T0)
        assert uow.announcements.waiting(1) == [one]
        assert uow.announcements.waiting(9, first.id) == [other]
        uow.announcements.known(first.id, 4, over=True)
        uow.announcements.stir(first.id, LATER)
        uow.announcements.settle(one)
        [again, _] = uow.announcements.waiting(9)
        assert again == Announced(first.id, 4, True, 2, T0)
        uow.announcements.settle(again)
        assert uow.announcements.waiting(9) == [other]
        uow.announcements.stir(first.id, LATER)
        assert uow.announcements.waiting(1) == [Announced(first.id, 4, True, 1, LATER)]


def test_first_failure_of_the_webhook_is_kept_until_it_works(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.service.webhook_fails_since() is None
        uow.service.webhook_failed(T0)
        uow.service.webhook_failed(LATER)
        assert uow.service.webhook_fails_since() == T0
        uow.service.webhook_works()
        assert uow.service.webhook_fails_since() is None
