"""Open houses: until a day, members who are free meet others who are free.

docs/competitions.md states the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from pbem.games.api import OptionError
from pbem.matches.competition import Pairing
from pbem.matches.competition_terms import TIE_BREAKS, Term, day, whole
from pbem.matches.lots import drawn, lot
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.meetings import Meeting, meetings, outcomes
from pbem.matches.open_ended import OpenEnded
from pbem.matches.standing import Standing, leaders
from pbem.matches.table import Part, by_standing
from pbem.matches.tie_breaks import SOME_MEET, Outcome, ranked, require_known
from pbem.matches.words import phrase


@dataclass(frozen=True)
class OpenHouse(OpenEnded):
    """An open house. Its players are in the order in which they entered."""

    kind = "open-house"
    called = phrase("kind.open-house")
    numbering = "open houses"
    heeds_blocks = True
    announces = (
        Term(
            "until", day("until"), lambda last: phrase("competing.until", day=last), required=True
        ),
        Term(
            "at-once",
            whole("at-once", 1, 20),
            lambda count: phrase("competing.at-once", count=count),
        ),
        TIE_BREAKS,
    )

    at_once: int = field(default=1, kw_only=True)
    """Most matches that a player plays at the same time."""
    tie_breaks: Sequence[str] = field(default=SOME_MEET, kw_only=True)
    apart: Collection[frozenset[PlayerId]] = field(default=(), kw_only=True)
    """Pairs that are not paired, as one blocks the other. Not among its terms."""

    @property
    def terms(self) -> dict[str, Any]:
        """Terms other than the match options, as JSON."""
        return {name: value for name, value in super().terms.items() if name != "apart"}

    def keeping_apart(self, blocks: Collection[frozenset[PlayerId]]) -> OpenHouse:
        """Return the open house without these pairs."""
        return replace(self, apart=blocks)

    def require_playable(self) -> None:
        """Raise OptionError unless two or more people play a game for two."""
        self.require_for_two()
        if len(self.players) < 2 or self.at_once < 1:
            raise OptionError("an open house needs two or more players, and a match at once")
        require_known(self.tie_breaks)

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return matches between players who are free, as long as it is open.

        Pairs are taken in the order of how often they have met, then how many points they are
        apart, then by lot. Two who have met meet again only if both have met all others who take
        part at least as often. Those kept apart do not count.
        """
        played = meetings(self, matches)
        met = Counter(frozenset(each.players) for each in played)
        again = [tuple(who) for index, who in self.replayed.items() if self._open(index, played)]
        wanted = [] if self.closed else self._pairs(played, met)
        wanted = [pair for pair in wanted if not any({*pair} == {*one} for one in again)]
        return self.numbered([(1, pair) for pair in (*again, *wanted)], matches)

    @staticmethod
    def _open(index: str, played: Sequence[Meeting]) -> bool:
        return all(str(each.index) != index for each in played)

    def _pairs(
        self, played: Sequence[Meeting], met: Mapping[frozenset[PlayerId], int]
    ) -> list[tuple[PlayerId, PlayerId]]:
        here = [p for n, p in enumerate(self.players, 1) if str(n) not in self.entries.withdrawn]
        running = Counter(p for each in played if not each.ended for p in each.players)
        free = {player: self.at_once - running[player] for player in here}
        points = {player: Fraction() for player in self.players}
        for each in played:
            for player in each.players:
                points[player] += each.of(player)
        busy = {frozenset(each.players) for each in played if not each.ended}
        candidates = [
            pair
            for pair in self._by_wish(here, points, met)
            if free[pair[0]] > 0 and free[pair[1]] > 0 and frozenset(pair) not in busy
        ]
        ahead = Counter[PlayerId]()
        for each in played:
            ahead.update({player: each.balance(player) for player in each.players})
        found: list[tuple[PlayerId, PlayerId]] = []
        now = Counter(met)
        while pair := self._next(candidates, free, now, here):
            candidates.remove(pair)
            first, second = self._order(*pair, ahead, now[frozenset(pair)])
            ahead.update({first: 1, second: -1})
            now[frozenset(pair)] += 1
            for player in pair:
                free[player] -= 1
            found.append((first, second))
        return found

    def _by_wish(
        self,
        here: Sequence[PlayerId],
        points: Mapping[PlayerId, Fraction],
        met: Mapping[frozenset[PlayerId], int],
    ) -> list[tuple[PlayerId, PlayerId]]:
        """Return all pairs: those who met least often first, then the nearest, then by lot."""
        numbers = {player: number for number, player in enumerate(self.players, 1)}

        def key(pair: tuple[PlayerId, PlayerId]) -> tuple[int, Fraction, int]:
            one, other = pair
            times = met[frozenset(pair)]
            chance = lot(self.seed, "pair", times, numbers[one], numbers[other])
            return times, abs(points[one] - points[other]), chance

        pairs = (pair for pair in combinations(here, 2) if frozenset(pair) not in self.apart)
        return sorted(pairs, key=key)

    def _next(
        self,
        candidates: Sequence[tuple[PlayerId, PlayerId]],
        free: Mapping[PlayerId, int],
        met: Mapping[frozenset[PlayerId], int],
        here: Sequence[PlayerId],
    ) -> tuple[PlayerId, PlayerId] | None:
        """Return the first pair of free players who have met nobody else less often."""

        def least(one: PlayerId) -> int:
            others = (frozenset((one, other)) for other in here if other != one)
            return min(met[pair] for pair in others if pair not in self.apart)

        for one, other in candidates:
            if free[one] > 0 and free[other] > 0:
                times = met[frozenset((one, other))]
                if times <= least(one) and times <= least(other):
                    return one, other
        return None

    def _order(
        self, one: PlayerId, other: PlayerId, ahead: Mapping[PlayerId, int], times: int
    ) -> tuple[PlayerId, PlayerId]:
        """Return two players, the one who began fewer matches first, or by lot."""
        if ahead[one] == ahead[other]:
            numbers = (self.players.index(one) + 1, self.players.index(other) + 1)
            return (other, one) if lot(self.seed, "first", times, *numbers) % 2 else (one, other)
        return (one, other) if ahead[one] < ahead[other] else (other, one)

    @property
    def length(self) -> int:
        """Number of pairs of players, as nothing else is known."""
        return len(self.players) * (len(self.players) - 1) // 2

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the table, with the number of matches that each player plays now."""
        rows = self.rows(matches)
        counts = Counter(
            p for each in meetings(self, matches) if not each.ended for p in each.players
        )
        return (
            by_standing(
                rows,
                played=[Fraction(len(row.scored)) for row in rows],
                running=[Fraction(counts[row.player]) for row in rows],
            ),
        )

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the players by points and the tie-breaks. The first wins when it has closed."""
        played = meetings(self, matches)
        ledger: dict[PlayerId, list[Outcome]] = {player: [] for player in self.players}
        for each in played:
            for player in each.players:
                ledger[player] += outcomes(each, player)
        rows = ranked(ledger, self.tie_breaks, drawn(self.seed, self.players), self.taking_part)
        over = self.closed and all(each.ended for each in played) and not self.due(matches)
        return Standing(rows, over, leaders(rows) if over else ())


KIND = OpenHouse
