"""Ports for ratings: the model that computes them, and the numbers that are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from pbem.matches.match import PlayerId
from pbem.matches.ratings import (
    RatedMatch,
    RatedPlace,
    RatedPlayer,
    Rating,
    RatingList,
    RatingStep,
)

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


class Ratings(Protocol):
    """Ratings that are kept, and the matches behind them.

    They are a cache of what the records in the archive say.
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

    def put(
        self,
        match: RatedMatch,
        ratings: Mapping[RatingList, Mapping[PlayerId, Rating]],
        method: str,
    ) -> None:
        """Store a match and the ratings after it, in place of what it had.

        Raises StorageError if the match or a player is not stored.
        """

    def drop(self, matches: Collection[int]) -> None:
        """Delete matches and the ratings after them."""

    def rated(self, matches: Collection[int]) -> Mapping[int, RatedMatch]:
        """Return those of these matches that are stored."""

    def since(self, place: RatedPlace, most: int) -> Sequence[RatedMatch]:
        """Return the first `most` stored matches at a place or after it, in order."""

    def of_other_methods(self, method: str) -> Sequence[int]:
        """Return the matches whose ratings were computed by another method, by id."""

    def wait(self, matches: Iterable[int]) -> None:
        """Note that matches must be rated or rated again. Idempotent."""

    def waiting(self, most: int) -> Sequence[int]:
        """Return the first `most` matches that must be rated, by id."""

    def lock(self) -> None:
        """Keep everybody else from rating any match until this unit of work ends."""

    def settle(self, matches: Collection[int]) -> None:
        """Note that matches need not be rated any more."""
