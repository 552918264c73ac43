"""The contract of a storage: offers and blocks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.matches.match import MatchOptions
from pbem.matches.offer import Offer, OfferEntry, Reopening, Search, State
from pbem.matches.offer_terms import Begins, OfferTerms
from pbem.matches.reliability import Conditions, RatingRange
from pbem.ports.people import Mute, Wait
from pbem.ports.process import StorageError
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import MINUTE, T0, new_match, people

DAY = timedelta(days=1)
OPTIONS = MatchOptions(3, True, {"excalibur": 1}, unrated=True)
TERMS = OfferTerms("lancelot", 3, OPTIONS, private=True)


def _offer(*entries: OfferEntry, **changes: Any) -> Offer:
    return replace(Offer(TERMS, entries or (OfferEntry(1),), T0, T0 + DAY), **changes)


def _three(uow: UnitOfWork) -> None:
    people(uow, "Anna", "Bob", "Carol")


def test_offer_comes_back_as_it_was_added_and_saved(storage: Storage) -> None:
    with storage.writing() as uow:
        _three(uow)
        challenge = uow.offers.add(_offer(OfferEntry(2, place=1), OfferEntry(1, accepted=False)))
        series = replace(TERMS, begins=Begins.SERIES, games=4)
        table = uow.offers.add(_offer(terms=series, open=True, only=(3, 1), met=False))
        assert (challenge.number, table.number) == (1, 2)
        assert uow.offers.lock(challenge.number) == challenge
        uow.offers.save(table.take(3))
        standing = replace(table, again=Reopening(2, 30))
        again = uow.offers.add(standing)
        begun = again.begin_and_reopen("match 1", ("match 1",), T0, rests=True)
        uow.offers.save(begun)
    with storage.reading() as uow:
        assert uow.offers.get(challenge.number) == challenge
        assert uow.offers.get(table.number) == table.take(3)
        assert uow.offers.get(again.number) == begun


def test_conditions_and_searches_come_back(storage: Storage) -> None:
    needs = Conditions(95, timedelta(hours=36), RatingRange(1400, None), new=False)
    waits = [DAY, timedelta(hours=1)]
    with storage.writing() as uow:
        _three(uow)
        table = uow.offers.add(_offer(open=True, needs=needs))
        found = [uow.offers.add(_offer(search=Search())) for _ in waits]
        uow.offers.add(_offer(search=Search()))
        for each, waited in zip(found, waits, strict=True):
            uow.offers.save(replace(each.begin("match 1"), search=Search(waited)))
    with storage.reading() as uow:
        assert uow.offers.get(table.number).needs == needs
        assert uow.offers.get(found[0].number).search == Search(waits[0])
        assert uow.offers.waits() == [Wait("lancelot", each) for each in reversed(waits)]


def test_open_offers_are_listed_until_they_close(storage: Storage) -> None:
    with storage.writing() as uow:
        _three(uow)
        first = uow.offers.add(_offer(OfferEntry(1), OfferEntry(2, accepted=False)))
        second = uow.offers.add(_offer(OfferEntry(3), open=True, expires_at=T0 + 2 * DAY))
        over = uow.offers.add(_offer(OfferEntry(1)))
        uow.offers.save(over.begin("match 1"))
        assert uow.offers.standing() == [first, second]
        assert uow.offers.of_player(2) == [first]
        assert uow.offers.of_player(3) == [second]
        assert uow.offers.expired(T0 + DAY - MINUTE) == []
        assert uow.offers.expired(T0 + DAY) == [first.number]
        uow.offers.save(first.lapse())
        assert uow.offers.get(over.number).begun == "match 1"
        assert uow.offers.get(first.number).state is State.LAPSED
        assert uow.offers.expired(T0 + 9 * DAY) == [second.number]


def test_offer_waits_longer_after_an_outage_and_less_if_clock_goes_back(
    storage: Storage,
) -> None:
    with storage.writing() as uow:
        _three(uow)
        offer = uow.offers.add(_offer())
        uow.offers.postpone(DAY, T0)
        uow.offers.postpone(DAY, T0 + 9 * DAY)
        assert uow.offers.get(offer.number).expires_at == T0 + 2 * DAY
        uow.service.set_back(DAY, T0)
        assert uow.offers.get(offer.number).expires_at == T0 + DAY


def test_offer_needs_existing_players_and_each_once(storage: Storage) -> None:
    with storage.writing() as uow:
        _three(uow)
        for entries in ((OfferEntry(9),), (OfferEntry(1), OfferEntry(1))):
            with pytest.raises(StorageError):
                uow.offers.add(_offer(*entries))
        stored = uow.offers.add(_offer())
        with pytest.raises(StorageError):
            uow.offers.save(replace(stored, entries=(OfferEntry(1), OfferEntry(9))))
        for missing in (99, 0, -1, 2**31, 10**30):
            with pytest.raises(StorageError):
                uow.offers.get(missing)
        with pytest.raises(StorageError):
            uow.offers.save(replace(stored, number=99))
        assert uow.offers.get(stored.number) == stored
    with storage.reading() as uow, pytest.raises(RuntimeError):
        uow.offers.lock(stored.number)


def test_block_is_known_from_both_sides(storage: Storage) -> None:
    with storage.writing() as uow:
        _three(uow)
        for blocked in (3, 2, 3):
            uow.blocks.add(1, blocked)
        assert uow.blocks.of(1) == [3, 2]
        assert uow.blocks.of(2) == []
        assert uow.blocks.around(2) == {1}
        assert uow.blocks.around(1) == {2, 3}
        assert uow.blocks.among([3, 1]) == {frozenset((1, 3))}
        assert uow.blocks.among([2, 3]) == frozenset()
        for blocked in (3, 3):
            uow.blocks.remove(1, blocked)
        assert uow.blocks.around(3) == frozenset()
        with pytest.raises(StorageError):
            uow.blocks.add(1, 9)


def test_mutes_are_of_one_match_or_of_all(storage: Storage) -> None:
    match = new_match(storage)
    everywhere, here = Mute(2), Mute(2, match.id)
    with storage.writing() as uow:
        for mute in (here, everywhere, here, everywhere, Mute(3)):
            uow.mutes.add(1, mute)
        uow.mutes.add(2, Mute(1))
    for mute in (Mute(99), Mute(2, 99)):
        with pytest.raises(StorageError), storage.writing() as uow:
            uow.mutes.add(1, mute)
    with storage.writing() as uow:
        assert uow.mutes.of(1) == [here, everywhere, Mute(3)]
        uow.mutes.remove(1, everywhere)
        uow.mutes.remove(1, everywhere)
        assert uow.mutes.of(1) == [here, Mute(3)]
        uow.mutes.remove(1, here)
        assert uow.mutes.of(1) == [Mute(3)]
        assert uow.mutes.of(2) == [Mute(1)]


def test_invited_mailboxes_are_known_until_dropped_and_never_stays(storage: Storage) -> None:
    with storage.writing() as uow:
        assert uow.invited.said_never(["a", "b"]) is None
        for key in ("a", "b"):
            uow.invited.note(key)
            uow.invited.note(key)
        uow.invited.note("b", never=True)
        uow.invited.note("b")
        uow.invited.note("c", never=True)
    with storage.writing() as uow:
        found = [uow.invited.said_never([each]) for each in "abc"]
        assert found == [False, True, True]
        assert uow.invited.said_never(["x", "a", "c"]) is True
        uow.invited.drop(["a", "b", "x"])
    with storage.reading() as uow:
        assert [uow.invited.said_never([each]) for each in "abc"] == [None, True, True]
