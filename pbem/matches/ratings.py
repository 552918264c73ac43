"""Ratings: what the results of matches say about their players. docs/ratings.md explains them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import gcd, sqrt
from statistics import fmean, pstdev
from typing import NamedTuple

from pbem.matches.history import Happening, Kind
from pbem.matches.match import FLAG_DRAW, MatchSummary, PlayerId
from pbem.matches.match_options import RESULTS

PROVISIONAL = 10
"""Number of matches before a rating says much."""
CENTRE, UNIT = 1500, 30
"""Shown value of a new player, and points in one unit of the model."""
EARLY_TURNS = 2
"""Turns that each seat must have had for an end on time or a forfeit to count."""
EARLY_ENDINGS = frozenset({"flag", FLAG_DRAW, "forfeit"})
ABSENCES = frozenset({Kind.LOST_ON_TIME, Kind.FORFEITED})
ALL_GAMES = ""
"""Stands for all games together where a game's key is expected."""


@dataclass(frozen=True)
class Rating:
    """The strength of a player in a rating list, in units of the model."""

    mean: float = 25.0
    """Estimate of the strength."""
    deviation: float = 25.0 / 3
    """Standard deviation of the estimate."""
    matches: int = 0
    """Number of rated matches behind it. 0 if the player is unrated."""

    @property
    def value(self) -> int:
        """Return the number that people see, 1500 for a new player."""
        return round(CENTRE + UNIT * (self.mean - NEW.mean))

    @property
    def uncertainty(self) -> int:
        """Return the number after ±, two standard deviations in the same points."""
        return round(2 * UNIT * self.deviation)

    @property
    def provisional(self) -> bool:
        """Return whether too few matches are behind it."""
        return self.matches < PROVISIONAL

    def __str__(self) -> str:
        return f"{self.value} ± {self.uncertainty}{'?' if self.provisional else ''}"


NEW = Rating()
"""The rating of a player without matches."""


class RatingList(NamedTuple):
    """A list in which players are rated against each other."""

    game: str = ALL_GAMES
    """Key of the game, or `ALL_GAMES`."""
    computers: bool = False
    """Whether it counts the matches with computer opponents, and only those."""


class RatedSide(NamedTuple):
    """Players who won or lost together."""

    players: tuple[PlayerId, ...]
    """Somebody who plays twice as many seats as the others is named twice."""
    rank: int
    """0 for the winners, and for all who share a draw. 1 for those who lost."""


class RatedPlace(NamedTuple):
    """Place of a match in the order of rating. No two matches share one."""

    ended_at: datetime
    match_id: int
    """Negative for an imported match."""


@dataclass(frozen=True)
class RatedMatch:
    """What ratings take from a match."""

    place: RatedPlace
    game: str
    computers: bool
    sides: tuple[RatedSide, ...]

    @property
    def lists(self) -> tuple[RatingList, RatingList]:
        """Return the lists that it changes: of its game, and of all games."""
        return RatingList(self.game, self.computers), RatingList(ALL_GAMES, self.computers)

    @property
    def players(self) -> frozenset[PlayerId]:
        """Return everybody whose rating it changes."""
        return frozenset(player for side in self.sides for player in side.players)


class RatedPlayer(NamedTuple):
    """A row of a rating list."""

    player: PlayerId
    rating: Rating


class RatingStep(NamedTuple):
    """A player's rating after a match."""

    place: RatedPlace
    rating: Rating


def rated_match(
    match: MatchSummary,
    bots: Collection[PlayerId],
    former: Collection[PlayerId],
    happenings: Iterable[Happening] = (),
) -> RatedMatch | None:
    """Return what ratings take from a match with a history. None if it does not count for them."""
    if match.result is None or is_left_out(match, former) or _ended_early(match):
        return None
    first, last = set(match.began.values()), set(match.players)
    changed_hands = match.began != match.seats
    computers = any(each in bots for each in first | last)
    if changed_hands and (computers or match.options.of(RESULTS) == "split"):
        return None
    absent = _absent(match, happenings) if has_others(match) else ()
    sides = tuple(_sides(match, absent))
    if len(sides) < 2 or sum(len(set(side.players)) for side in sides) > len(last):
        return None
    ended_at = match.result.ended_at.replace(microsecond=0)  # as in its record
    place = RatedPlace(ended_at, match.id)
    return RatedMatch(place, match.game_key, computers, sides)


def is_left_out(match: MatchSummary, former: Collection[PlayerId]) -> bool:
    """Return whether a match does not count for ratings, whatever its rules are."""
    people = match.ever_played
    return not match.counts or match.options.unrated or any(each in former for each in people)


def has_others(match: MatchSummary) -> bool:
    """Return whether others continue without an absent player. If not, no history is needed."""
    return len(set(match.began.values())) > 2


def _ended_early(match: MatchSummary) -> bool:
    """Return whether time or a director decided it before it was really played."""
    decided = match.result is not None and match.result.termination in EARLY_ENDINGS
    return decided and match.turn <= EARLY_TURNS * len(match.seats)


def _absent(match: MatchSummary, happenings: Iterable[Happening]) -> set[PlayerId]:
    """Return the players whom time or a director took out before it was really played."""
    turns = dict[PlayerId, int]()
    for each in happenings:
        turns = {player: turn for player, turn in turns.items() if not each.takes_back(turn)}
        if each.kind in ABSENCES and each.turn <= EARLY_TURNS * len(match.seats):
            turns[match.seats[each.seat]] = each.turn
    return set(turns)


def _sides(match: MatchSummary, absent: Collection[PlayerId]) -> Iterator[RatedSide]:
    """Yield the sides in the order of their first seats, without absent players."""
    winners = match.result.winners if match.result else ()
    seats_each = Counter(match.seats.values())
    least = gcd(*seats_each.values())
    for seats in match.game.info.sides[match.player_count]:
        players = dict.fromkeys(match.seats[seat] for seat in seats if seat in match.seats)
        held = [player for player in players if player not in absent]
        if held:
            lost = bool(winners) and not set(winners).intersection(seats)
            named = (player for player in held for _ in range(seats_each[player] // least))
            yield RatedSide(tuple(named), int(lost))


class SeatShare(NamedTuple):
    """The part of all points that the seats of one side won. A win is a point, a draw is shared."""

    sides: int
    """Number of sides in the matches."""
    side: int
    """Number of the side in the order of seats, from 0. `ALONE` for one player against a pair."""
    matches: int
    share: float
    """From 0 to 1. Without an advantage, each of n sides has 1/n."""
    margin: float
    """Two standard errors of the share, with a win and a loss added so that few matches show."""


ALONE = -1


def seat_shares(matches: Iterable[RatedMatch]) -> list[SeatShare]:
    """Return what each side won, by number of sides. Seats are drawn, so strength evens out."""
    points: dict[tuple[int, int], list[float]] = {}
    for match in matches:
        winners = sum(side.rank == 0 for side in match.sides)
        for at, side in enumerate(match.sides):
            won = 0 if side.rank else 1 / winners
            points.setdefault((len(match.sides), at), []).append(won)
            if len(set(side.players)) < len(side.players):
                points.setdefault((len(match.sides), ALONE), []).append(won)
    found = sorted(points.items())
    return [
        SeatShare(*key, len(won), fmean(won), 2 * _error([*won, 0.0, 1.0])) for key, won in found
    ]


def _error(numbers: Sequence[float]) -> float:
    """Return the standard error of the mean of some numbers."""
    return pstdev(numbers) / sqrt(len(numbers))
