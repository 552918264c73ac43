"""Rating: keep ratings equal to what the published records say.

Matches are rated in the order in which they ended. If one ends after all others, it is one step. If
a match is published late or reopened, or one of its players leaves, everything after it is rated
again, in small transactions. A match whose game is not installed waits for it, and so does one that
cannot be read. It holds up no other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

from pbem.log import get_logger
from pbem.matches.history import Happening
from pbem.matches.imported import rated_as_ours
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.ratings import (
    RatedMatch,
    Rating,
    RatingList,
    has_others,
    is_left_out,
    rated_match,
)
from pbem.ports.ratings import ListRatings, Rater
from pbem.ports.room import PageKind
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club

log = get_logger(__name__)

BATCH = 100
"""Matches rated in one transaction, so that players never wait long."""

CurrentRatings = dict[RatingList, dict[PlayerId, Rating]]
"""Ratings that change with each match."""


def rate_waiting(
    club: Club, stopping: Callable[[], bool] = lambda: False, most: int = BATCH
) -> None:
    """Rate the matches whose records have changed, and all that ended after them.

    A transaction rates `most` matches.
    """
    while not stopping() and _any_waits(club):
        with club.storage.writing() as uow:
            rate_batch(uow, club.rater, most)


def rate_again(club: Club) -> None:
    """Have matches rated whose game was missing, and all if another model rated them."""
    with club.storage.writing() as uow:
        uow.ratings.take_up()
        first = uow.ratings.first_of_other_method(club.rater.method)
        uow.ratings.wait([] if first is None else [first.place.match_id])


def _any_waits(club: Club) -> bool:
    with club.storage.reading() as uow:
        return bool(uow.ratings.waiting(1))


def rate_batch(uow: UnitOfWork, rater: Rater, most: int = BATCH) -> None:
    """Rate the first matches that wait, and those that ended after them, up to a number."""
    uow.ratings.lock()
    found = uow.ratings.waiting(most)
    uow.ratings.settle(found)  # before reading, so that what changes later waits again
    counted, aside = _counting(uow, found)
    uow.ratings.wait(aside)
    uow.ratings.put_aside(aside)
    waiting = [each for each in found if each not in aside]
    kept = uow.ratings.rated(waiting)
    changed = [
        number
        for number in waiting
        if kept.get(number) != (counted.get(number), rater.method)
        and (number in kept or number in counted)
    ]
    old = [kept[number].match for number in changed if number in kept]
    new = [counted[number] for number in changed if number in counted]
    if changed:
        uow.ratings.drop([each.place.match_id for each in old])
        later = uow.ratings.since(min(each.place for each in (*old, *new)), most + 1)
        due = sorted((*later, *new), key=lambda each: each.place)
        uow.ratings.drop([each.place.match_id for each in due[:most] if each in later])
        uow.ratings.put(_rated(uow, rater, due[:most]), rater.method)
        _put_off(uow, [each for each in due[most:] if each in later][:1])
        uow.ratings.wait(each.place.match_id for each in due[most:] if each in new)
        _mark(uow, [*old, *due[:most]])


def withhold(uow: UnitOfWork, matches: Collection[int]) -> None:
    """Have ratings ignore matches whose records were removed, until they are published again."""
    uow.ratings.lock()
    if kept := [each.match for each in uow.ratings.rated(matches).values()]:
        uow.ratings.drop([each.place.match_id for each in kept])
        _put_off(uow, uow.ratings.since(min(each.place for each in kept), 1))
        _mark(uow, kept)


def _mark(uow: UnitOfWork, matches: Iterable[RatedMatch]) -> None:
    """Mark the pages of games and members whose ratings have changed."""
    found = list(matches)
    uow.stale.mark(PageKind.MEMBER, sorted({p for each in found for p in each.players}))
    uow.stale.mark(PageKind.GAME, sorted({each.game for each in found}))


def _put_off(uow: UnitOfWork, matches: Iterable[RatedMatch]) -> None:
    """Have a match and everything after it rated again in the next transaction."""
    for match in matches:
        uow.ratings.outdate(match.place.match_id)
        uow.ratings.wait([match.place.match_id])


def _ended(uow: UnitOfWork, number: int) -> Iterator[tuple[MatchSummary, Sequence[Happening]]]:
    """Yield a match with its history, unless others than our members played an imported one."""
    if number > 0:
        match = uow.matches.get(number)
        yield match, uow.matches.happenings(number) if has_others(match) else ()
    elif imported := uow.imported.get(-number):
        ours = rated_as_ours(imported, uow.imported.rated_names())
        if ours is not None:
            yield ours, imported.happenings


def _counting(
    uow: UnitOfWork, numbers: Iterable[int]
) -> tuple[dict[int, RatedMatch], Collection[int]]:
    """Return what ratings take from matches that count, and the matches to put aside.

    Those need rules that are missing, or cannot be read.
    """
    counted, aside, get = dict[int, RatedMatch](), set[int](), cache(uow.players.get)
    for number in numbers:
        try:
            for match, history in _ended(uow, number):
                people = [get(each) for each in sorted(match.ever_played)]
                former = {each.id for each in people if each.former}
                if match.lacks_rules and not is_left_out(match, former):
                    aside.add(number)
                else:
                    counted |= counting([(match, history)], people)
        except (ArithmeticError, LookupError, ValueError):
            log.exception("match not rated", match=number)
            aside.add(number)
    return counted, aside


def counting(
    matches: Iterable[tuple[MatchSummary, Sequence[Happening]]], people: Iterable[Player]
) -> dict[int, RatedMatch]:
    """Return what ratings take from matches with their history, without those that do not count."""
    people = list(people)
    bots = {each.id for each in people if each.bot}
    former = {each.id for each in people if each.former}
    rated = {match.id: rated_match(match, bots, former, history) for match, history in matches}
    return {number: match for number, match in rated.items() if match is not None}


def _rated(
    uow: UnitOfWork, rater: Rater, matches: Sequence[RatedMatch]
) -> list[tuple[RatedMatch, ListRatings]]:
    """Return consecutive matches with the ratings after them."""
    ratings: CurrentRatings = {}
    for which in dict.fromkeys(chain.from_iterable(each.lists for each in matches)):
        players = {p for each in matches if which in each.lists for p in each.players}
        ratings[which] = dict(uow.ratings.before(which, players, matches[0].place))
    return [(match, update(rater, match, ratings)) for match in matches]


def update(rater: Rater, match: RatedMatch, ratings: CurrentRatings) -> ListRatings:
    """Change current ratings by a match. Return those of its players after it."""
    new = after(rater, match, ratings)
    for which, theirs in new.items():
        ratings[which].update(theirs)
    return new


def after(rater: Rater, match: RatedMatch, ratings: ListRatings) -> CurrentRatings:
    """Return the ratings of a match's players after it, in each of its lists."""
    new: CurrentRatings = {}
    for which in match.lists:
        before = ratings[which]
        sides = [[before[player] for player in side.players] for side in match.sides]
        rated = rater.rate(sides, [side.rank for side in match.sides])
        new[which] = {
            player: rating
            for side, theirs in zip(match.sides, rated, strict=True)
            for player, rating in zip(side.players, theirs, strict=True)
        }
    return new
