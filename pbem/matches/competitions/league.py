"""Leagues: divisions that each play a round robin, with promotion and relegation between seasons.

docs/competitions.md states the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pbem.games.api import OptionError
from pbem.matches.competition import Competition, Pairing, index_of, round_of
from pbem.matches.competition_terms import CONCURRENT, DOUBLE, TIE_BREAKS, Term, whole
from pbem.matches.competitions.round_robin import LEAST, RoundRobin
from pbem.matches.entries import Entries
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.standing import Standing
from pbem.matches.table import Part, crossed
from pbem.matches.tie_breaks import ALL_MEET
from pbem.matches.words import phrase

Divisions = tuple[tuple[PlayerId, ...], ...]
"""Players of each division, the highest division first."""


@dataclass(frozen=True)
class LeagueStanding(Standing):
    """Standing of a league: the rows of all divisions, the highest first."""

    divisions: tuple[Standing, ...] = ()


@dataclass(frozen=True)
class League(Competition):
    """A season of a league. Its players are in the order of their divisions."""

    kind = "league"
    numbering = "leagues"
    announces = (
        Term(
            "division",
            lambda text: (whole("division", LEAST, 99)(text),),
            lambda sizes: phrase("competing.division", count=sizes[0]),
            "sizes",
            required=True,
        ),
        Term("moves", whole("moves", 0, 49), lambda count: phrase("competing.moves", count=count)),
        DOUBLE,
        CONCURRENT,
        TIE_BREAKS,
    )

    sizes: Sequence[int] = field(kw_only=True)
    """Number of players in each division, the highest first."""
    moves: int = field(default=1, kw_only=True)
    """Number of players who change places between two neighbouring divisions."""
    double: bool = field(default=False, kw_only=True)
    """Whether a second cycle follows, with the first move reversed."""
    concurrent: bool = field(default=False, kw_only=True)
    """Whether all matches start at once. Otherwise each division plays round by round."""
    tie_breaks: Sequence[str] = field(default=ALL_MEET, kw_only=True)

    def require_playable(self) -> None:
        """Raise OptionError unless each division can play a round robin and enough remain in it."""
        if sum(self.sizes) != len(self.players):
            raise OptionError("the sizes of the divisions must add up to the number of players")
        if self.moves < 0 or any(2 * self.moves > size for size in self.sizes[1:-1]):
            raise OptionError("more players move than a division has")
        if any(self.moves >= size for size in self.sizes):
            raise OptionError("more players move than a division has")
        for division, _ in self.divisions():
            division.require_playable()

    @property
    def least_players(self) -> int:
        """Three."""
        return LEAST

    def played_at_once(self, players: int) -> int:
        """Return the matches in the largest division, if they start at once."""
        largest = self.sizes[0] + max(LEAST, self.moves + 1) - 1
        return (min(players, largest) - 1) * (1 + self.double) if self.concurrent else 1

    def begun(self, players: Sequence[PlayerId]) -> League:
        """Return the season with its players cut into divisions of the first size.

        Those who remain are the lowest division, or belong to it if they are too few for one.
        """
        size = self.sizes[0]
        full, left = divmod(len(players), size)
        sizes = [size] * full
        if not sizes or left >= max(LEAST, self.moves + 1):
            sizes += [left]
        else:
            sizes[-1] += left
        return replace(self, players=tuple(players), sizes=tuple(sizes))

    def next_round(self, player: PlayerId, matches: Sequence[MatchSummary]) -> int:
        """Return the next round of the player's division, which waits for no other."""
        for division, above in self.divisions():
            if player in division.players:
                of_it = self._of_division(matches, division, above)
                return 1 + max(map(round_of, of_it), default=0)
        return 1

    def divisions(self) -> Iterator[tuple[RoundRobin, int]]:
        """Yield each division, and the number of matches in those above it."""
        players = above = 0
        for size in self.sizes:
            division = RoundRobin(
                self.game_key,
                self.players[players : players + size],
                self.options,
                self.created_at,
                id=self.id,
                number=self.number,
                double=self.double,
                concurrent=self.concurrent,
                tie_breaks=self.tie_breaks,
                seed=self.seed,
                entries=self._entries_from(players),
                replays=_from(self.replays, above),
                replayed=_from(self.replayed, above),
                successors=self.successors,
            )
            yield division, above
            players, above = players + size, above + division.length

    def _entries_from(self, players: int) -> Entries:
        withdrawn = {str(int(n) - players): at for n, at in self.entries.withdrawn.items()}
        return Entries(withdrawn=withdrawn)

    def _of_division(
        self, matches: Sequence[MatchSummary], division: RoundRobin, above: int
    ) -> list[MatchSummary]:
        """Return the matches of a division with their numbers in it."""
        of_it = (m for m in matches if above < index_of(m) <= above + division.length)
        return [
            replace(match, place=replace(match.place, index=match.place.index - above))
            for match in of_it
            if match.place is not None
        ]

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the matches that are due in each division. Divisions do not wait for another."""
        return tuple(
            replace(pairing, index=pairing.index + above)
            for division, above in self.divisions()
            for pairing in division.due(self._of_division(matches, division, above))
        )

    def sitting_out(
        self, before: Sequence[MatchSummary], started: Sequence[MatchSummary]
    ) -> tuple[PlayerId, ...]:
        """Return the players without a match in the rounds that their divisions have started."""
        return tuple(
            player
            for division, above in self.divisions()
            for player in division.sitting_out(
                self._of_division(before, division, above),
                self._of_division(started, division, above),
            )
        )

    def left_by(self, player: PlayerId, matches: Sequence[MatchSummary]) -> tuple[PlayerId, ...]:
        """Return the opponents of a player in matches of the division that have not started."""
        return tuple(
            each
            for division, above in self.divisions()
            for each in division.left_by(player, self._of_division(matches, division, above))
        )

    @property
    def length(self) -> int:
        """Number of matches in all divisions."""
        return sum(division.length for division, _ in self.divisions())

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return a cross-table for each division."""
        tables, last = self.standing(matches).divisions, len(self.sizes)
        unplayed = (
            division.unplayed(self._of_division(matches, division, above))
            for division, above in self.divisions()
        )
        return tuple(
            replace(
                crossed(table.rows, marks),
                division=number,
                up=self.moves * (number > 1),
                down=self.moves * (number < last),
            )
            for number, (table, marks) in enumerate(zip(tables, unplayed, strict=True), 1)
        )

    def standing(self, matches: Sequence[MatchSummary]) -> LeagueStanding:
        """Return the tables of the divisions. The first of the highest division wins."""
        tables = tuple(
            division.standing(self._of_division(matches, division, above))
            for division, above in self.divisions()
        )
        rows = tuple(
            row._replace(scored=tuple(replace(e, index=e.index + above) for e in row.scored))
            for table, (_, above) in zip(tables, self.divisions(), strict=True)
            for row in table.rows
        )
        over = all(table.over for table in tables)
        return LeagueStanding(rows, over, tables[0].winners if over else (), tables)


def _from(by_index: object, above: int) -> dict[str, Sequence[PlayerId]]:
    assert isinstance(by_index, dict), "terms are JSON"
    return {str(int(index) - above): players for index, players in by_index.items()}


def next_season(
    tables: Sequence[Sequence[PlayerId]],
    moves: int,
    leaving: Collection[PlayerId] = (),
    joining: Sequence[PlayerId] = (),
) -> Divisions:
    """Return the divisions of the next season from the players of each, best first.

    The last of each division change places with the first of the next one. Then those who leave
    are taken out, those who join follow the last, and the list is cut into divisions of the same
    sizes, of which the lowest takes all that remain.
    """
    order = [list(table) for table in tables]
    for upper, lower in pairwise(range(len(order))):
        down, up = tables[upper][len(tables[upper]) - moves :], tables[lower][:moves]
        order[upper] = [*(p for p in order[upper] if p not in down), *up]
        order[lower] = [*down, *(p for p in order[lower] if p not in up)]
    everybody = [p for division in order for p in division if p not in leaving]
    everybody += [p for p in joining if p not in everybody]
    sizes = [len(table) for table in tables[:-1]]
    cuts = [sum(sizes[:at]) for at in range(len(sizes) + 1)]
    divisions = [everybody[at:to] for at, to in pairwise((*cuts, len(everybody)))]
    return tuple(tuple(division) for division in divisions if division)


KIND = League
