"""Knock-outs: the loser of each tie is out, and the winner meets that of the next tie.

docs/competitions.md states the rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from pbem.games.api import OptionError
from pbem.matches.competition import Competition, Pairing
from pbem.matches.competition_terms import Term, one_of, switch, whole
from pbem.matches.lots import lot
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.meetings import Meeting, by_player, meetings, scores
from pbem.matches.standing import Standing, StandingRow, TieBreak
from pbem.matches.table import Bracket, BracketTie, Part, Side
from pbem.matches.words import phrase

LEVEL = ("seed", "lots")
"""What decides a tie that is still level after its last replay."""


@dataclass(frozen=True)
class Tie:
    """A place in the bracket for two players. A player is None while unknown, or if nobody came."""

    round: int
    players: tuple[PlayerId | None, PlayerId | None]
    """The one with the lower number first."""
    known: bool
    """Whether it is certain who they are."""
    games: tuple[Meeting, ...] = ()
    decided: bool = False
    winner: PlayerId | None = None
    """None while undecided, or if nobody is left."""
    third_place: bool = False

    @property
    def loser(self) -> PlayerId | None:
        """The player who is out. None while undecided, or after a bye."""
        out = (each for each in self.players if each is not None and each != self.winner)
        return next(out, None) if self.decided else None


class Outcome(NamedTuple):
    """What a tie means for one of its players, once its last match has ended."""

    tie: Tie
    score: tuple[Fraction, Fraction]
    """Points of the player and of the opponent."""
    level: str
    """What decided a level tie, one of `LEVEL`. Empty if it was not level, or is not decided."""
    following: Tie | None
    """The next tie of the player. None if there is none."""
    rivals: tuple[PlayerId, ...]
    """The opponent there, or the two of whom one will be. Empty if they are not known."""


def seeded(size: int) -> list[int]:
    """Return numbers from 1 in the order of a bracket for a power of two, the first against last.

    If the lower number always wins, each round pairs the first with the last that remain.
    """
    order = [1]
    while len(order) < size:
        order = [each for number in order for each in (number, 2 * len(order) + 1 - number)]
    return order


@dataclass(frozen=True)
class KnockOut(Competition):
    """A knock-out. Its players are in the order of their seeds."""

    kind = "knock-out"
    numbering = "knock-outs"
    announces = (
        Term(
            "best-of",
            whole("best-of", 1, 99),
            lambda count: phrase("competing.best-of", count=count),
        ),
        Term("extra", whole("extra", 0, 99), lambda count: phrase("competing.extra", count=count)),
        Term(
            "level",
            one_of("level", *LEVEL),
            lambda how: (
                phrase("competing.level-lots") if how == "lots" else phrase("competing.level-seed")
            ),
        ),
        Term(
            "third-place",
            switch("third-place"),
            lambda on: phrase("competing.third-place") if on else None,
        ),
    )

    best_of: int = field(default=1, kw_only=True)
    """Most matches of a tie, without replays."""
    extra: int = field(default=2, kw_only=True)
    """Most replays of a tie that is level."""
    level: str = field(default="seed", kw_only=True)
    """What decides after that. One of `LEVEL`."""
    third_place: bool = field(default=False, kw_only=True)
    """Whether the losers of the semi-finals meet."""

    def require_playable(self) -> None:
        """Raise OptionError unless two or more people play a game for two."""
        self.require_for_two()
        if len(self.players) < 2:
            raise OptionError("a knock-out needs two or more players")
        if self.best_of < 1 or self.extra < 0 or self.level not in LEVEL:
            raise OptionError(
                "in a knock-out, best_of is at least 1, extra at least 0, and level seed or lots"
            )

    def next_round(self, player: PlayerId, matches: Sequence[MatchSummary]) -> int:
        """Return the round of the first tie of a player that is not decided, even if it started.

        So the opponent in that tie goes through if the player withdraws, unless they have lost it.
        """
        ties = (tie for round_ in self.bracket(matches) for tie in round_)
        open_ = (tie.round for tie in ties if player in tie.players and not tie.decided)
        return next(open_, self.rounds + 1)

    def is_out(self, player: PlayerId, matches: Sequence[MatchSummary]) -> bool:
        """Return whether a player has been knocked out, and no match for third place follows."""
        return self.next_round(player, matches) > self.rounds

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return (len(self.players) - 1).bit_length()

    def bracket(self, matches: Sequence[MatchSummary]) -> tuple[tuple[Tie, ...], ...]:
        """Return the ties by round. The match for third place is the last one before the final."""
        played = defaultdict[frozenset[PlayerId | None], list[Meeting]](list)
        for each in meetings(self, matches):
            played[frozenset(each.players)].append(each)
        players = [self._numbered(number) for number in seeded(2**self.rounds)]
        sides: list[tuple[bool, PlayerId | None]] = [(True, player) for player in players]
        found: list[tuple[Tie, ...]] = []
        for round_ in range(1, self.rounds + 1):
            pairs = list(zip(sides[::2], sides[1::2], strict=True))
            ties = [self._tie(round_, pair, played) for pair in pairs]
            if self.third_place and round_ == self.rounds > 1:
                losers = [(tie.decided, tie.loser) for tie in found[-1]]
                ties.insert(0, self._tie(round_, (losers[0], losers[1]), played, third=True))
            sides = [(tie.decided, tie.winner) for tie in ties if not tie.third_place]
            found.append(tuple(ties))
        return tuple(found)

    def _numbered(self, number: int) -> PlayerId | None:
        return self.players[number - 1] if number <= len(self.players) else None

    def _tie(
        self,
        round_: int,
        pair: tuple[tuple[bool, PlayerId | None], tuple[bool, PlayerId | None]],
        played: Mapping[frozenset[PlayerId | None], Sequence[Meeting]],
        *,
        third: bool = False,
    ) -> Tie:
        known = all(each for each, _ in pair)
        one, other = sorted((player for _, player in pair), key=self._seed_of)
        games = tuple(played.get(frozenset((one, other)), ()))
        tie = Tie(round_, (one, other), known, games, third_place=third)
        decided, winner = self._decided(tie) if known else (False, None)
        return Tie(round_, (one, other), known, games, decided, winner, third)

    def _seed_of(self, player: PlayerId | None) -> int:
        return len(self.players) if player is None else self.players.index(player)

    def _decided(self, tie: Tie) -> tuple[bool, PlayerId | None]:
        """Return whether a tie between known players is decided, and who goes through."""
        one, other = tie.players
        if one is None or other is None:
            return True, one
        if not all(each.ended for each in tie.games):
            return False, None
        ahead = _ahead(tie.games, self.best_of, one)
        gone = [each for each in (one, other) if not self._plays_in(each, tie.round)]
        if ahead and not (gone and tie.round == self.rounds):
            return True, one if ahead > 0 else other
        if gone:
            return True, None if len(gone) == 2 else other if gone == [one] else one
        if len(tie.games) < self.best_of + self.extra:
            return False, None
        if self.level == "lots" and self._lot(tie, "level"):
            return True, other
        return True, one

    def _plays_in(self, player: PlayerId, round_: int) -> bool:
        return self.entries.takes_part(self.players.index(player) + 1, round_)

    def _lot(self, tie: Tie, label: str) -> int:
        """Return 0 or 1 for the player with the lower or the higher number."""
        numbers = (self._seed_of(each) + 1 for each in tie.players)
        return lot(self.seed, label, tie.round, *numbers) % 2

    def outcome(
        self, player: PlayerId, index: int, matches: Sequence[MatchSummary]
    ) -> Outcome | None:
        """Return what the tie of a match means for a player. None if it is not theirs."""
        bracket = self.bracket(matches)
        ties = [tie for round_ in bracket for tie in round_ if player in tie.players]
        tie = next((t for t in ties if index in (each.index for each in t.games)), None)
        if tie is None or not all(each.ended for each in tie.games):
            return None
        one, other = tie.players
        assert one is not None, "they have met"
        assert other is not None, "they have met"
        sides = (one, other) if player == one else (other, one)
        mine, theirs = (sum((e.of(p) for e in tie.games), Fraction()) for p in sides)
        withdrawn = not (self._plays_in(one, tie.round) and self._plays_in(other, tie.round))
        level = tie.decided and not withdrawn and not _ahead(tie.games, self.best_of, one)
        later = (each for each in ties if each.round > tie.round)
        following = next((each for each in later if not each.decided), None)
        rivals = () if following is None else self._rivals(player, following, bracket)
        return Outcome(tie, (mine, theirs), self.level if level else "", following, rivals)

    def _rivals(
        self, player: PlayerId, tie: Tie, bracket: Sequence[Sequence[Tie]]
    ) -> tuple[PlayerId, ...]:
        """Return a player's opponent in a tie, or the two who meet in the tie before it."""
        others = [each for each in tie.players if each is not None and each != player]
        if not others:
            earlier, here = bracket[tie.round - 2], bracket[tie.round - 1]
            at = 0 if tie.third_place else here.index(tie) - here[0].third_place
            pair = (each for each in earlier[2 * at : 2 * at + 2] if player not in each.players)
            others = [p for each in pair for p in each.players if p is not None]
            others = others if len(others) == 2 else []
        return tuple(others)

    def freed_by(
        self, index: int, matches: Sequence[MatchSummary]
    ) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """Return the winner of a match's tie and their next opponent, if the winner withdrew."""
        ties = [tie for round_ in self.bracket(matches) for tie in round_]
        ended = next((t for t in ties if index in (each.index for each in t.games)), None)
        if ended is None:  # its match was cancelled
            return ()
        return tuple(
            (ended.winner, tie.winner)
            for tie in ties
            if tie.round > ended.round and ended.winner in tie.players and not tie.games
            if ended.winner is not None and tie.winner not in (None, ended.winner)
        )

    def sitting_out(
        self, before: Sequence[MatchSummary], started: Sequence[MatchSummary]
    ) -> tuple[PlayerId, ...]:
        """Return nobody, since ties start one by one."""
        return ()

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the next match of each tie whose players are known."""
        ties = [tie for round_ in self.bracket(matches) for tie in round_]
        games = [each for tie in ties for each in tie.games]
        wanted = [
            (tie.round, self._order(tie, games))
            for tie in ties
            if tie.known and not tie.decided and all(each.ended for each in tie.games)
        ]
        return self.numbered(wanted, matches)

    def _order(self, tie: Tie, games: Sequence[Meeting]) -> tuple[PlayerId, ...]:
        """Return the players of the next match. The one who began fewer begins the first.

        After that they take turns to begin.
        """
        one, other = tie.players
        assert one is not None, "it is known who they are"
        assert other is not None, "it is known who they are"
        if tie.games:
            first, second = tie.games[-1].players
            return second, first
        earlier = [each for each in games if each.round < tie.round]
        begun = {
            player: sum(each.balance(player) for each in earlier if player in each.players)
            for player in (one, other)
        }
        if begun[one] == begun[other]:
            return (other, one) if self._lot(tie, "first") else (one, other)
        return (one, other) if begun[one] < begun[other] else (other, one)

    @property
    def length(self) -> int:
        """Least number of matches of all ties, without byes."""
        ties = len(self.players) - 1 + (self.third_place and len(self.players) > 3)
        return ties * (self.best_of // 2 + 1)

    @property
    def round_total(self) -> int:
        """Number of rounds."""
        return (len(self.players) - 1).bit_length()

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the bracket."""
        rounds = self.bracket(matches)
        third = [tie for tie in rounds[-1] if tie.third_place]
        shown = tuple(
            tuple(_shown(tie, self._in_place(tie)) for tie in round_ if not tie.third_place)
            for round_ in rounds
        )
        last = _shown(third[0], third[0].players) if third else None
        return (Bracket(shown, last, self.best_of),)

    def _in_place(self, tie: Tie) -> tuple[PlayerId | None, PlayerId | None]:
        """Return the players of a tie in the order of the ties that they come from."""
        one, other = tie.players
        if one is None:
            return tie.players
        place = seeded(2**self.rounds).index(self._seed_of(one) + 1)
        return (other, one) if place >> (tie.round - 1) & 1 else (one, other)

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the players by rounds survived, third place, matches won, and seed."""
        bracket, played = self.bracket(matches), by_player(meetings(self, matches))
        ties = [tie for round_ in bracket for tie in round_]
        rows = [self._row(player, played.get(player, ()), ties) for player in self.players]
        rows.sort(key=lambda row: (row.points, *(each.value for each in row.tie_breaks)))
        rows.reverse()
        final = bracket[-1][-1]
        over = all(tie.decided for tie in ties)
        winners = (final.winner,) if over and final.winner is not None else ()
        return Standing(tuple(rows), over, winners)

    def _row(self, player: PlayerId, played: Sequence[Meeting], ties: Sequence[Tie]) -> StandingRow:
        survived = sum(tie.winner == player for tie in ties if not tie.third_place)
        third = any(tie.winner == player for tie in ties if tie.third_place)
        won = sum(each.winner == player for each in played)
        breaks = tuple(self._breaks(third, won, len(self.players) - self._seed_of(player)))
        return StandingRow(player, Fraction(survived), scores(player, played), breaks)

    def _breaks(self, third: bool, won: int, seeded_above: int) -> Iterator[TieBreak]:
        if self.third_place:
            yield TieBreak("third-place", Fraction(third))
        yield TieBreak("wins", Fraction(won))
        yield TieBreak("seed", Fraction(seeded_above))


def _shown(tie: Tie, players: tuple[PlayerId | None, PlayerId | None]) -> BracketTie:
    one, other = (
        Side(
            player,
            sum((each.of(player) for each in tie.games), Fraction()) if player else Fraction(),
        )
        for player in players
    )
    return BracketTie((one, other), tie.known, tie.winner, bool(tie.games))


def _ahead(games: Sequence[Meeting], best_of: int, player: PlayerId) -> int:
    """Return 1 or -1 if a player has won or lost a tie by its matches so far, otherwise 0."""
    results = [0 if e.winner is None else 1 if e.winner == player else -1 for e in games]
    lead, left = sum(results[:best_of]), best_of - len(results)
    if left <= 0:
        lead = lead or next((each for each in results[best_of:] if each), 0)
    won = abs(lead) > max(0, left)
    return (lead > 0) - (lead < 0) if won else 0


KIND = KnockOut
