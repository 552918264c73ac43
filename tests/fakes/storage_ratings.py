"""In-memory ratings."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.matches.match import PlayerId
from pbem.matches.ratings import (
    NEW,
    RatedMatch,
    RatedPlace,
    RatedPlayer,
    Rating,
    RatingList,
    RatingStep,
)
from pbem.ports.process import StorageError
from pbem.ports.ratings import KeptMatch, ListRatings
from tests.fakes.storage_data import Repository, utc


class FakeRatings(Repository):
    """The port Ratings. It looks at every match each time."""

    def of(self, which: RatingList, players: Collection[PlayerId]) -> dict[PlayerId, Rating]:
        courses = {player: self.course(which, player) for player in players}
        return {player: steps[-1].rating if steps else NEW for player, steps in courses.items()}

    def lists_of(self, player: PlayerId) -> dict[RatingList, Rating]:
        rated = (each for _, each in self._data.ratings.values())
        lists = {which for each in rated for which, theirs in each.items() if player in theirs}
        return {which: self.of(which, [player])[player] for which in sorted(lists)}

    def standing(self, which: RatingList) -> list[RatedPlayer]:
        rated = self.of(which, self._data.players).items()
        found = [RatedPlayer(player, rating) for player, rating in rated if rating.matches]
        return sorted(found, key=lambda each: (-each.rating.mean, each.player))

    def course(self, which: RatingList, player: PlayerId) -> list[RatingStep]:
        return sorted(
            RatingStep(match.place, ratings[which][player])
            for match, ratings in self._data.ratings.values()
            if player in ratings.get(which, {})
        )

    def before(
        self, which: RatingList, players: Collection[PlayerId], place: RatedPlace
    ) -> dict[PlayerId, Rating]:
        found = dict.fromkeys(players, NEW)
        for player in players:
            for step in self.course(which, player):
                if step.place < _utc(place):
                    found[player] = step.rating
        return found

    def put(self, matches: Iterable[tuple[RatedMatch, ListRatings]], method: str) -> None:
        data = self._changing()
        for match, ratings in matches:
            number = match.place.match_id
            everybody = {player for theirs in ratings.values() for player in theirs}
            data.require(players=tuple(everybody))
            if number in data.ratings:
                raise StorageError(f"match {number} is stored")
            kept = RatedMatch(_utc(match.place), match.game, match.computers, match.sides)
            data.ratings[number] = kept, ratings
            data.rated_by[number] = method

    def drop(self, matches: Collection[int]) -> None:
        data = self._changing()
        for each in matches:
            data.ratings.pop(each, None)
            data.rated_by.pop(each, None)

    def rated(self, matches: Collection[int]) -> dict[int, KeptMatch]:
        kept, by = self._data.ratings, self._data.rated_by
        return {each: KeptMatch(kept[each][0], by[each]) for each in matches if each in kept}

    def outdate(self, match_id: int) -> None:
        data = self._changing()
        if match_id in data.rated_by:
            data.rated_by[match_id] = ""

    def everything(self) -> list[RatedMatch]:
        matches = (match for match, _ in self._data.ratings.values())
        return sorted(matches, key=lambda each: each.place)

    def after(self, match_id: int) -> ListRatings:
        return self._data.ratings[match_id][1] if match_id in self._data.ratings else {}

    def since(self, place: RatedPlace, most: int) -> list[RatedMatch]:
        matches = (match for match, _ in self._data.ratings.values())
        later = (match for match in matches if match.place >= _utc(place))
        return sorted(later, key=lambda each: each.place)[:most]

    def first_of_other_method(self, method: str) -> RatedMatch | None:
        others = [
            self._data.ratings[each][0] for each, by in self._data.rated_by.items() if by != method
        ]
        return min(others, key=lambda each: each.place, default=None)

    def wait(self, matches: Iterable[int]) -> None:
        self._changing().unrated.update(dict.fromkeys(matches, False))

    def waiting(self, most: int) -> list[int]:
        matches, archived = self._data.matches, self._data.archived
        due = (
            each
            for each, aside in self._data.unrated.items()
            if not aside and (each < 0 or matches[each].result is None or each in archived)
        )
        return sorted(due)[:most]

    def lock(self) -> None:
        self._changing()

    def settle(self, matches: Collection[int]) -> None:
        for each in matches:
            self._changing().unrated.pop(each, None)

    def put_aside(self, matches: Collection[int]) -> None:
        data = self._changing()
        data.unrated.update(dict.fromkeys(data.unrated.keys() & set(matches), True))

    def take_up(self) -> None:
        data = self._changing()
        data.unrated.update(dict.fromkeys(data.unrated, False))


def _utc(place: RatedPlace) -> RatedPlace:
    return place._replace(ended_at=utc(place.ended_at))
