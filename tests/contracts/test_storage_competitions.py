"""The contract of a storage: competitions of all kinds, and the matches in them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from pbem.matches.announcement import Announcement, Order, Phase
from pbem.matches.competition_place import Place
from pbem.matches.competitions.knock_out import KnockOut
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import MatchSummary, Player
from pbem.matches.reliability import Conditions, RatingRange
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import MINUTE, OPTIONS, T0, a_match, people


def _a_series(uow: UnitOfWork, players: list[Player]) -> Series:
    a, b = (player.id for player in players[:2])
    return uow.competitions.add(Series("lanrick-1881", (b, a), OPTIONS, T0, games=100))


def _a_set(uow: UnitOfWork, players: list[Player]) -> MatchSet:
    ids = tuple(player.id for player in players)
    return uow.competitions.add(MatchSet("lanko-68", ids, OPTIONS, T0, concurrent=True))


def _a_round_robin(uow: UnitOfWork, players: list[Player], **changes: Any) -> RoundRobin:
    ids = tuple(player.id for player in reversed(players))
    return uow.competitions.add(RoundRobin("lanrick-1893", ids, OPTIONS, T0, **changes))


def test_competition_comes_back_as_it_was_added(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob", "Carol")
        series, of_three = _a_series(uow, players), _a_set(uow, players)
        double = _a_round_robin(uow, players, double=True)
        concurrent = _a_round_robin(uow, players, concurrent=True)
        assert uow.competitions.lock(series.id) == series
        assert uow.competitions.lock(of_three.id) == of_three
    with storage.reading() as uow:
        assert uow.competitions.get(double.id) == double
        assert uow.competitions.get(concurrent.id) == concurrent
        assert uow.competitions.all() == [series, of_three, double, concurrent]


def test_players_and_later_terms_of_a_competition_are_saved(storage: Storage) -> None:
    with storage.writing() as uow:
        a, b, c = people(uow, "Anna", "Bob", "Carol")
        before = _a_series(uow, [a, b])
        after = replace(before, players=(b.id, c.id)).with_replay(2, (c.id, b.id))
        uow.competitions.save(after)
        with pytest.raises(StorageError):
            uow.competitions.save(replace(after, id=99))
    with storage.reading() as uow:
        assert uow.competitions.get(before.id) == after
        assert uow.competitions.all() == [after]


def test_late_entries_and_withdrawals_are_saved(storage: Storage) -> None:
    with storage.writing() as uow:
        a, b, c = people(uow, "Anna", "Bob", "Carol")
        before = uow.competitions.add(KnockOut("lanrick-1881", (a.id, b.id), OPTIONS, T0))
        with pytest.raises(StorageError):
            uow.competitions.save(before.with_late_entry(99, 2))
    with storage.writing() as uow:
        after = before.with_late_entry(c.id, 2).without(a.id, 3).with_bye(b.id, 2)
        uow.competitions.save(after)
    with storage.reading() as uow:
        assert uow.competitions.get(before.id) == after


def test_announced_competition_has_entrants_and_a_number_of_its_own(storage: Storage) -> None:
    announcement = Announcement(
        date(2027, 1, 15),
        least=4,
        most=5,
        order=Order.LOTS,
        late=False,
        repeat=timedelta(days=14),
        conditions=Conditions(ontime=90, rating=RatingRange(1400, None), new=False),
        terms={"best-of": "3"},
        follows=1,
    )
    with storage.writing() as uow:
        a, b, c = people(uow, "Anna", "Bob", "Carol")
        _a_series(uow, [a, b])
        first = KnockOut("lanrick-1881", (), OPTIONS, T0, announcement=announcement)
        first = uow.competitions.add(first)
        assert first.number == 2
        assert _a_series(uow, [a, b]).number == 2
        assert uow.competitions.add(replace(first, id=0)).number == 3
    with storage.reading() as uow:
        assert uow.competitions.announced_as(2) == uow.competitions.get(first.id) == first
        assert uow.competitions.announced_as(1) is uow.competitions.announced_as(10**20) is None
        assert len(uow.competitions.all()) == 2
        assert first in uow.competitions.announced([Phase.ENTRY])
    entered = replace(first, players=(c.id, a.id), created_at=T0 + MINUTE)
    waits = replace(announcement, waiting=(b.id,), always=frozenset({b.id, c.id}))
    with storage.writing() as uow:
        with pytest.raises(StorageError):
            uow.competitions.save(replace(first, players=(99,)))
        uow.competitions.save(replace(entered, announcement=waits))
    with storage.writing() as uow:
        assert uow.competitions.lock(first.id) == replace(entered, announcement=waits)
        begun = replace(entered, players=(a.id, c.id), announcement=waits.at(Phase.RUNNING))
        uow.competitions.save(begun)
    with storage.reading() as uow:
        assert uow.competitions.get(first.id) == begun
        assert uow.competitions.announced([Phase.RUNNING]) == [begun]
        assert begun in uow.competitions.all()


def test_kinds_with_one_numbering_share_their_numbers(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob", "Carol")
        first, second = _a_set(uow, players), _a_set(uow, players)
        series, round_robin = _a_series(uow, players), _a_round_robin(uow, players)
        assert [each.number for each in (first, second, series, round_robin)] == [1, 2, 1, 2]
        assert len({each.id for each in (first, second, series, round_robin)}) == 4
    with storage.reading() as uow:
        assert uow.competitions.numbered(MatchSet.numbering, 2) == second
        assert uow.competitions.numbered(Series.numbering, 2) == round_robin
        for number in (3, 0, -1, 2**31, 10**30):
            assert uow.competitions.numbered(Series.numbering, number) is None


def test_competition_needs_existing_players(storage: Storage) -> None:
    with storage.writing() as uow:
        with pytest.raises(StorageError):
            uow.competitions.add(Series("lanrick-1881", (1, 2), OPTIONS, T0, games=100))
        assert uow.competitions.numbered(Series.numbering, 1) is None


def _match_at(uow: UnitOfWork, players: list[Player], competition: int, index: int) -> MatchSummary:
    return uow.matches.add(a_match(players, place=Place(competition, round=1, index=index)))


def test_matches_of_a_competition_are_listed(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob")
        series, other = _a_series(uow, players), _a_series(uow, players)
        later, first = (_match_at(uow, players, series.id, index) for index in (2, 1))
        uow.matches.add(a_match(players))
    with storage.reading() as uow:
        assert uow.matches.of_competition(series.id) == [first, later]
        assert uow.matches.of_competition(other.id) == []
        assert uow.matches.get(later.id) == later


def test_place_in_a_competition_belongs_to_one_match(storage: Storage) -> None:
    with storage.writing() as uow:
        players = people(uow, "Anna", "Bob")
        series = _a_series(uow, players)
        _match_at(uow, players, series.id, 1)
        for competition in (series.id, series.id + 1):
            with pytest.raises(StorageError):
                _match_at(uow, players, competition, 1)
