"""Series: any number of games between two players, the first move alternating.

Source: rulebook, Lanrick 1881, second edition, which asks for "records of sets of games between the
same two players, where each begins half the entire set", and gives their form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from textwrap import fill
from typing import NamedTuple

from pbem.games.diagram import WIDTH
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId

Names = Mapping[PlayerId, str]


@dataclass(frozen=True)
class Series:
    """A series; of its players A begins the games with odd numbers, B the others."""

    id: int
    game_key: str
    players: tuple[PlayerId, PlayerId]
    options: MatchOptions
    games: int
    created_at: datetime

    def entry_order(self, index: int) -> tuple[PlayerId, PlayerId]:
        """Players of a game, from 1; the one named first begins."""
        a, b = self.players
        return (a, b) if index % 2 else (b, a)

    def due(self, matches: Sequence[MatchSummary]) -> tuple[int, ...]:
        """Number of the game to be started now; nothing while one is played or all are done."""
        index = next_index(self, matches)
        return () if index is None else (index,)

    def text(self, matches: Sequence[MatchSummary], names: Names, index: int | None = None) -> str:
        """What a mail of game `index` tells of the series: a line, and in the end the record."""
        if len(_ended(matches)) < self.games:
            return standing(self, matches, names, index)
        return summary(self, matches, names)


class Tally(NamedTuple):
    """What became of the games that one of the two began."""

    began: int
    won: int
    """By A, whoever began them."""
    drawn: int


def next_index(series: Series, matches: Iterable[MatchSummary]) -> int | None:
    """Number of the game to be started now; None if one is going on or all are done."""
    started = list(matches)
    waiting = all(match.result is not None for match in started)
    return len(started) + 1 if waiting and len(started) < series.games else None


def tally(series: Series, matches: Iterable[MatchSummary], beginner: PlayerId) -> Tally:
    """Ended games that one of the two began."""
    begun = [match for match in _ended(matches) if _beginner(series, match) == beginner]
    a = series.players[0]
    return Tally(len(begun), sum(_won(m, a) for m in begun), sum(_drawn(m) for m in begun))


def record(series: Series, matches: Sequence[MatchSummary], names: Names) -> str:
    """The ended games in the form that the source asks for, and the drawn ones."""
    a, b = (names[player] for player in series.players)
    ended = len(_ended(matches))
    of_a, of_b = (tally(series, matches, player) for player in series.players)
    lines = (
        f"{_games(ended)} between {a} and {b}.",
        f"{a} began {of_a.began}, of which {_outcomes(a, of_a)};",
        f"{b} began {of_b.began}, of which {_outcomes(a, of_b)}.",
    )
    return "\n".join(map(_line, lines))


def standing(
    series: Series, matches: Sequence[MatchSummary], names: Names, index: int | None
) -> str:
    """How it stands while games are to come, on a line unless the names are long."""
    ended = _ended(matches)
    wins = [
        f"{names[player]} {sum(_won(match, player) for match in ended)}"
        for player in series.players
    ]
    of_all = f"game {index} of {series.games}" if index else _games(series.games)
    drawn = sum(map(_drawn, ended))
    return _line(f"Series {series.id}, {of_all}: {wins[0]}, {wins[1]}, drawn {drawn}.")


def summary(series: Series, matches: Sequence[MatchSummary], names: Names) -> str:
    """The record and, once all games have ended, who has won more of them."""
    text = f"Series {series.id}, {_games(series.games)}.\n\n{record(series, matches, names)}"
    ended = _ended(matches)
    if len(ended) < series.games:
        return text
    a, b = series.players
    ahead = sum(_won(match, a) - _won(match, b) for match in ended)
    if ahead == 0:
        return f"{text}\n\nThe series is drawn."
    return f"{text}\n\n{_line(f'{names[a if ahead > 0 else b]} wins the series.')}"


def _ended(matches: Iterable[MatchSummary]) -> list[MatchSummary]:
    return [match for match in matches if match.result is not None]


def _beginner(series: Series, match: MatchSummary) -> PlayerId:
    assert match.event_index is not None, "a game of a series has its number"
    return series.entry_order(match.event_index)[0]


def _won(match: MatchSummary, player: PlayerId) -> bool:
    return match.sole_winner == player


def _drawn(match: MatchSummary) -> bool:
    # Lancelot can be won by both, which between two is a draw.
    return match.sole_winner is None


def _outcomes(a: str, of: Tally) -> str:
    drawn = f" and {of.drawn} {'was' if of.drawn == 1 else 'were'} drawn" if of.drawn else ""
    return f"{a} won {of.won}{drawn}"


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"


def _line(text: str) -> str:
    return fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
