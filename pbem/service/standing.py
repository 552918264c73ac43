"""Standing: rating lists, and who sees a rating.

Ratings are shown where everybody they concern has `ratings on`. If somebody asks for one member by
name, they get that member's ratings anyway. docs/ratings.md says so to players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.matches.match import Player, PlayerId
from pbem.matches.ratings import Rating, RatingList
from pbem.ports.storage import UnitOfWork
from pbem.service.people import is_hidden
from pbem.settings import ratings


class Rated(NamedTuple):
    """A row of a rating list."""

    player: Player
    rating: Rating


def wants_ratings(player: Player) -> bool:
    """Return whether a player has `ratings on`. Bots do."""
    return bool(player.bot) or ratings.SETTING.of(player) == ratings.ON


def rating_list(uow: UnitOfWork, which: RatingList) -> list[Rated]:
    """Return everybody in a list, the best first."""
    known = {each.id: each for each in uow.players.all()}
    rows = uow.ratings.standing(which)
    return [Rated(known[player], rating) for player, rating in rows if player in known]


def listed(rated: Sequence[Rated], reader: Player | None = None) -> list[Rated]:
    """Return the rows of a list that a reader sees: also their own, if it is hidden."""
    own = None if reader is None else reader.id
    return [each for each in rated if each.player.id == own or is_listed(each.player)]


def is_listed(player: Player) -> bool:
    """Return whether lists and pages show a player's ratings."""
    return wants_ratings(player) and not is_hidden(player)


def shared_ratings(
    uow: UnitOfWork, game: str, people: Sequence[Player], reader: Player | None = None
) -> Mapping[PlayerId, Rating]:
    """Return the ratings of people who meet in a game. Nobody is in it who has none.

    It is empty unless they and the reader all want that.
    """
    concerned = people if reader is None else (*people, reader)
    if not all(map(wants_ratings, concerned)):
        return {}
    which = RatingList(game, any(each.bot for each in people))
    found = uow.ratings.of(which, [each.id for each in people])
    return {player: rating for player, rating in found.items() if rating.matches}
