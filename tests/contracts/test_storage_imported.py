"""The contract of a storage: matches of other clubs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.matches.imported import ImportedMatch, RatedName
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind
from pbem.ports.storage import Storage
from tests.matches.records import resigned
from tests.support.stored import people

TWELVE = replace(resigned(), club="Alpha", heads={})
THIRTEEN, OTHERS = replace(TWELVE, match_id=13), replace(TWELVE, club="Żółw – B")


def test_matches_of_other_clubs_are_found_and_removed_by_club(storage: Storage) -> None:
    with storage.writing() as uow:
        first, other, second = map(uow.imported.add, (TWELVE, OTHERS, THIRTEEN))
        assert [each.id for each in (first, other, second)] == [-1, -2, -3]
    with pytest.raises(StorageError), storage.writing() as uow:
        uow.imported.add(TWELVE)
    with storage.reading() as uow:
        assert uow.imported.get(1) == first == uow.imported.find("Alpha", 12)
        assert uow.imported.find("Beta", 12) is None
        assert uow.imported.clubs() == {"Alpha": 2, "Żółw – B": 1}
        assert uow.imported.of_club("Alpha") == [1, 3]
    with storage.writing() as uow:
        uow.imported.remove("Alpha")
        assert uow.imported.clubs() == {"Żółw – B": 1}
        assert uow.imported.get(1) is None
        assert uow.imported.add(TWELVE).number > 3  # no number is used again
        renamed = replace(OTHERS, players={**OTHERS.players, "S": "Zoe"})
        for changed in (ImportedMatch(2, renamed), ImportedMatch(99, THIRTEEN)):
            uow.imported.put(changed)
            assert uow.imported.get(changed.number) == changed


def test_every_change_of_an_imported_match_has_consequences(storage: Storage) -> None:
    with storage.writing() as uow:
        (anna,) = people(uow, "Anna")
        uow.imported.add(TWELVE)
        uow.imported.add(OTHERS)
        assert [page.key for page in uow.stale.waiting(PageKind.IMPORTED_MATCH, 9)] == ["1", "2"]
        assert {page.key for page in uow.stale.waiting(PageKind.IMPORTED_CLUB, 9)} == {
            "Alpha",
            "Żółw – B",
        }
        assert uow.imported.unwritten() == [1, 2]
        assert uow.ratings.waiting(9) == [-2, -1]
    with storage.writing() as uow:
        uow.imported.written([1, 2])
        uow.ratings.settle([-1, -2])
        for kind in PageKind:
            uow.stale.settle(uow.stale.waiting(kind, 9))
        uow.imported.rate(RatedName("Alpha", "Anna", anna.id))
        assert uow.imported.rated_names() == [RatedName("Alpha", "Anna", anna.id)]
        assert (uow.imported.unwritten(), uow.ratings.waiting(9)) == ([1], [-1])
        for kind, key in ((PageKind.IMPORTED_MATCH, "1"), (PageKind.IMPORTED_CLUB, "Alpha")):
            assert [page.key for page in uow.stale.waiting(kind, 9)] == [key]
            uow.stale.settle(uow.stale.waiting(kind, 9))
        uow.stale.mark_where_named(anna.id)
        for kind, key in ((PageKind.IMPORTED_MATCH, "1"), (PageKind.IMPORTED_CLUB, "Alpha")):
            assert [page.key for page in uow.stale.waiting(kind, 9)] == [key]
        uow.imported.written([1])
        uow.ratings.settle([-1])
        uow.imported.unrate(anna.id)
        assert uow.imported.rated_names() == []
        assert (uow.imported.unwritten(), uow.ratings.waiting(9)) == ([1], [-1])
        uow.stale.mark_all()
        assert len(uow.stale.waiting(PageKind.IMPORTED_MATCH, 9)) == 2
        assert len(uow.stale.waiting(PageKind.IMPORTED_CLUB, 9)) == 2
    with pytest.raises(StorageError), storage.writing() as uow:
        uow.imported.rate(RatedName("Alpha", "Anna", 99))


def test_name_stands_for_the_last_member_until_its_club_is_removed(storage: Storage) -> None:
    with storage.writing() as uow:
        anna, bert = people(uow, "Anna", "Bert")
        uow.imported.add(TWELVE)
        for member in (anna, bert):
            uow.imported.rate(RatedName("Alpha", "Anna", member.id))
        assert uow.imported.rated_names() == [RatedName("Alpha", "Anna", bert.id)]
        uow.imported.unrate(anna.id)
        assert len(uow.imported.rated_names()) == 1
        uow.imported.remove("Alpha")
        assert uow.imported.rated_names() == []
        assert uow.ratings.waiting(9) == [-1]
