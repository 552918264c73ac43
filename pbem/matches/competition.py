"""Competition: matches of any kind that belong together.

As data, a competition says which matches are due, with whom in which order, and its standing. Each
kind is a module in `pbem/matches/competitions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from fractions import Fraction
from itertools import count, takewhile
from typing import Any, ClassVar, NamedTuple, Self

from pbem.games import game_of
from pbem.games.api import AnyGame, OptionError
from pbem.games.missing import missing
from pbem.games.phrases import Phrase
from pbem.matches.announcement import Announcement, Phase
from pbem.matches.competition_place import Place
from pbem.matches.competition_terms import Term
from pbem.matches.entries import Entries
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId
from pbem.matches.score import opponents_of, seat_held, share_of
from pbem.matches.standing import Scored, Standing, StandingRow
from pbem.matches.table import Part, by_standing


@dataclass(frozen=True)
class Pairing:
    """A match of a competition that has not started."""

    round: int
    index: int
    players: tuple[PlayerId, ...]
    """Players in the order of entry. Of two, the first one begins."""


@dataclass(frozen=True)
class Competition(ABC):
    """Common part of all kinds. Fields that a kind adds are its terms and must be JSON values.

    A kind with other terms stores them through `terms` and `with_terms`.
    """

    kind: ClassVar[str]
    """Name of the kind wherever it is written down: `set`, `knock-out`."""
    called: ClassVar[Phrase | str] = ""
    """What people call it, if not by the name of its kind."""
    numbering: ClassVar[str]
    """Name of its number series. Kinds with the same one share their numbers."""

    takes_late_entries: ClassVar[bool] = False
    """Whether players can enter after the first round has started."""
    takes_byes: ClassVar[bool] = False
    """Whether players can ask not to play in a round."""
    announces: ClassVar[tuple[Term, ...] | None] = None
    """Terms that its announcement can set. None if members cannot enter it."""
    heeds_blocks: ClassVar[bool] = False
    """Whether it pairs nobody with a member they block, or who blocks them."""
    has_end: ClassVar[bool] = True
    """Whether its terms say how many matches or rounds there are."""

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

    replayed: Mapping[str, Sequence[PlayerId]] = field(default_factory=dict, kw_only=True)
    """Entrants for whom the players in `replays` play, by index."""

    successors: Mapping[str, PlayerId] = field(default_factory=dict, kw_only=True)
    """Members who took over a player's entry, by the number of that player."""

    entries: Entries = field(default_factory=Entries, kw_only=True)
    """Late entries, withdrawals and byes."""

    seed: int = field(default=0, kw_only=True)
    """Seed of the lots."""
    announcement: Announcement | None = field(default=None, kw_only=True)
    """How members enter it, and how far it has come. None if nobody announced it."""

    @abstractmethod
    def require_playable(self) -> None:
        """Raise OptionError unless its players can play its game on its terms."""

    @abstractmethod
    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the matches to start now, after those already started."""

    @abstractmethod
    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the standing after the matches that were started."""

    def rows(self, matches: Sequence[MatchSummary]) -> tuple[StandingRow, ...]:
        """Return the rows of the standing, without asking whether it is over."""
        return self.standing(matches).rows

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return what emails, pages and books show of it."""
        return (by_standing(self.rows(matches)),)

    @property
    def round_total(self) -> int:
        """Number of rounds that follow one another. 0 if it has none."""
        return 0

    @property
    @abstractmethod
    def length(self) -> int:
        """Number of matches in all, as far as it is known."""

    @property
    def least_players(self) -> int:
        """Fewest players with whom it can start."""
        return 2

    def places(self, entrants: int) -> int:
        """Return how many of its entrants can play. The others wait."""
        return entrants

    def begun(self, players: Sequence[PlayerId]) -> Self:
        """Return the competition as it starts, with its entrants in order."""
        return replace(self, players=tuple(players))

    @property
    def last_round(self) -> int | None:
        """Number of the last round, None if its rounds do not end."""
        return None

    def next_round(self, player: PlayerId, matches: Sequence[MatchSummary]) -> int:
        """Return the first round from which on a player can enter, withdraw or have a bye."""
        return 1 + max(map(round_of, matches), default=0)

    def require_for_two(self) -> None:
        """Raise OptionError unless two people can play its game."""
        info = game_of(self.game_key).info
        if 2 not in info.holders:
            raise OptionError(f"{info.title} is not for two players")

    def played_at_once(self, players: int) -> int:
        """Return how many matches a player plays at once at most, if so many enter."""
        return 1

    def may_enter(self, player: PlayerId, matches: Sequence[MatchSummary]) -> bool:
        """Return whether a player can still enter after the start."""
        if not self.takes_late_entries:
            return False
        last = self.last_round
        return last is None or self.next_round(player, matches) <= last

    def sitting_out(
        self, before: Sequence[MatchSummary], started: Sequence[MatchSummary]
    ) -> tuple[PlayerId, ...]:
        """Return the players without a match in a round that has just started.

        `before` are the earlier matches. Players who asked for their bye are left out.
        """
        if not (self.round_total and started):
            return ()
        round_ = round_of(started[0])
        if round_ <= max(map(round_of, before), default=0):
            return ()
        seated = {player for match in started for player in match.players}
        asked = {p for n, p in enumerate(self.players, 1) if self.entries.asked_bye(n, round_)}
        return tuple(p for p in self.in_round(round_) if p not in seated | asked)

    def left_by(self, player: PlayerId, matches: Sequence[MatchSummary]) -> tuple[PlayerId, ...]:
        """Return the opponents who gain from it that a player has just withdrawn."""
        return ()

    def freed_by(
        self, index: int, matches: Sequence[MatchSummary]
    ) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """Return withdrawn players and whoever need not play them, now that a match has ended."""
        return ()

    def is_out(self, player: PlayerId, matches: Sequence[MatchSummary]) -> bool:
        """Return whether a player has no more matches to come, though it continues."""
        return False

    @property
    def said(self) -> list[Phrase]:
        """Its own terms in words, such as the number of rounds."""
        found = (term.said(getattr(self, term.field)) for term in self.announces or ())
        return [each for each in found if each is not None]

    @property
    def ends_on(self) -> date | None:
        """The day after which it is closed. None if it ends on its own, or only by a director."""
        return None

    def closed_now(self) -> Self | None:
        """Return the competition after it was closed. None if it is, or it ends on its own."""
        return None

    @property
    def taking_part(self) -> tuple[PlayerId, ...]:
        """Its players who have not withdrawn."""
        gone = self.entries.withdrawn
        return tuple(player for at, player in enumerate(self.players, 1) if str(at) not in gone)

    @property
    def unstarted(self) -> bool:
        """Whether it was announced and has not started."""
        return self.announcement is not None and not self.announcement.started

    @property
    def continues(self) -> bool:
        """Whether more of its matches can start, if only because one of them is played again."""
        going_on = (Phase.RUNNING, Phase.ENDED)
        return self.announcement is None or self.announcement.phase in going_on

    def keeping_apart(self, blocks: Collection[frozenset[PlayerId]]) -> Self:
        """Return the competition, which pairs none of these if it heeds blocks. Never stored."""
        return self

    def in_phase(self, phase: Phase) -> Self:
        """Return the competition in another phase of its announcement."""
        assert self.announcement is not None, "it was announced"
        return replace(self, announcement=self.announcement.at(phase))

    @property
    def terms(self) -> dict[str, Any]:
        """Terms other than the match options, as JSON."""
        terms = {name: getattr(self, name) for name in _own_fields(type(self))}
        terms["entries"] = self.entries.terms
        return {name: value for name, value in terms.items() if value or name not in _LATER}

    @classmethod
    def with_terms(cls, common: Common, terms: Mapping[str, Any]) -> Competition:
        """Return a competition of this kind from stored values."""
        own = {name: _frozen(value) for name, value in terms.items()}
        entries = Entries.of(own.pop("entries", {}))
        return cls(
            *common[2:6],
            id=common.id,
            number=common.number,
            announcement=common.announcement,
            entries=entries,
            **own,
        )

    @classmethod
    def least_terms(cls, matches: int) -> dict[str, Any]:
        """Return terms for at least this many matches, for when nothing else is known."""
        return {}

    @property
    def game(self) -> AnyGame:
        """Its game, or a stand-in if it is not installed."""
        try:
            return game_of(self.game_key)
        except OptionError:
            return missing(self.game_key, 0, ())

    @property
    def title(self) -> str:
        """Title of its game."""
        return self.game.info.title

    def seated(self, pairing: Pairing) -> tuple[PlayerId, ...]:
        """Return who plays a pairing, in the order of entry."""
        return tuple(self.replays.get(str(pairing.index), pairing.players))

    def with_replay(
        self, index: int, players: Sequence[PlayerId], entrants: Sequence[PlayerId] = ()
    ) -> Self:
        """Return the competition after a match was cancelled in which these players sat last.

        `entrants` are those for whom they play.
        """
        replays = {**self.replays, str(index): list(players)}
        replayed = {**self.replayed, str(index): list(entrants)} if entrants else self.replayed
        return replace(self, replays=replays, replayed=replayed)

    def with_successor(self, old: PlayerId, new: PlayerId) -> Self:
        """Return the competition after a member took over a player's entry and results."""
        followed = {who: new if whom == old else whom for who, whom in self.successors.items()}
        replays, replayed = (
            {
                index: [new if each == old else each for each in players]
                for index, players in by_index.items()
            }
            for by_index in (self.replays, self.replayed)
        )
        return replace(
            self,
            players=tuple(new if each == old else each for each in self.players),
            replays=replays,
            replayed=replayed,
            successors={**followed, str(old): new},
            announcement=self.announcement and self.announcement.succeeded(old, new),
        )

    def with_late_entry(self, player: PlayerId, round_: int) -> Self:
        """Return the competition with another player, who plays from a round on."""
        number = len(self.players) + 1
        entries = self.entries.with_late(number, round_)
        return replace(self, players=(*self.players, player), entries=entries)

    def listing(self, players: Sequence[PlayerId]) -> Self:
        """Return the competition with its entrants in another order, or fewer, before it starts.

        Their byes follow them.
        """
        numbers = {str(self.players.index(each) + 1): str(n) for n, each in enumerate(players, 1)}
        byes = {numbers[old]: at for old, at in self.entries.byes.items() if old in numbers}
        return replace(self, players=tuple(players), entries=replace(self.entries, byes=byes))

    def without(self, player: PlayerId, round_: int) -> Self:
        """Return the competition after a player withdrew. This is their first round without it."""
        number = self.players.index(player) + 1
        return replace(self, entries=self.entries.with_withdrawal(number, round_))

    def with_bye(self, player: PlayerId, round_: int) -> Self:
        """Return the competition with a bye that a player has asked for.

        Raises OptionError if they cannot have it.
        """
        number = self.players.index(player) + 1
        return replace(self, entries=self.entries.with_bye(number, round_))

    def bye_points(self, number: int, round_: int) -> Fraction:
        """Return the points of a player for a bye in a round, if they asked for it."""
        return Fraction()

    def in_round(self, round_: int) -> tuple[PlayerId, ...]:
        """Return the players who take part in a round, with or without a bye."""
        return self.entries.in_round(self.players, round_)

    def entrants(self, match: MatchSummary, index: int) -> tuple[PlayerId, ...]:
        """Return the entrants whose match it is, in the order of entry, whoever plays it now."""
        if str(index) in self.replayed:
            return tuple(self.replayed[str(index)])
        began = match.began if match.hands.earlier else match.seats
        firsts = (held[0] for held in match.game.info.holders[len(set(began.values()))])
        return tuple(self._successor(began[seat]) for seat in firsts)

    def numbered(
        self,
        wanted: Iterable[tuple[int, tuple[PlayerId, ...]]],
        matches: Sequence[MatchSummary],
    ) -> tuple[Pairing, ...]:
        """Return pairings for rounds and players, with the lowest free numbers.

        A cancelled match that its last players play again keeps its number.
        """
        used = {index_of(match) for match in matches}
        kept = {frozenset(who): int(index) for index, who in self.replayed.items()}
        free = (n for n in count(1) if n not in used and str(n) not in self.replayed)
        pairings = []
        for round_, players in wanted:
            again = kept.get(frozenset(players))
            index = again if again is not None and again not in used else next(free)
            pairings.append(Pairing(round_, index, players))
        return tuple(pairings)

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
    announcement: Announcement | None = None


_LATER = frozenset({"replays", "replayed", "successors", "entries", "tie_breaks", "seed"})
"""Terms that are stored only if they have a value, as they arose later than their kinds."""


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _own_fields(kind: type[Competition]) -> list[str]:
    return [each.name for each in fields(kind) if each.name not in Common._fields]


def remaining(pairings: Iterable[Pairing], matches: Sequence[MatchSummary]) -> Iterator[Pairing]:
    """Return the pairings whose matches have not started, for a kind that knows them all."""
    begun = {index_of(match) for match in matches}
    return (pairing for pairing in pairings if pairing.index not in begun)


def opponents_left(
    of: Competition, left: Iterable[Pairing], player: PlayerId
) -> tuple[PlayerId, ...]:
    """Return the opponents of a player in some pairings, without those who have withdrawn."""
    met = (each for pairing in left if player in pairing.players for each in pairing.players)
    return tuple(each for each in dict.fromkeys(met) if each in of.taking_part and each != player)


def next_round(pairings: Iterable[Pairing], matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
    """Return the remaining pairings of a round, once all matches so far have ended.

    So a cancelled match waits for the others of its round.
    """
    if any(match.result is None for match in matches):
        return ()
    return rest_of_round(pairings, matches)


def rest_of_round(
    pairings: Iterable[Pairing], matches: Sequence[MatchSummary]
) -> tuple[Pairing, ...]:
    """Return the remaining pairings of a round, once all matches of other rounds have ended."""
    left = remaining(pairings, matches)
    first = next(left, None)
    if first is None or any(m.result is None and round_of(m) != first.round for m in matches):
        return ()
    return (first, *takewhile(lambda pairing: pairing.round == first.round, left))


def ended(matches: Iterable[MatchSummary]) -> list[MatchSummary]:
    """Return the matches that have ended."""
    return [match for match in matches if match.result is not None]


def index_of(match: MatchSummary) -> int:
    """Return the number of a match in its competition."""
    assert match.place is not None, "a match of a competition has a place"
    return match.place.index


def round_of(match: MatchSummary) -> int:
    """Return the round of a match in its competition."""
    assert match.place is not None, "a match of a competition has a place"
    return match.place.round


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
