"""The contract of a storage: ratings, and the matches behind them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.matches.match import MatchSummary, Result
from pbem.matches.ratings import (
    NEW,
    RatedMatch,
    RatedPlace,
    RatedPlayer,
    RatedSide,
    Rating,
    RatingList,
    RatingStep,
)
from pbem.ports.process import StorageError
from pbem.ports.ratings import KeptMatch
from pbem.ports.storage import Storage, UnitOfWork
from tests.support.stored import MINUTE, T0, new_match

GAME, ALL, AGAINST_BOTS = RatingList("lanko-68"), RatingList(), RatingList(computers=True)
A, B, C = Rating(1 / 3, 0.1, 1), Rating(2 / 3, 0.2, 2), Rating(1.1, 0.3, 11)


@pytest.fixture
def matches(storage: Storage) -> list[MatchSummary]:
    """Three matches of Anna, Bob and Carol."""
    first = new_match(storage)
    with storage.writing() as uow:
        return [first, *(uow.matches.add(replace(first, id=0)) for _ in range(2))]


def rated(match: MatchSummary, after: timedelta, *, computers: bool = False) -> RatedMatch:
    sides = RatedSide((1, 3), 0), RatedSide((2, 2), 1)
    return RatedMatch(RatedPlace(T0 + after, match.id), "lanko-68", computers, sides)


def put(uow: UnitOfWork, match: RatedMatch, *ratings: Rating) -> None:
    """Store a match with the ratings of the first members in both of its lists."""
    theirs = dict(enumerate(ratings, start=1))
    uow.ratings.drop([match.place.match_id])
    uow.ratings.put([(match, dict.fromkeys(match.lists, theirs))], "elo-1")


def test_ratings_in_order_of_their_matches(storage: Storage, matches: list[MatchSummary]) -> None:
    late, early = rated(matches[0], MINUTE), rated(matches[1], timedelta())
    with storage.writing() as uow:
        put(uow, late, A, B)
        put(uow, early, C, A, C)
    with storage.reading() as uow:
        assert uow.ratings.of(GAME, [1, 2, 3, 99]) == {1: A, 2: B, 3: C, 99: NEW}
        assert uow.ratings.of(AGAINST_BOTS, [1]) == {1: NEW}
        best_first = [RatedPlayer(3, C), RatedPlayer(2, B), RatedPlayer(1, A)]
        assert uow.ratings.standing(ALL) == best_first
        assert uow.ratings.standing(AGAINST_BOTS) == []
        course = [RatingStep(early.place, C), RatingStep(late.place, A)]
        assert uow.ratings.course(GAME, 1) == course
        assert uow.ratings.lists_of(2) == {ALL: B, GAME: B}
        assert uow.ratings.before(GAME, [1, 2], late.place) == {1: C, 2: A}
        assert uow.ratings.before(GAME, [1], early.place) == {1: NEW}
        assert uow.ratings.after(matches[1].id) == {
            which: {1: C, 2: A, 3: C} for which in late.lists
        }
        assert uow.ratings.after(matches[2].id) == {}
        assert uow.ratings.everything() == [early, late]
        assert uow.ratings.since(early.place, 9) == [early, late]
        assert uow.ratings.since(late.place, 9) == [late]
        assert uow.ratings.since(early.place, 1) == [early]


def test_match_rated_again_replaces_its_ratings(
    storage: Storage, matches: list[MatchSummary]
) -> None:
    first, second = rated(matches[0], timedelta()), rated(matches[1], timedelta())
    moved = rated(matches[0], MINUTE, computers=True)
    with storage.writing() as uow:
        put(uow, first, A, B, C)
        put(uow, second, B, A)
        put(uow, moved, C)
        assert uow.ratings.rated([first.place.match_id, 99]) == {
            first.place.match_id: KeptMatch(moved, "elo-1")
        }
        uow.ratings.outdate(first.place.match_id)
        assert uow.ratings.first_of_other_method("elo-1") == moved
        assert uow.ratings.of(GAME, [1, 3]) == {1: B, 3: NEW}
        assert uow.ratings.lists_of(1) == {
            RatingList(): B,
            AGAINST_BOTS: C,
            GAME: B,
            RatingList("lanko-68", computers=True): C,
        }
        uow.ratings.drop([second.place.match_id])
        assert uow.ratings.lists_of(2) == {}
        assert uow.ratings.since(first.place, 9) == [moved]
    third = rated(matches[2], MINUTE)
    for wrong, player in ((third, 99), (moved, 1)):
        with pytest.raises(StorageError), storage.writing() as uow:
            uow.ratings.put([(wrong, {ALL: {player: A}})], "elo-1")


def test_method_is_kept_with_the_numbers(storage: Storage, matches: list[MatchSummary]) -> None:
    with storage.writing() as uow:
        late, early = rated(matches[0], MINUTE), rated(matches[1], timedelta())
        for match in (late, early):
            put(uow, match, A)
        assert uow.ratings.first_of_other_method("elo-1") is None
        assert uow.ratings.first_of_other_method("elo-2") == early


def test_published_match_waits_to_be_rated(storage: Storage, matches: list[MatchSummary]) -> None:
    first, second, third = (match.id for match in matches)
    with storage.writing() as uow:
        result = Result(("S",), "resignation", dict.fromkeys(matches[0].seats, 0), T0)
        for match in matches[1:]:
            uow.matches.save(replace(match, result=result, to_act=None, turn_started_at=None))
        uow.matches.mark_archived(first, None)
        uow.matches.mark_archived(second, T0)
        uow.ratings.wait([third, second])
        assert uow.ratings.waiting(9) == [first, second]  # the third has no record yet
        uow.matches.mark_archived(third, T0)
        assert uow.ratings.waiting(9) == [first, second, third]
        assert uow.ratings.waiting(2) == [first, second]
        uow.ratings.lock()
        uow.ratings.put_aside([second])
        assert uow.ratings.waiting(9) == [first, third]
        uow.ratings.wait([second])
        assert uow.ratings.waiting(9) == [first, second, third]
        uow.ratings.put_aside([second])
        uow.ratings.take_up()
        uow.ratings.settle([first, third])
        assert uow.ratings.waiting(9) == [second]
    with storage.reading() as uow, pytest.raises(RuntimeError):
        uow.ratings.lock()


def test_former_member_has_no_ratings(storage: Storage, matches: list[MatchSummary]) -> None:
    with storage.writing() as uow:
        put(uow, rated(matches[0], MINUTE), A, B)
        uow.erasures.erase(1, "former member 1", {}, T0)
        assert uow.ratings.lists_of(1) == {}
        assert uow.ratings.of(ALL, [1, 2]) == {1: NEW, 2: B}
