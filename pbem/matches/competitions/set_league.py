"""Leagues of three-person sets: everybody sits with everybody as evenly as the numbers allow.

Each round divides the players into threes, and each three plays a set. docs/competitions.md states
the rules, and `triples` makes the schedule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Self

from pbem.games.api import OptionError
from pbem.matches.competition import (
    Competition,
    Pairing,
    ended,
    index_of,
    rest_of_round,
    round_of,
    takes_part,
)
from pbem.matches.competition_terms import CONCURRENT, Term, whole
from pbem.matches.competitions.set import MATCHES, MatchSet, credit
from pbem.matches.lots import drawn
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.standing import Scored, Standing, StandingRow, TieBreak, leaders
from pbem.matches.table import Column, Mark, Part, by_standing, with_rounds
from pbem.matches.triples import Evenness, Round, Triple, evenness, schedule, seats, usual_rounds
from pbem.matches.words import phrase

MOST_BYES = 2
"""Most byes by request of a player."""


@dataclass(frozen=True)
class SetLeague(Competition):
    """A league of sets. Its players are in the order of their numbers in the schedule."""

    kind = "set-league"
    called = phrase("kind.set-league")
    numbering = "leagues of sets"
    takes_late_entries = True
    takes_byes = True
    announces = (
        Term(
            "rounds",
            whole("rounds", 0, 99),
            lambda count: (
                phrase("competing.rounds", count=count)
                if count
                else phrase("competing.usual-rounds")
            ),
        ),
        CONCURRENT,
    )

    rounds: int = field(default=0, kw_only=True)
    """Number of rounds. 0 for the usual number, which is set when it starts."""
    concurrent: bool = field(default=False, kw_only=True)
    """Whether the matches of a set start at once. Otherwise they follow one another."""

    def require_playable(self) -> None:
        """Raise OptionError unless three or more people play a game with partners."""
        self._set((1, 2, 3), 1).require_playable()
        if len(self._present()[0]) < MATCHES:
            raise OptionError(phrase("entry.all-byes", round=1))

    def with_bye(self, player: PlayerId, round_: int) -> Self:
        """Return the league with a bye that a player has asked for.

        Raises OptionError if they have had two, or it is the last round.
        """
        number = str(self.players.index(player) + 1)
        if len(self.entries.byes.get(number, ())) >= MOST_BYES or round_ == self.rounds:
            raise OptionError(phrase("entry.most-byes", most=MOST_BYES))
        return super().with_bye(player, round_)

    def played_at_once(self, players: int) -> int:
        """Return the matches of a set, if they start at once."""
        return MATCHES if self.concurrent else 1

    @property
    def least_players(self) -> int:
        """Three."""
        return 3

    def begun(self, players: Sequence[PlayerId]) -> SetLeague:
        """Return the league as it starts, with the number of its rounds."""
        rounds = self.rounds or usual_rounds(len(players))
        return replace(self, players=tuple(players), rounds=rounds)

    @property
    def last_round(self) -> int:
        """Number of rounds."""
        return self.round_count

    @property
    def round_count(self) -> int:
        """Number of rounds. Late entries do not change it."""
        return self.rounds or usual_rounds(len(self.players) - len(self.entries.late))

    def schedule(self) -> tuple[Round, ...]:
        """Return the sets of each round by numbers of players, as far as the entries are known."""
        return schedule(self._present(), self.seed)

    def _present(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(
                number
                for number in range(1, len(self.players) + 1)
                if self.entries.takes_part(number, round_)
                and not self.entries.asked_bye(number, round_)
            )
            for round_ in range(1, self.round_count + 1)
        )

    @property
    def evenness(self) -> Evenness:
        """How often players meet and have byes, among those who play in every round."""
        return evenness(self.schedule(), self._present())

    def _set(self, triple: Triple, number: int) -> MatchSet:
        players = tuple(self.players[each - 1] for each in triple if each <= len(self.players))
        common = (self.game_key, players, self.options, self.created_at)
        return MatchSet(*common, concurrent=self.concurrent, number=number)

    def _sets(self) -> Mapping[int, tuple[int, Triple]]:
        return seats(self.schedule())

    def set_of(self, index: int) -> MatchSet:
        """Return the set to which a match belongs. Its number is that in the league."""
        number = (index - 1) // MATCHES + 1
        return self._set(self._sets()[number][1], number)

    def solo(self, index: int) -> PlayerId:
        """Return the solo player of a match."""
        return self.set_of(index).solo((index - 1) % MATCHES + 1)

    def pairings(self) -> Iterator[Pairing]:
        """Yield the matches of all sets, set by set."""
        for number, (round_, triple) in self._sets().items():
            for each in self._set(triple, number).pairings():
                yield Pairing(round_, MATCHES * (number - 1) + each.index, each.players)

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the matches of the current round that are next in their sets."""
        due = rest_of_round(self.pairings(), matches)
        if self.concurrent:
            return due
        waiting = {_set_number(index_of(m)) for m in matches if m.result is None}
        firsts: dict[int, Pairing] = {}
        for pairing in due:
            firsts.setdefault(_set_number(pairing.index), pairing)
        return tuple(each for number, each in firsts.items() if number not in waiting)

    @property
    def length(self) -> int:
        """Number of matches of all sets."""
        return MATCHES * len(self._sets())

    def entrants(self, match: MatchSummary, index: int) -> tuple[PlayerId, ...]:
        """Return the players of the set, in the order of entry in the match."""
        pairings = self.set_of(index).pairings()
        return next(e.players for e in pairings if e.index == (index - 1) % MATCHES + 1)

    @property
    def round_total(self) -> int:
        """Number of rounds."""
        return self.round_count

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the table, with the credits of each round and how often each player was alone."""
        rows, sets = self.standing(matches).rows, self._sets()
        over = {index_of(match): self.solo(index_of(match)) for match in ended(matches)}
        rounds = {index: sets[_set_number(index)][0] for index in over}
        begun = range(1, max(map(round_of, matches), default=0) + 1)
        alone = [Fraction(sum(over[e.index] == row.player for e in row.scored)) for row in rows]
        paired = [len(row.scored) - times for row, times in zip(rows, alone, strict=True)]
        table = by_standing(rows, alone=alone, paired=list(map(Fraction, paired)))
        columns = (Column("sum"), *table.columns[1:])
        marks = [[self._mark(row, round_, rounds) for round_ in begun] for row in rows]
        return (with_rounds(replace(table, columns=columns), marks),)

    def _mark(self, row: StandingRow, round_: int, rounds: Mapping[int, int]) -> tuple[Mark, ...]:
        """Return the credits of a player in a round."""
        credits = [each.points for each in row.scored if rounds[each.index] == round_]
        if credits:
            return (Mark(sum(credits, Fraction()), kind="credits"),)
        number = self.players.index(row.player) + 1
        if not self.entries.takes_part(number, round_):
            return (Mark(kind="absent"),)
        sits = any(at == round_ and number in triple for at, triple in self._sets().values())
        here = self.entries.takes_part(number, round_)
        return (Mark(kind="credits" if sits else "bye" if here else "absent"),)

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the players by the sum of their credits and the tie-breaks."""
        over = len(ended(matches)) == self.length
        matches, lots = self.inherited(matches), drawn(self.seed, self.players)
        solo = {index_of(match): self.solo(index_of(match)) for match in ended(matches)}
        rows = [self._row(player, matches, solo, lots[player]) for player in self.players]
        rows.sort(key=_rank)
        return Standing(tuple(rows), over, leaders(rows) if over else ())

    def _row(
        self,
        player: PlayerId,
        matches: Sequence[MatchSummary],
        solo: Mapping[int, PlayerId],
        place: int,
    ) -> StandingRow:
        credits = tuple(
            credit(match, player)
            for match in ended(matches)
            if _played(match, player) and takes_part(match, player)
        )
        breaks = (
            TieBreak("wins", Fraction(sum(each.points > 0 for each in credits))),
            TieBreak("solo", _sum(each for each in credits if solo[each.index] == player)),
            TieBreak("lots", Fraction(place)),
        )
        gone = player not in self.taking_part
        return StandingRow(player, _sum(credits), credits, breaks, gone)


def _rank(row: StandingRow) -> tuple[bool, Fraction, Fraction, Fraction, Fraction]:
    """Return the key that sorts rows, best first."""
    wins, solo, lots = (each.value for each in row.tie_breaks)
    return row.withdrawn, -row.points, -wins, -solo, lots


def _sum(credits: Iterator[Scored] | Sequence[Scored]) -> Fraction:
    return sum((each.points for each in credits), Fraction())


def _set_number(index: int) -> int:
    return (index - 1) // MATCHES + 1


def _played(match: MatchSummary, player: PlayerId) -> bool:
    return player in match.players or any(s.player == player for s in match.hands.earlier)


KIND = SetLeague
