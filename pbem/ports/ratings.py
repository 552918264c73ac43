"""Ports for ratings: the model that computes them, and the numbers that are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from pbem.matches.match import PlayerId
from pbem.matches.ratings import (
    RatedMatch,
    RatedPlace,
    RatedPlayer,
    Rating,
    RatingList,
    RatingStep,
)

ListRatings = Mapping[RatingList, Mapping[PlayerId, Rating]]
"""Ratings by list and player."""
Sides = Sequence[Sequence[Rating]]
"""The ratings of each side's players."""


class Rater(Protocol):
    """A model that computes ratings from results."""

    @property
    def method(self) -> str:
        """Return the name and version of the model, such as `openskill-6.2.0-bradley-terry-full`.

        Numbers of different methods cannot be compared.
        """

    def rate(self, sides: Sides, ranks: Sequence[int]) -> Sides:
        """Return the ratings of all players after a match. The lowest rank wins.

        The order of the sides makes no difference, to the last digit.
        """


class KeptMatch(NamedTuple):
    """A rated match as it is stored."""

    match: RatedMatch
    method: str
    """The method of its ratings. Empty if they must be computed again."""


class Ratings(Protocol):
    """Ratings that are kept, and the matches behind them.

    They are a cache of what the records in the archive say. Imported matches have negative numbers.
    """

    def of(self, which: RatingList, players: Collection[PlayerId]) -> Mapping[PlayerId, Rating]:
        """Return the current ratings of these players in a list, `NEW` without matches."""

    def lists_of(self, player: PlayerId) -> Mapping[RatingList, Rating]:
        """Return a player's current ratings in all lists that have them, in order."""

    def standing(self, which: RatingList) -> Sequence[RatedPlayer]:
        """Return the current ratings of everybody in a list, the best first."""

    def course(self, which: RatingList, player: PlayerId) -> Sequence[RatingStep]:
        """Return a player's ratings in a list after each match, in order."""

    def before(
        self, which: RatingList, players: Collection[PlayerId], place: RatedPlace
    ) -> Mapping[PlayerId, Rating]:
        """Return what the ratings of players were before a place, `NEW` without matches."""

    def put(self, matches: Iterable[tuple[RatedMatch, ListRatings]], method: str) -> None:
        """Store matches with the ratings after them. The caller must have dropped old ones.

        Raises StorageError if a match is stored, or if a player is unknown. The caller must abandon
        the unit of work after an error.
        """

    def drop(self, matches: Collection[int]) -> None:
        """Delete matches and the ratings after them."""

    def rated(self, matches: Collection[int]) -> Mapping[int, KeptMatch]:
        """Return those of these matches that are stored."""

    def outdate(self, match_id: int) -> None:
        """Forget the method of a stored match, so that it is rated again."""

    def everything(self) -> Sequence[RatedMatch]:
        """Return all stored matches, in order."""

    def after(self, match_id: int) -> ListRatings:
        """Return the ratings of its players after a match. Empty if it is not stored."""

    def since(self, place: RatedPlace, most: int) -> Sequence[RatedMatch]:
        """Return the first `most` stored matches at a place or after it, in order."""

    def first_of_other_method(self, method: str) -> RatedMatch | None:
        """Return the first match whose ratings another method computed. None if there is none."""

    def wait(self, matches: Iterable[int]) -> None:
        """Note that matches must be rated or rated again, even those put aside. Idempotent.

        Until the unit of work ends, nobody else can settle them.
        """

    def waiting(self, most: int) -> Sequence[int]:
        """Return the first `most` matches that must be rated, by id.

        Leaves out ended matches whose record must first be written, and those put aside.
        """

    def put_aside(self, matches: Collection[int]) -> None:
        """Let waiting matches wait for their game."""

    def take_up(self) -> None:
        """Have all matches rated that were put aside."""

    def lock(self) -> None:
        """Keep everybody else from rating any match until this unit of work ends."""

    def settle(self, matches: Collection[int]) -> None:
        """Note that matches need not be rated any more."""
