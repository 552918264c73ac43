"""Simulate seasons of known strength, and measure what ratings cost: `python -m bench.ratings`.

docs/ratings.md has the figures.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import process_time
from timeit import repeat
from typing import NamedTuple

from sqlmodel import insert

from pbem.adapters.db.match_mapping import columns_of, seat_columns
from pbem.adapters.db.tables import MatchRow, SeatRow
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.games import game_of
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId, Result, new_match
from pbem.matches.ratings import CENTRE, NEW, RatedMatch, Rating, RatingList, rated_match
from pbem.service.rating import CurrentRatings, rate_batch, update
from pbem.service.records.ratings import all_ratings
from pbem.service.standing import listed, rating_list

START = datetime(2026, 1, 1, tzinfo=UTC)
GAMES = {
    "lanko-103": (2, 3, 4),
    "lanko-68": (2, 3, 4),
    "lancelot": (2, 3, 4, 5),
    "lanrick-1881": (2,),
}
DUELS = dict.fromkeys(GAMES, (2,))
MEMBERS, EACH, BOTS = 200, 30, 3
SPREAD, OF_GAME = 300, 80
"""Standard deviations of a member's strength and of its part in one game, in points of Elo."""
BETA = 25 / 6
"""Parameter of the model: how much chance there is in a match."""
K = 32
"""Plain Elo: the most that a match changes."""
SETTLED = 10
"""Matches of everybody after which predictions are compared."""
MATCHES, STANDING = 20_000, 2_000


class Season:
    """Members with known strengths who play random matches."""

    def __init__(self, seed: int, games: Mapping[str, Sequence[int]]) -> None:
        self.chance, self.games = random.Random(seed), games
        everybody = range(1, MEMBERS + BOTS + 1)
        self.bots = frozenset(range(MEMBERS + 1, MEMBERS + BOTS + 1))
        self.general = {each: self.chance.gauss(0, SPREAD) for each in everybody}
        self.special = {
            (each, game): self.chance.gauss(0, OF_GAME) for each in everybody for game in GAMES
        }
        self.left_out = 0

    def strength(self, player: PlayerId, game: str) -> float:
        """Return a strength in points of Elo."""
        return self.general[player] + self.special[player, game]

    def matches(self) -> Iterator[RatedMatch]:
        """Yield matches until everybody has played enough that count."""
        played = defaultdict[PlayerId, int](int)
        for number in range(1, MATCHES):
            waiting = [each for each in range(1, MEMBERS + 1) if played[each] < EACH]
            if len(waiting) < 5:
                return
            game = self.chance.choice([*self.games])
            count = self.chance.choice(self.games[game])
            players = self.chance.sample(waiting, count)
            if self.chance.random() < 0.1:
                players[-1] = self.chance.choice([*self.bots])
            match = self._played(number, game, players)
            rated = rated_match(match, self.bots, ())
            if rated is None:
                self.left_out += 1
                continue
            if not rated.computers:
                for each in players:
                    played[each] += 1
            yield rated

    def _of_side(self, players: Sequence[PlayerId], game: str) -> float:
        return fmean(self.strength(each, game) for each in players)

    def _played(self, number: int, game: str, players: Sequence[PlayerId]) -> MatchSummary:
        """Play a match. Every tenth has somebody who leaves, half of them at once."""
        match = new_match(game_of(game), players, MatchOptions(), START)
        sides = match.game.info.sides[match.player_count]
        held = [[match.seats[seat] for seat in side if seat in match.seats] for side in sides]
        draws = [10 ** (self._of_side(side, game) / 400) for side in held]
        termination, turn = "resignation", 40
        won = self.chance.choices(range(len(sides)), draws)[0]
        if self.chance.random() < 0.1 and len(sides) == 2:
            won, termination = self.chance.randrange(2), "flag"
            turn = self.chance.choice((3, 40))
        drawn = self.chance.random() < 0.1 and termination == "resignation"
        result = Result(
            () if drawn else sides[won],
            "draw" if drawn else termination,
            dict.fromkeys(match.seats, 0),
            START + timedelta(hours=number),
        )
        return _ended(match, number, turn, result)


def _ended(match: MatchSummary, number: int, turn: int, result: Result) -> MatchSummary:
    return MatchSummary(
        id=number,
        game_key=match.game_key,
        rules_version=match.rules_version,
        seats=match.seats,
        options=match.options,
        started_at=START,
        turn=turn,
        result=result,
    )


class Prediction(NamedTuple):
    """What was expected of one side against another, and what happened."""

    ours: float
    elo: float
    score: float


class Outcome(NamedTuple):
    """Result of a season."""

    ratings: Mapping[RatingList, Mapping[PlayerId, Rating]]
    elo: Mapping[PlayerId, float]
    predictions: Sequence[Prediction]
    played: Sequence[RatedMatch]
    left_out: int


def season(seed: int, games: Mapping[str, Sequence[int]]) -> tuple[Season, Outcome]:
    """Play and rate a season, with plain Elo beside it in the list of all games."""
    of, rater = Season(seed, games), OpenSkillRater()
    ratings: CurrentRatings = defaultdict(lambda: defaultdict(lambda: NEW))
    elo, predictions, played = defaultdict[PlayerId, float](float), list[Prediction](), []
    for match in of.matches():
        played.append(match)
        if not match.computers:
            settled = all(ratings[RatingList()][each].matches >= SETTLED for each in match.players)
            expected = _expected(match, ratings[RatingList()], elo)
            predictions += expected if settled else []
            _learn(match, elo)
        update(rater, match, ratings)
    return of, Outcome(ratings, elo, predictions, played, of.left_out)


def _expected(
    match: RatedMatch, ratings: Mapping[PlayerId, Rating], elo: Mapping[PlayerId, float]
) -> list[Prediction]:
    found = []
    for one, other in combinations(match.sides, 2):
        if len(match.sides) > 2 and one.rank == other.rank == 1:
            continue  # who of two losers was better is unknown
        ours = [[ratings[each] for each in side.players] for side in (one, other)]
        mean = [sum(each.mean for each in side) for side in ours]
        spread = sum(each.deviation**2 for side in ours for each in side) + 2 * BETA**2
        theirs = [fmean(elo[each] for each in side.players) for side in (one, other)]
        found.append(
            Prediction(
                1 / (1 + math.exp((mean[1] - mean[0]) / math.sqrt(spread))),
                _elo(theirs[0] - theirs[1]),
                (1 + other.rank - one.rank) / 2,
            )
        )
    return found


def _elo(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


def _learn(match: RatedMatch, elo: dict[PlayerId, float]) -> None:
    """Change plain Elo by every pair of sides."""
    change = defaultdict[PlayerId, float](float)
    for one, other in combinations(match.sides, 2):
        theirs = [fmean(elo[each] for each in side.players) for side in (one, other)]
        gain = K * ((1 + other.rank - one.rank) / 2 - _elo(theirs[0] - theirs[1]))
        for side, sign in ((one, 1), (other, -1)):
            for each in set(side.players):
                change[each] += sign * gain / (len(match.sides) - 1)
    for each, points in change.items():
        elo[each] += points


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's coefficient of two lists without ties."""
    ranks = [sorted(range(len(each)), key=each.__getitem__) for each in (one, other)]
    places = [{at: place for place, at in enumerate(order)} for order in ranks]
    off = sum((places[0][at] - places[1][at]) ** 2 for at in range(len(one)))
    return 1 - 6 * off / (len(one) * (len(one) ** 2 - 1))


def ceiling(played: Sequence[RatedMatch]) -> Mapping[PlayerId, float]:
    """Return the most likely strengths, given all results at once and how nature draws them.

    No method can do much better with these results.
    """
    found, scale = defaultdict[PlayerId, float](float), SPREAD * math.log(10) / 400
    for _ in range(ROUNDS):
        slope = {each: -found[each] / scale**2 for each in range(1, MEMBERS + 1)}
        for match in played:
            weights = [math.exp(fmean(found[p] for p in side.players)) for side in match.sides]
            winners = sum(side.rank == 0 for side in match.sides)
            for side, weight in zip(match.sides, weights, strict=True):
                off = (side.rank == 0) / winners - weight / sum(weights)
                for each in side.players:
                    slope[each] += off / len(side.players)
        for each, rise in slope.items():
            found[each] += rise / 7
    return found


ROUNDS = 200


def report_season(seed: int, games: Mapping[str, Sequence[int]]) -> float:
    """Print how right ratings are after a season. Return the rank correlation."""
    of, done = season(seed, games)
    members, ratings = range(1, MEMBERS + 1), done.ratings[RatingList()]
    true = [of.general[each] for each in members]
    best = ceiling([each for each in done.played if not each.computers])
    found, plain, most = (
        rank_correlation([by(each) for each in members], true)
        for by in (lambda each: ratings[each].mean, done.elo.__getitem__, best.__getitem__)
    )
    average = fmean(true)
    inside = fmean(
        abs(ratings[each].value - CENTRE - (of.general[each] - average))
        <= ratings[each].uncertainty
        for each in members
    )
    print(f"season {seed}: {len(done.played)} matches rated, {done.left_out} left out")
    print(f"  rank correlation {found:.3f}, plain Elo {plain:.3f}, ceiling {most:.3f}")
    print(f"  true strength within ±: {inside:.0%} of members")
    for name in ("ours", "elo"):
        brier = fmean((getattr(each, name) - each.score) ** 2 for each in done.predictions)
        print(f"  Brier score {brier:.4f}, {name}: {_calibration(done.predictions, name)}")
    return found


def _calibration(predictions: Sequence[Prediction], name: str) -> str:
    """Return the mean score for each fifth of predictions."""
    bins = defaultdict[int, list[Prediction]](list)
    for each in predictions:
        bins[min(4, int(5 * getattr(each, name)))].append(each)
    return ", ".join(
        f"{fmean(getattr(e, name) for e in some):.2f}: {fmean(e.score for e in some):.2f}"
        for _, some in sorted(bins.items())
    )


def report_cost() -> tuple[float, float]:
    """Print the cost of a result and of a list in a large club. Return both in milliseconds."""
    with TemporaryDirectory() as folder:
        storage = open_storage(f"sqlite:///{Path(folder)}/pbem.sqlite")
        numbers = _large_club(storage)
        results = _timed_results(storage, numbers)
        lists = _timed_lists(storage)
        storage.close()
    print(f"a result after {MATCHES} matches: {results:.2f} ms")
    print(f"the list of {STANDING} members: {lists:.1f} ms")
    return results, lists


TRIED = 400
IDLE_MS = 20
"""Milliseconds that a million additions take on the idle machine for which the aims are meant."""


def _large_club(storage: SqlStorage) -> list[int]:
    """Store members and rated matches. Return the ids of further ended matches."""
    chance, rater = random.Random(1), OpenSkillRater()
    with storage.writing() as uow:
        for each in range(1, STANDING + 1):
            uow.players.add(f"Member {each}", [f"{each}@mail.example"])
    matches = [_random_match(number, chance) for number in range(1, MATCHES + TRIED + 1)]
    with storage._writers.begin() as connection:
        rows = [{"id": each.id, "archived_at": START, **columns_of(each)} for each in matches]
        connection.execute(insert(MatchRow), rows)
        seats = [row for each in matches for row in seat_columns(each.id, each)]
        connection.execute(insert(SeatRow), seats)
    rated = [of for match in matches[:MATCHES] if (of := rated_match(match, (), ()))]
    with storage.writing() as uow:
        uow.ratings.put(all_ratings(rater, rated), rater.method)
    return [each.id for each in matches[MATCHES:]]


def _random_match(number: int, chance: random.Random) -> MatchSummary:
    players = chance.sample(range(1, STANDING + 1), chance.choice((2, 2, 3, 4)))
    game = game_of("lanko-68")
    match = new_match(game, players, MatchOptions(), START)
    side = game.info.sides[len(players)][chance.randrange(2)]
    ended_at = START + timedelta(minutes=number)
    result = Result(side, "resignation", dict.fromkeys(match.seats, 0), ended_at)
    return _ended(match, number, 40, result)


def _timed_results(storage: SqlStorage, numbers: Sequence[int]) -> float:
    """Rate matches one by one. Return the least cost in milliseconds of processor time."""
    rater, times = OpenSkillRater(), []
    for number in numbers:
        with storage.writing() as uow:
            uow.ratings.wait([number])
            begun = process_time()
            rate_batch(uow, rater)
            times.append(1000 * (process_time() - begun))
    return min(times)


def _timed_lists(storage: SqlStorage) -> float:
    times = []
    for _ in range(9):
        with storage.reading() as uow:
            begun = process_time()
            listed(rating_list(uow, RatingList()))
            times.append(1000 * (process_time() - begun))
    return min(times)


def _million() -> float:
    """Return the milliseconds of a million additions, which show how busy this machine is."""
    return 1000 * min(repeat("sum(range(10**6))", number=1, repeat=9))


def main() -> None:
    """Print everything, and whether the aims are met."""
    kinds: Mapping[str, Mapping[str, Sequence[int]]] = {
        "matches of two": DUELS,
        "matches of two to five": GAMES,
    }
    least = {}
    for name, games in kinds.items():
        print(f"{name}, {EACH} matches each")
        least[name] = min(report_season(seed, games) for seed in range(3))
    result, standing = report_cost()
    million = _million()
    slower = max(1.0, million / IDLE_MS)
    print(f"a million additions take {million:.0f} ms here, so costs count for 1/{slower:.2f}")
    for name, found in least.items():
        print(f"rank correlation of at least 0.9 in {name}: {_met(found >= 0.9)}")
    print(f"result in 2 ms or less: {_met(result / slower <= 2)}")
    print(f"list in 100 ms or less: {_met(standing / slower <= 100)}")


def _met(is_met: bool) -> str:
    return "met" if is_met else "NOT MET"


if __name__ == "__main__":
    main()
