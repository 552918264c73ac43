"""Statistics: totals of the ended matches of a member, a pair or a game.

A match counts for whoever held the seat at the end, and once, even with several seats. Matches
that do not count are left out, and those with computers are counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import Any, NamedTuple

from pbem.games import game_of, keys
from pbem.games.api import GameInfo, Seat
from pbem.games.phrases import Phrase
from pbem.matches.match import COMMON_TERMINATIONS, RESIGNATION, UNCOUNTED, PlayerId, is_drawn
from pbem.matches.words import phrase

EARLY_ROUNDS = 3
"""A match that ends in these first rounds has hardly been played."""
LONGEST = 3
"""Number of longest matches that are named."""


class Outcome(StrEnum):
    """Result of a match for one player."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class EndedMatch(NamedTuple):
    """What is stored of an ended match."""

    ended_at: datetime
    match_id: int
    game_key: str
    players: int
    turns: int
    termination: str
    winners: Sequence[Seat]


class PlayedMatch(NamedTuple):
    """An ended match as one of its players sees it."""

    ended_at: datetime
    match_id: int
    game_key: str
    players: int
    """Number of players at the start."""
    seat: Seat
    """The player's first seat."""
    turns: int
    termination: str
    outcome: Outcome
    opponents: tuple[PlayerId, ...] = ()
    computers: bool = False
    """Whether a bot plays."""


def played(
    match: EndedMatch, player: PlayerId, seats: Mapping[Seat, PlayerId], *, computers: bool
) -> PlayedMatch | None:
    """Return a match as a player in one of its seats sees it.

    None if it does not count, or if its game is not installed.
    """
    if match.termination in UNCOUNTED or match.game_key not in keys():
        return None
    seat = next(seat for seat, holder in seats.items() if holder == player)
    side = game_of(match.game_key).info.side_of(match.players, seat)
    opponents = dict.fromkeys(holder for each, holder in seats.items() if each not in side)
    outcome = Outcome.WON if seat in match.winners else Outcome.LOST
    if is_drawn(match.winners, match.termination) and (seat in match.winners or not match.winners):
        outcome = Outcome.DRAWN
    return PlayedMatch(
        *(match.ended_at, match.match_id, match.game_key, match.players, seat, match.turns),
        match.termination,
        outcome,
        tuple(opponents),
        computers,
    )


@dataclass(frozen=True)
class Tally:
    """Number of matches by their outcome."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        """Number of all matches."""
        return self.won + self.drawn + self.lost


def tally(matches: Iterable[PlayedMatch]) -> Tally:
    """Count matches by their outcome."""
    counts = Counter(each.outcome for each in matches)
    return Tally(counts[Outcome.WON], counts[Outcome.DRAWN], counts[Outcome.LOST])


class SeatTally(NamedTuple):
    """Outcomes in a seat of a game with some number of players."""

    game_key: str
    players: int
    seat: Seat
    tally: Tally


class Runs(NamedTuple):
    """Numbers of matches in a row, by the order of their ends."""

    wins: int
    """Wins up to the latest match."""
    most_wins: int
    unbeaten: int
    """Most matches without a loss."""


@dataclass(frozen=True)
class Statistics:
    """What some matches of one player add up to. All have computers in them, or none has."""

    total: Tally
    by_seat: Sequence[SeatTally]
    endings: Mapping[str, int]
    """Number of matches by termination, the most frequent first."""
    lengths: Mapping[int, int]
    """Number of matches by number of turns."""
    longest: Sequence[PlayedMatch]
    runs: Runs
    by_game: Mapping[str, Runs]
    """The runs in each game."""
    computers: bool = False

    @property
    def average(self) -> int:
        """Average number of turns, rounded."""
        return average(self.lengths)


@dataclass(frozen=True)
class Results:
    """Results of a game's ended matches with this many players."""

    players: int
    matches: int
    drawn: int
    won: Mapping[str, int]
    """Matches won by seat. A shared win counts for each."""
    lengths: Mapping[int, int]
    """Number of matches by number of turns."""
    terminations: Mapping[str, int]
    computers: bool = False
    """Whether these are the matches that started with a bot among the players."""


def ending_phrases(games: Iterable[str]) -> dict[str, Phrase]:
    """Return how matches of these games can end, by key, for nobody in particular."""
    found = COMMON_TERMINATIONS | {RESIGNATION: phrase("ending.any-resignation")}
    for key in games:
        found |= game_of(key).info.terminations
    return found


def average(lengths: Mapping[int, int]) -> int:
    """Return the average number of turns, rounded. 0 without matches."""
    count = sum(lengths.values())
    return round(sum(turns * times for turns, times in lengths.items()) / count) if count else 0


def statistics(matches: Iterable[PlayedMatch]) -> list[Statistics]:
    """Return what a player's matches add up to: those among people, then those with computers."""
    in_order = sorted(matches)
    kinds = ([each for each in in_order if each.computers is bots] for bots in (False, True))
    return [_of_kind(kind) for kind in kinds if kind]


def _of_kind(matches: Sequence[PlayedMatch]) -> Statistics:
    by_game = dict[str, list[PlayedMatch]]()
    for each in matches:
        by_game.setdefault(each.game_key, []).append(each)
    endings = Counter(each.termination for each in matches)
    by_place = sorted(matches, key=_place)
    return Statistics(
        total=tally(matches),
        by_seat=[SeatTally(*place, tally(own)) for place, own in groupby(by_place, _place)],
        endings=dict(sorted(endings.items(), key=lambda item: (-item[1], item[0]))),
        lengths=Counter(each.turns for each in matches),
        longest=sorted(matches, key=lambda each: (-each.turns, each.match_id))[:LONGEST],
        runs=_runs(matches),
        by_game={game: _runs(own) for game, own in sorted(by_game.items())},
        computers=matches[0].computers,
    )


def _runs(matches: Iterable[PlayedMatch]) -> Runs:
    outcomes = [each.outcome for each in matches]
    return Runs(
        _last_run(outcomes, {Outcome.WON}),
        _longest_run(outcomes, {Outcome.WON}),
        _longest_run(outcomes, {Outcome.WON, Outcome.DRAWN}),
    )


def _place(match: PlayedMatch) -> tuple[str, int, Seat]:
    return match.game_key, match.players, match.seat


def _longest_run(outcomes: Sequence[Outcome], wanted: set[Outcome]) -> int:
    runs = groupby(outcomes, wanted.__contains__)
    return max((len(list(run)) for good, run in runs if good), default=0)


def _last_run(outcomes: Sequence[Outcome], wanted: set[Outcome]) -> int:
    for count, outcome in enumerate(reversed(outcomes)):
        if outcome not in wanted:
            return count
    return len(outcomes)


def first_player_share(
    info: GameInfo, players: int, won: Mapping[Seat, int], drawn: int, matches: int
) -> tuple[float, float]:
    """Return the percentage of points that the first player's side made, and an equal share.

    A draw shares the point among all sides.
    """
    sides = info.sides[players]
    first = info.holders[players][0][0]
    equal = 100 / len(sides)
    if not matches:
        return equal, equal
    return 100 * (won.get(first, 0) + drawn / len(sides)) / matches, equal


def member_data(of: Statistics) -> dict[str, Any]:
    """Return statistics of a member for programs."""
    return {
        "computers": of.computers,
        **_tally(of.total),
        "seats": [
            {"game": each.game_key, "players": each.players, "seat": each.seat} | _tally(each.tally)
            for each in of.by_seat
        ],
        "endings": dict(of.endings),
        "average_turns": of.average,
        "longest": [{"match": each.match_id, "turns": each.turns} for each in of.longest],
        **_run_data(of.runs),
        "games": [{"game": game} | _run_data(runs) for game, runs in of.by_game.items()],
    }


def game_data(game_key: str, of: Results) -> dict[str, Any]:
    """Return statistics of a game with some number of players for programs."""
    made, equal = first_player_share(
        game_of(game_key).info, of.players, of.won, of.drawn, of.matches
    )
    return {
        "players": of.players,
        "computers": of.computers,
        "matches": of.matches,
        "drawn": of.drawn,
        "won": dict(of.won),
        "first_player_percent": round(made, 1),
        "equal_percent": round(equal, 1),
        "average_turns": average(of.lengths),
        "endings": dict(of.terminations),
    }


def _run_data(runs: Runs) -> dict[str, int]:
    wins, most, unbeaten = runs
    return {"wins_in_a_row": wins, "most_wins_in_a_row": most, "most_without_loss": unbeaten}


def _tally(tally: Tally) -> dict[str, int]:
    return {"won": tally.won, "drawn": tally.drawn, "lost": tally.lost}
