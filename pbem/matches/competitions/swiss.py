"""Swiss tournaments: each round pairs players with equal or similar points who have not met.

docs/competitions.md states the rules, and `swiss_pairing` applies them to one round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self

from pbem.games.api import OptionError
from pbem.matches.competition import Competition, Pairing
from pbem.matches.competition_terms import TIE_BREAKS, Term, whole
from pbem.matches.lots import drawn
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.meetings import Meeting, by_player, meetings, outcomes
from pbem.matches.standing import Standing, StandingRow, leaders
from pbem.matches.swiss_pairing import Contender, Paired, available, paired
from pbem.matches.table import Mark, Part, by_standing, with_rounds
from pbem.matches.tie_breaks import HALF, SOME_MEET, Outcome, ranked, require_known, total
from pbem.matches.words import phrase

HALF_BYES = 2
"""Most byes by request that give a player half a point."""


@dataclass(frozen=True)
class Swiss(Competition):
    """A Swiss tournament. Its players are in the order of their numbers."""

    kind = "swiss"
    called = phrase("kind.swiss")
    numbering = "Swiss tournaments"
    takes_late_entries = True
    takes_byes = True
    announces = (
        Term(
            "rounds",
            whole("rounds", 1, 99),
            lambda count: phrase("competing.rounds", count=count),
            required=True,
        ),
        TIE_BREAKS,
    )

    rounds: int = field(kw_only=True)
    tie_breaks: Sequence[str] = field(default=SOME_MEET, kw_only=True)

    def require_playable(self) -> None:
        """Raise OptionError unless there are more players than rounds, and a game for two."""
        self.require_for_two()
        if not available():
            raise OptionError("Swiss tournaments need networkx: install pbem with its extra swiss")
        if not 1 <= self.rounds < len(self.players):
            raise OptionError("a Swiss tournament needs more players than rounds, and a round")
        require_known(self.tie_breaks)
        self._require_pair(1)

    def _require_pair(self, round_: int) -> None:
        if len(self._playing(round_)) < 2:
            raise OptionError(phrase("entry.all-byes", round=round_))

    @property
    def least_players(self) -> int:
        """One more than rounds."""
        return self.rounds + 1

    @property
    def last_round(self) -> int:
        """Number of rounds."""
        return self.rounds

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the next round once the last one has ended, and matches to be played again."""
        played = meetings(self, matches)
        begun = max((each.round for each in played), default=0)
        wanted = [pair for round_ in range(1, begun + 1) for pair in self._pairs(round_, played)]
        if not wanted and all(each.ended for each in played) and begun < self.rounds:
            wanted = self._pairs(begun + 1, played)
        return self.numbered(wanted, matches)

    def _pairs(
        self, round_: int, played: Sequence[Meeting]
    ) -> list[tuple[int, tuple[PlayerId, ...]]]:
        """Return the pairs of a round that have not started."""
        found = self._paired(round_, played)
        pairs = () if found is None else found.pairs
        return [(round_, (self.players[one - 1], self.players[two - 1])) for one, two in pairs]

    def _paired(self, round_: int, played: Sequence[Meeting]) -> Paired | None:
        """Return the pairing of the players of a round who have no match yet."""
        playing = self._playing(round_)
        seated = {each for match in played if match.round == round_ for each in match.players}
        left = frozenset(n for n, player in playing.items() if player not in seated)
        if len(left) < 2:
            return Paired((), next(iter(left), None)) if seated else None
        return paired(self._contenders(round_, played), left, self.seed, round_)

    def contenders(self, round_: int, matches: Sequence[MatchSummary]) -> tuple[Contender, ...]:
        """Return what decides the pairing of a round."""
        return self._contenders(round_, meetings(self, matches))

    def _contenders(self, round_: int, played: Sequence[Meeting]) -> tuple[Contender, ...]:
        others = by_player(each for each in played if each.round != round_)
        before = self._ledger(round_ - 1, played)
        numbers = {player: number for number, player in enumerate(self.players, 1)}
        return tuple(
            Contender(
                number,
                total(before[player]),
                frozenset(numbers[each.other(player)] for each in others.get(player, ())),
                tuple(
                    each.balance(player) for each in others.get(player, ()) if each.round < round_
                ),
                any(each.against is None and each.points == 1 for each in before[player]),
                _floated(player, before),
            )
            for number, player in self._playing(round_).items()
        )

    def _playing(self, round_: int) -> Mapping[int, PlayerId]:
        """Return the players of a round by number, without those who asked for a bye."""
        return {
            number: player
            for number, player in enumerate(self.players, 1)
            if self.entries.takes_part(number, round_)
            and not self.entries.asked_bye(number, round_)
        }

    def bye(self, round_: int, matches: Sequence[MatchSummary]) -> PlayerId | None:
        """Return the player whom the pairing of a round that has begun leaves without opponent."""
        return self._bye(round_, meetings(self, matches))

    def _bye(self, round_: int, played: Sequence[Meeting]) -> PlayerId | None:
        seated = {each for match in played if match.round == round_ for each in match.players}
        left = [player for player in self._playing(round_).values() if player not in seated]
        return left[0] if seated and len(left) == 1 else None

    def _ledger(self, through: int, played: Sequence[Meeting]) -> dict[PlayerId, list[Outcome]]:
        """Return the outcomes of the rounds that have begun, up to one of them."""
        ledger: dict[PlayerId, list[Outcome]] = {player: [] for player in self.players}
        by_round = defaultdict[int, list[Meeting]](list)
        for each in played:
            by_round[each.round].append(each)
        for round_ in range(1, min(through, max(by_round, default=0)) + 1):
            seated = {player: each for each in by_round[round_] for player in each.players}
            bye = self._bye(round_, by_round[round_])
            for number, player in enumerate(self.players, 1):
                if player in seated:
                    ledger[player] += outcomes(seated[player], player)
                elif player == bye:
                    ledger[player].append(Outcome(Fraction(1)))
                else:
                    worth = self.bye_points(number, round_)
                    ledger[player].append(Outcome(worth, absent=True))
        return ledger

    def with_bye(self, player: PlayerId, round_: int) -> Self:
        """Return the tournament with a bye that a player has asked for.

        Raises OptionError if nobody could play in that round.
        """
        after = super().with_bye(player, round_)
        if not self.unstarted:
            after._require_pair(round_)
        return after

    def bye_points(self, number: int, round_: int) -> Fraction:
        """Return half a point for the first two byes by request, except in the last round."""
        asked = self.entries.byes.get(str(number), ())[:HALF_BYES]
        present = self.entries.takes_part(number, round_) and round_ < self.rounds
        return HALF * (present and round_ in asked)

    @property
    def length(self) -> int:
        """Number of matches if nobody enters, withdraws or asks for a bye after now."""
        return sum(len(self._playing(round_)) // 2 for round_ in range(1, self.rounds + 1))

    @property
    def round_total(self) -> int:
        """Number of rounds."""
        return self.rounds

    def rows(self, matches: Sequence[MatchSummary]) -> tuple[StandingRow, ...]:
        """Return the players by points and the tie-breaks."""
        ledger = self._ledger(self.rounds, meetings(self, matches))
        return ranked(ledger, self.tie_breaks, drawn(self.seed, self.players), self.taking_part)

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the table with the opponent and the result in each round."""
        rows, played = self.rows(matches), meetings(self, matches)
        places = {row.player: place for place, row in enumerate(rows, 1)}
        begun = range(1, max((each.round for each in played), default=0) + 1)
        marks: dict[PlayerId, list[tuple[Mark, ...]]] = {player: [] for player in self.players}
        for round_ in begun:
            of_it = [each for each in played if each.round == round_]
            seated, bye = by_player(of_it), self._bye(round_, of_it)
            for number, player in enumerate(self.players, 1):
                marks[player].append(
                    tuple(each.mark(player, places) for each in seated.get(player, ()))
                    or (self._unplayed(number, round_, player == bye),)
                )
        return (with_rounds(by_standing(rows), [marks[row.player] for row in rows]),)

    def _unplayed(self, number: int, round_: int, bye: bool) -> Mark:
        worth = Fraction(1) if bye else self.bye_points(number, round_)
        return Mark(worth, kind="bye" if worth else "absent")

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the players by points and the tie-breaks."""
        played, rows = meetings(self, matches), self.rows(matches)
        over = all(each.ended for each in played) and not self.due(matches)
        return Standing(rows, over, leaders(rows) if over else ())


def _floated(player: PlayerId, before: Mapping[PlayerId, Sequence[Outcome]]) -> int:
    """Return -1 if the last opponent of a player had fewer points, or there was none, 1 if more."""
    if not before[player]:
        return 0
    *earlier, last = before[player]
    if last.against is None:
        return -1
    mine, theirs = total(earlier), total(before[last.against][: len(earlier)])
    return (theirs > mine) - (theirs < mine)


KIND = Swiss
