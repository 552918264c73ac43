"""Competition: matches of any kind that belong together.

As data, a competition says which matches are due, with whom in which order, and its standing. Each
kind is a module in `pbem/matches/competitions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from fractions import Fraction
from itertools import takewhile
from typing import Any, ClassVar, NamedTuple, Self

from pbem.games import game_of
from pbem.games.api import OptionError
from pbem.games.missing import missing
from pbem.matches.competition_place import Place
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId
from pbem.matches.score import opponents_of, seat_held, share_of


@dataclass(frozen=True)
class Pairing:
    """A match of a competition that has not started."""

    round: int
    index: int
    players: tuple[PlayerId, ...]
    """Players in the order of entry. Of two, the first one begins."""


@dataclass(frozen=True)
class Scored:
    """A player's result from an ended match."""

    index: int
    against: tuple[PlayerId, ...]
    """Players on the opposing sides."""
    points: Fraction


class TieBreak(NamedTuple):
    """A value that orders players with equal points."""

    key: str
    value: Fraction


class StandingRow(NamedTuple):
    """Standing of one player."""

    player: PlayerId
    points: Fraction
    scored: tuple[Scored, ...] = ()
    """Ended matches only, in their order."""
    tie_breaks: tuple[TieBreak, ...] = ()


@dataclass(frozen=True)
class Standing:
    """Standing of a competition. A kind may add fields."""

    rows: tuple[StandingRow, ...]
    """Rows in display order."""
    over: bool = False
    winners: tuple[PlayerId, ...] = ()
    """Players who share first place, once it is over."""


@dataclass(frozen=True)
class Competition(ABC):
    """Common part of all kinds. Fields that a kind adds are its terms and must be JSON values.

    A kind with other terms stores them through `terms` and `with_terms`.
    """

    kind: ClassVar[str]
    """Name of the kind wherever it is written down: `set`, `knock-out`."""
    numbering: ClassVar[str]
    """Name of its number series. Kinds with the same one share their numbers."""

    game_key: str
    players: tuple[PlayerId, ...]
    """Players in the order of entry."""
    options: MatchOptions
    created_at: datetime
    id: int = field(default=0, kw_only=True)
    number: int = field(default=0, kw_only=True)
    """Number that people see."""
    replays: Mapping[str, Sequence[PlayerId]] = field(default_factory=dict, kw_only=True)
    """Players of cancelled matches whose seats had changed hands, by index.

    They play the match again.
    """

    successors: Mapping[str, PlayerId] = field(default_factory=dict, kw_only=True)
    """Members who took over a player's entry, by the number of that player."""

    @abstractmethod
    def require_playable(self) -> None:
        """Raise OptionError unless its players can play its game on its terms."""

    @abstractmethod
    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the matches to start now, after those already started."""

    @abstractmethod
    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the standing after the matches that were started."""

    @property
    @abstractmethod
    def length(self) -> int:
        """Number of matches in all, as far as it is known."""

    @property
    def terms(self) -> dict[str, Any]:
        """Terms other than the match options, as JSON."""
        terms = {name: getattr(self, name) for name in _own_fields(type(self))}
        return {name: value for name, value in terms.items() if value or name not in _LATER}

    @classmethod
    def with_terms(cls, common: Common, terms: Mapping[str, Any]) -> Competition:
        """Return a competition of this kind from stored values."""
        return cls(*common[2:], id=common.id, number=common.number, **terms)

    @classmethod
    def least_terms(cls, matches: int) -> dict[str, Any]:
        """Return terms for at least this many matches, for when nothing else is known."""
        return {}

    @property
    def title(self) -> str:
        """Title of its game."""
        try:
            return game_of(self.game_key).info.title
        except OptionError:
            return missing(self.game_key, 0, ()).info.title

    def seated(self, pairing: Pairing) -> tuple[PlayerId, ...]:
        """Return who plays a pairing, in the order of entry."""
        return tuple(self.replays.get(str(pairing.index), pairing.players))

    def with_replay(self, index: int, players: Sequence[PlayerId]) -> Self:
        """Return the competition after a match was cancelled in which these players sat last."""
        return replace(self, replays={**self.replays, str(index): list(players)})

    def with_successor(self, old: PlayerId, new: PlayerId) -> Self:
        """Return the competition after a member took over a player's entry and results."""
        followed = {who: new if whom == old else whom for who, whom in self.successors.items()}
        replays = {
            index: [new if each == old else each for each in players]
            for index, players in self.replays.items()
        }
        return replace(
            self,
            players=tuple(new if each == old else each for each in self.players),
            replays=replays,
            successors={**followed, str(old): new},
        )

    def inherited(self, matches: Sequence[MatchSummary]) -> Sequence[MatchSummary]:
        """Return matches as if successors had held the seats of their players from the start."""
        if not self.successors:
            return matches
        return [self._inherited(match) for match in matches]

    def _inherited(self, match: MatchSummary) -> MatchSummary:
        seats = {seat: self._successor(holder) for seat, holder in match.seats.items()}
        earlier = tuple(
            spell._replace(player=self._successor(spell.player)) for spell in match.hands.earlier
        )
        return replace(match, seats=seats, hands=replace(match.hands, earlier=earlier))

    def _successor(self, player: PlayerId) -> PlayerId:
        return self.successors.get(str(player), player)

    def place(self, pairing: Pairing) -> Place:
        """Return the place of a pairing's match."""
        return Place(self.id, pairing.round, pairing.index)


class Common(NamedTuple):
    """Stored values of every competition, whatever its kind."""

    id: int
    number: int
    game_key: str
    players: tuple[PlayerId, ...]
    options: MatchOptions
    created_at: datetime


_LATER = frozenset({"replays", "successors"})
"""Terms that arise while it is played. They are stored only then."""


def _own_fields(kind: type[Competition]) -> list[str]:
    return [each.name for each in fields(kind) if each.name not in Common._fields]


def remaining(pairings: Iterable[Pairing], matches: Sequence[MatchSummary]) -> Iterator[Pairing]:
    """Return the pairings whose matches have not started, for a kind that knows them all."""
    begun = {index_of(match) for match in matches}
    return (pairing for pairing in pairings if pairing.index not in begun)


def next_round(pairings: Iterable[Pairing], matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
    """Return the remaining pairings of a round, once all matches so far have ended."""
    if any(match.result is None for match in matches):
        return ()
    left = remaining(pairings, matches)
    first = next(left, None)
    if first is None:
        return ()
    return (first, *takewhile(lambda pairing: pairing.round == first.round, left))


def ended(matches: Iterable[MatchSummary]) -> list[MatchSummary]:
    """Return the matches that have ended."""
    return [match for match in matches if match.result is not None]


def index_of(match: MatchSummary) -> int:
    """Return the number of a match in its competition."""
    assert match.place is not None, "a match of a competition has a place"
    return match.place.index


def game_points(match: MatchSummary, player: PlayerId) -> Fraction:
    """Return a player's points from an ended match between two: 1, 1/2 or 0, times their share."""
    share, winner = share_of(match, player), match.sole_winner
    if winner is None:  # nobody or both: a win shared by two is a draw
        return share / 2
    return share * (winner == match.seats[seat_held(match, player)])


def takes_part(match: MatchSummary, player: PlayerId) -> bool:
    """Return whether an ended match gives a player a result."""
    return match.counts and share_of(match, player) > 0


def scored(player: PlayerId, matches: Iterable[MatchSummary]) -> tuple[Scored, ...]:
    """Return a player's results from ended matches between two.

    Matches that do not count give none.
    """
    return tuple(
        Scored(index_of(match), opponents_of(match, player), game_points(match, player))
        for match in ended(matches)
        if takes_part(match, player)
    )


def leaders(rows: Sequence[StandingRow]) -> tuple[PlayerId, ...]:
    """Return the players level with the first on points and tie-breaks. Rows must be in order."""
    best = rows[0]
    return tuple(
        row.player for row in rows if (row.points, row.tie_breaks) == (best.points, best.tie_breaks)
    )
