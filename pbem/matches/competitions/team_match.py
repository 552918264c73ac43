"""Team matches: two teams, whose players meet on boards 1 to n.

docs/competitions.md states the rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.matches.competition import (
    Competition,
    Pairing,
    opponents_left,
    remaining,
    rest_of_round,
)
from pbem.matches.competition_terms import CONCURRENT, Term, names, switch
from pbem.matches.lots import lot
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.meetings import Meeting, by_player, meetings, scores
from pbem.matches.standing import Standing, StandingRow, TieBreak
from pbem.matches.table import UNPLAYED, Board, Boards, Mark, Part
from pbem.matches.words import phrase


def _two_teams(text: str) -> tuple[str, ...]:
    """Read the names of two teams. Raises OptionError for any other number."""
    teams = names(text)
    if len({each.casefold() for each in teams}) != 2:
        raise OptionError(phrase("competing.two-teams", text=repr(text)))
    return teams


def _against(teams: Sequence[str]) -> Phrase:
    return phrase("competing.teams", one=teams[0], other=teams[1])


_DOUBLE = Term(
    "double",
    switch("double"),
    lambda on: phrase("competing.two-a-board") if on else phrase("competing.one-a-board"),
)
_AS_ENTERED = Term(
    "as-entered",
    switch("as-entered"),
    lambda on: phrase("competing.teams-as-entered") if on else phrase("competing.teams-by-lot"),
)


@dataclass(frozen=True)
class TeamRow:
    """The result of a team."""

    name: str
    players: tuple[PlayerId, ...]
    """In the order of the boards."""
    points: Fraction
    tie_breaks: tuple[TieBreak, ...] = ()


@dataclass(frozen=True)
class TeamStanding(Standing):
    """Standing of a team match: the rows of the players by board, and the teams, best first."""

    teams: tuple[TeamRow, ...] = ()


@dataclass(frozen=True)
class TeamMatch(Competition):
    """A match of two teams. The players of the first come first, each in the order of boards."""

    kind = "team-match"
    called = phrase("kind.team-match")
    numbering = "team matches"
    announces = (
        Term("teams", _two_teams, _against, required=True),
        _AS_ENTERED,
        _DOUBLE,
        CONCURRENT,
    )

    teams: Sequence[str] = field(kw_only=True)
    """Names of the two teams."""
    as_entered: bool = field(default=False, kw_only=True)
    """Whether numbers decide who plays for which team. Otherwise lots do."""
    double: bool = field(default=False, kw_only=True)
    """Whether each board plays a second match, with the first move reversed."""
    concurrent: bool = field(default=False, kw_only=True)
    """Whether the second matches start with the first ones."""

    def require_playable(self) -> None:
        """Raise OptionError unless two teams of one size play a game for two."""
        self.require_for_two()
        if len(self.teams) != 2 or len(self.players) % 2 or not self.players:
            raise OptionError("a team match needs two teams with as many players each")

    def played_at_once(self, players: int) -> int:
        """Return two, if both matches of a board start at once."""
        return 2 if self.double and self.concurrent else 1

    def places(self, entrants: int) -> int:
        """Return the largest even number."""
        return entrants - entrants % 2

    def begun(self, players: Sequence[PlayerId]) -> TeamMatch:
        """Return the match as it starts.

        The first of two neighbours on the list plays for the first team if the teams are as
        entered, or the lot of `teams:BOARD` is even.
        """
        pairs = list(zip(players[::2], players[1::2], strict=True))
        sides = [
            pair if self.as_entered or lot(self.seed, "teams", board) % 2 == 0 else pair[::-1]
            for board, pair in enumerate(pairs, 1)
        ]
        return replace(self, players=tuple(pair[at] for at in (0, 1) for pair in sides))

    @property
    def boards(self) -> int:
        """Number of boards."""
        return len(self.players) // 2

    def pairings(self) -> Iterator[Pairing]:
        """Yield all matches. The first team begins on odd boards, the second on even ones."""
        pairs = zip(self.players[: self.boards], self.players[self.boards :], strict=True)
        for board, (one, other) in enumerate(list(pairs), 1):
            pair = (one, other) if board % 2 else (other, one)
            yield Pairing(1, board, pair)
        if self.double:
            for first in list(TeamMatch.pairings(self._single())):
                yield Pairing(2, self.boards + first.index, first.players[::-1])

    def _single(self) -> TeamMatch:
        return TeamMatch(
            self.game_key, self.players, self.options, self.created_at, teams=self.teams
        )

    def _to_play(self, matches: Sequence[MatchSummary]) -> Iterator[Pairing]:
        """Yield all pairings but those that a withdrawal decides, because they have not started."""
        begun = {each.index for each in meetings(self, matches)}
        for pairing in self.pairings():
            absent = set(pairing.players) - set(self.in_round(pairing.round))
            if pairing.index in begun or not absent:
                yield pairing

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return all matches of a round, or all that remain."""
        if self.concurrent:
            return tuple(remaining(self._to_play(matches), matches))
        return rest_of_round(self._to_play(matches), matches)

    def left_by(self, player: PlayerId, matches: Sequence[MatchSummary]) -> tuple[PlayerId, ...]:
        """Return the opponent on a player's board, if a match there has not started."""
        return opponents_left(self, remaining(self.pairings(), matches), player)

    @property
    def length(self) -> int:
        """Number of matches on all boards."""
        return self.boards * (2 if self.double else 1)

    def standing(self, matches: Sequence[MatchSummary]) -> TeamStanding:
        """Return the players by board, and the teams by points, upper boards and lots."""
        played = meetings(self, matches)
        points = self._points(played)
        of_each = by_player(played)
        rows = tuple(
            StandingRow(player, points[player], scores(player, of_each.get(player, ())))
            for player in self._by_board()
        )
        teams = [
            self._team(0, self.players[: self.boards], points),
            self._team(1, self.players[self.boards :], points),
        ]
        teams.sort(key=lambda team: (team.points, *(each.value for each in team.tie_breaks)))
        teams.reverse()
        over = len(played) == len([*self._to_play(matches)]) and all(e.ended for e in played)
        won = tuple(each for each in teams[0].players if each in self.taking_part)
        return TeamStanding(rows, over, won if over else (), tuple(teams))

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the boards."""
        played, half = meetings(self, matches), self.boards
        points, begun = self._points(played), {each.index: each for each in played}
        results = defaultdict[frozenset[PlayerId], list[tuple[Mark, Mark]]](list)
        for pairing in self.pairings():
            pair = (self.players[(at := (pairing.index - 1) % half)], self.players[half + at])
            meeting, here = begun.get(pairing.index), self.in_round(pairing.round)
            if meeting is not None:
                result = (meeting.mark(pair[0], {}), meeting.mark(pair[1], {}))
                results[frozenset(pair)].append(result)
            elif not {*pair} <= {*here}:
                one, other = (Mark(Fraction(each in here), kind=UNPLAYED) for each in pair)
                results[frozenset(pair)].append((one, other))
        shown = tuple(
            Board(at, pair, tuple(results[frozenset(pair)]))
            for at, pair in enumerate(
                zip(self.players[:half], self.players[half:], strict=True), start=1
            )
        )
        first, second = (
            sum((points[player] for player in team), Fraction())
            for team in (self.players[:half], self.players[half:])
        )
        return (Boards((self.teams[0], self.teams[1]), (first, second), shown),)

    def _by_board(self) -> list[PlayerId]:
        pairs = zip(self.players[: self.boards], self.players[self.boards :], strict=True)
        return [player for pair in pairs for player in pair]

    def _points(self, played: Sequence[Meeting]) -> Mapping[PlayerId, Fraction]:
        """Return the points of each player, with those for matches that were won unplayed."""
        points = dict.fromkeys(self.players, Fraction())
        begun = {each.index for each in played}
        for each in played:
            for player in each.players:
                points[player] += each.of(player)
        for pairing in self.pairings():
            here = set(self.in_round(pairing.round)) & set(pairing.players)
            if pairing.index not in begun and len(here) == 1:
                points[here.pop()] += 1
        return points

    def _team(
        self, at: int, players: tuple[PlayerId, ...], points: Mapping[PlayerId, Fraction]
    ) -> TeamRow:
        """Return a team. Its upper boards weigh more: the first as often as there are boards."""
        weighed = (points[player] * (self.boards - board) for board, player in enumerate(players))
        drawn = lot(self.seed, "team", 1) % 2 == at
        breaks = (
            TieBreak("upper-boards", sum(weighed, Fraction())),
            TieBreak("lots", Fraction(drawn)),
        )
        total = sum((points[player] for player in players), Fraction())
        return TeamRow(self.teams[at], players, total, breaks)


KIND = TeamMatch
