"""Competition: matches that belong together, of any kind.

A competition says which matches are due, who enters them in what order, and how it stands, as data.
Each kind is a module in `pbem/matches/competitions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from fractions import Fraction
from itertools import takewhile
from typing import Any, ClassVar, NamedTuple

from pbem.games import game_of
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId
from pbem.matches.place import Place
from pbem.matches.score import opponents_of, seat_held, share_of


@dataclass(frozen=True)
class Pairing:
    """A match of a competition before it is started."""

    round: int
    index: int
    players: tuple[PlayerId, ...]
    """In the order in which they enter; between two, the first begins."""


@dataclass(frozen=True)
class Scored:
    """What an ended match is worth to a player."""

    index: int
    against: tuple[PlayerId, ...]
    """Those of the other side or sides."""
    points: Fraction


class TieBreak(NamedTuple):
    """What orders players with equal points."""

    key: str
    value: Fraction


class StandingRow(NamedTuple):
    """Standing of one player."""

    player: PlayerId
    points: Fraction
    scored: tuple[Scored, ...] = ()
    """Match by match, in their order; only the ended ones."""
    tie_breaks: tuple[TieBreak, ...] = ()


@dataclass(frozen=True)
class Standing:
    """How a competition stands; a kind may add to it."""

    rows: tuple[StandingRow, ...]
    """In the order in which they are shown."""
    over: bool = False
    winners: tuple[PlayerId, ...] = ()
    """Those who share the first place, once it is over."""


@dataclass(frozen=True)
class Competition(ABC):
    """What all kinds share; the terms that a kind adds as fields must be plain JSON values.

    A kind with other terms says in `terms` and `with_terms` how they are stored.
    """

    kind: ClassVar[str]
    """What it is called wherever it is written down: `set`, `knock-out`."""
    numbering: ClassVar[str]
    """What it is numbered together with; kinds that name the same share their numbers."""

    game_key: str
    players: tuple[PlayerId, ...]
    """In the order of entry."""
    options: MatchOptions
    created_at: datetime
    id: int = field(default=0, kw_only=True)
    number: int = field(default=0, kw_only=True)
    """The one that people see."""

    @abstractmethod
    def require_playable(self) -> None:
        """Raises OptionError unless its players can play its game on its terms."""

    @abstractmethod
    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Matches to be started now, after those that have been."""

    @abstractmethod
    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """How it stands after the matches that have been started."""

    @property
    @abstractmethod
    def length(self) -> int:
        """How many matches it has in all, as far as that is known."""

    @property
    def terms(self) -> dict[str, Any]:
        """What was agreed beside the match options, as JSON."""
        return {name: getattr(self, name) for name in _own_fields(type(self))}

    @classmethod
    def with_terms(cls, common: Common, terms: Mapping[str, Any]) -> Competition:
        """A competition of this kind from what is stored."""
        return cls(*common[2:], id=common.id, number=common.number, **terms)

    @classmethod
    def least_terms(cls, matches: int) -> dict[str, Any]:
        """Terms with which it has at least so many matches, where nothing else is known of them."""
        return {}

    @property
    def title(self) -> str:
        """Title of its game."""
        return game_of(self.game_key).info.title

    def place(self, pairing: Pairing) -> Place:
        """Place of the match of a pairing."""
        return Place(self.id, pairing.round, pairing.index)


class Common(NamedTuple):
    """What is stored of every competition, whatever its kind."""

    id: int
    number: int
    game_key: str
    players: tuple[PlayerId, ...]
    options: MatchOptions
    created_at: datetime


def _own_fields(kind: type[Competition]) -> list[str]:
    return [each.name for each in fields(kind) if each.name not in Common._fields]


def remaining(pairings: Iterable[Pairing], matches: Sequence[MatchSummary]) -> Iterator[Pairing]:
    """Those of all pairings whose matches have not been started; for a kind that knows them all."""
    begun = {index_of(match) for match in matches}
    return (pairing for pairing in pairings if pairing.index not in begun)


def next_round(pairings: Iterable[Pairing], matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
    """The remaining ones of a round, once all matches so far have ended."""
    if any(match.result is None for match in matches):
        return ()
    left = remaining(pairings, matches)
    first = next(left, None)
    if first is None:
        return ()
    return (first, *takewhile(lambda pairing: pairing.round == first.round, left))


def ended(matches: Iterable[MatchSummary]) -> list[MatchSummary]:
    """Those that have ended."""
    return [match for match in matches if match.result is not None]


def index_of(match: MatchSummary) -> int:
    """Number of a match in the competition that it belongs to."""
    assert match.place is not None, "a match of a competition has a place"
    return match.place.index


def game_points(match: MatchSummary, player: PlayerId) -> Fraction:
    """What an ended match between two is worth: one point, half of one, none, or a share of it."""
    share, winner = share_of(match, player), match.sole_winner
    if winner is None:  # nobody, or both: a win that is shared between two is a draw
        return share / 2
    return share * (winner == match.seats[seat_held(match, player)])


def takes_part(match: MatchSummary, player: PlayerId) -> bool:
    """Whether an ended match is worth anything to a player."""
    return match.counts and share_of(match, player) > 0


def scored(player: PlayerId, matches: Iterable[MatchSummary]) -> tuple[Scored, ...]:
    """What the ended matches between two are worth to a player who was in some of them.

    One that counts for nobody is worth nothing.
    """
    return tuple(
        Scored(index_of(match), opponents_of(match, player), game_points(match, player))
        for match in ended(matches)
        if takes_part(match, player)
    )


def leaders(rows: Sequence[StandingRow]) -> tuple[PlayerId, ...]:
    """Those whom neither points nor tie-breaks part from the first; rows in order."""
    best = rows[0]
    return tuple(
        row.player for row in rows if (row.points, row.tie_breaks) == (best.points, best.tie_breaks)
    )
