"""Statistics view: the data of statistics that templates show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games import game_of
from pbem.games.api import Seat
from pbem.games.phrases import Words
from pbem.matches.statistics import (
    Results,
    Statistics,
    Tally,
    average,
    ending_phrases,
    first_player_share,
)


class SeatRow(NamedTuple):
    """Results in a seat."""

    game: str
    players: int
    seat: str
    tally: Tally


class LongMatch(NamedTuple):
    """One of the longest matches."""

    number: int
    turns: int


Endings = Sequence[tuple[str, int]]
"""Ways in which matches ended, in words, and how many did."""


@dataclass(frozen=True)
class MemberStatistics:
    """Statistics of a member's matches among people, or with computers."""

    of: Statistics
    words: Words

    @property
    def seats(self) -> list[SeatRow]:
        """Results by game, number of players and seat."""
        return [
            SeatRow(
                game_of(each.game_key).info.title,
                each.players,
                _title(each.game_key, each.seat, self.words),
                each.tally,
            )
            for each in self.of.by_seat
        ]

    @property
    def endings(self) -> Endings:
        """How the matches ended, the most frequent first."""
        keys = {each.game_key for each in self.of.by_seat}
        return _endings(self.of.endings, keys, self.words)

    @property
    def longest(self) -> list[LongMatch]:
        """The longest matches."""
        return [LongMatch(each.match_id, each.turns) for each in self.of.longest]


@dataclass(frozen=True)
class ResultsView:
    """Statistics of a game with some number of players."""

    game_key: str
    of: Results
    words: Words

    @property
    def average(self) -> int:
        """Average number of turns."""
        return average(self.of.lengths)

    @property
    def won(self) -> list[tuple[str, int]]:
        """Wins by seat."""
        seats = game_of(self.game_key).info.seats_of(self.of.players)
        titles = [(_title(self.game_key, seat, self.words), seat) for seat in seats]
        return [(title, self.of.won.get(seat, 0)) for title, seat in titles]

    @property
    def first(self) -> tuple[int, int]:
        """Percentage of the points that the first player's side made, and an equal share."""
        info, of = game_of(self.game_key).info, self.of
        made, equal = first_player_share(info, of.players, of.won, of.drawn, of.matches)
        return round(made), round(equal)

    @property
    def endings(self) -> Endings:
        """How the matches ended, the most frequent first."""
        ways = sorted(self.of.terminations.items(), key=lambda item: (-item[1], item[0]))
        return _endings(dict(ways), {self.game_key}, self.words)


def _title(game_key: str, seat: Seat, words: Words) -> str:
    info = game_of(game_key).info
    return words.text(info.seat_titles.get(seat, info.name_of(seat)))


def _endings(counts: Mapping[str, int], games: Iterable[str], words: Words) -> Endings:
    known = ending_phrases(games)
    return [(words.text(known.get(key, key)), count) for key, count in counts.items()]
