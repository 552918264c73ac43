"""The contract of a storage: series and tournaments, and the matches in them."""

from __future__ import annotations

import pytest

from pbem.matches.match import Player
from pbem.matches.series import Series
from pbem.matches.sets import MatchSet
from pbem.matches.tournaments import Tournament
from pbem.service.ports import Storage, StorageError, UnitOfWork
from tests.support.stored import OPTIONS, T0, a_match, people


def _a_series(uow: UnitOfWork, players: list[Player]) -> Series:
    a, b = (player.id for player in players[:2])
    return uow.events.add(Series(0, "lanrick-1881", (b, a), OPTIONS, 100, T0))


def _a_tournament(uow: UnitOfWork, players: list[Player], **changes: bool) -> Tournament:
    ids = tuple(player.id for player in reversed(players))
    return uow.events.add(Tournament(0, "lanrick-1893", ids, OPTIONS, T0, **changes))


def test_an_event_comes_back_as_it_was_added(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob", "Carol")
        series = _a_series(uow, players)
        double = _a_tournament(uow, players, double=True)
        concurrent = _a_tournament(uow, players, concurrent=True)
        assert len({series.id, double.id, concurrent.id}) == 3
        assert uow.events.lock(series.id) == series
        assert uow.events.lock(double.id) == double
    with storage.reading() as uow:
        assert uow.events.get(series.id) == series
        assert uow.events.get(concurrent.id) == concurrent
        assert uow.events.all() == [series, double, concurrent]


def test_an_event_needs_players_who_are_there(storage: Storage) -> None:
    with storage.writing() as uow, pytest.raises(StorageError):
        uow.events.add(Series(0, "lanrick-1881", (1, 2), OPTIONS, 100, T0))


def test_the_matches_of_an_event(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob")
        series, other = _a_series(uow, players), _a_series(uow, players)
        later = uow.matches.add(a_match(players, event_id=series.id, event_index=2))
        first = uow.matches.add(a_match(players, event_id=series.id, event_index=1))
        uow.matches.add(a_match(players))
    with storage.reading() as uow:
        assert uow.matches.of_event(series.id) == [first, later]
        assert uow.matches.of_event(other.id) == []
        assert uow.matches.get(later.id) == later


def test_a_place_in_an_event_is_one_match_s(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob")
        series = _a_series(uow, players)
        uow.matches.add(a_match(players, event_id=series.id, event_index=1))
        for event_id in (series.id, series.id + 1):
            with pytest.raises(StorageError):
                uow.matches.add(a_match(players, event_id=event_id, event_index=1))


def test_a_match_is_in_a_set_or_in_an_event(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob", "Carol")
        a, b, c = (player.id for player in players)
        match_set = uow.sets.add(MatchSet(0, "lanko-68", (a, b, c), OPTIONS, T0))
        series = _a_series(uow, players)
        place = {"set_id": match_set.id, "set_index": 1, "event_id": series.id, "event_index": 1}
        with pytest.raises(StorageError):
            uow.matches.add(a_match(players, **place))
        assert uow.matches.all() == []
