"""Competitions played in a test: matches without moves, in an order that the test draws."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Generic, TypeVar

from pbem.games import game_of
from pbem.matches.competition import Common, Competition, Pairing
from pbem.matches.competitions.league import League
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId, Result, new_match

START = datetime(2026, 11, 21, 9, tzinfo=UTC)
TWO, THREE = "lanrick-1893", "lanko-68"
OPTIONS = MatchOptions()

CompetitionT = TypeVar("CompetitionT", bound=Competition)


@cache
def _empty(game_key: str, players: int) -> MatchSummary:
    match = new_match(game_of(game_key), range(1, players + 1), OPTIONS, START)
    kept = {name: getattr(match, name) for name in MatchSummary.__dataclass_fields__}
    return MatchSummary(**kept)


def begun(of: Competition, pairing: Pairing) -> MatchSummary:
    """Return the match of a pairing, as it is stored when it starts."""
    match, players = _empty(of.game_key, len(pairing.players)), of.seated(pairing)
    held = match.game.info.holders[len(players)]
    holder = {seat: who for who, seats in zip(players, held, strict=True) for seat in seats}
    seats = {seat: holder[seat] for seat in match.seats}
    return replace(match, id=1000 + pairing.index, seats=seats, place=of.place(pairing))


def won(match: MatchSummary, winner: PlayerId | None, at: datetime = START) -> MatchSummary:
    """Return a match that ended with this winner, or drawn. Of three players, by 1 to 9."""
    ending = "draw" if winner is None else "resignation"
    if len(match.players) == 2 or winner is None:
        seats = () if winner is None else match.seats_of(winner)
        return replace(
            match, to_act=None, result=Result(seats, ending, dict.fromkeys("SWNE", 0), at)
        )
    seats = match.game.info.side_of(3, match.seats_of(winner)[0])
    by = 1 + match.id % 9
    scores = {seat: by if seat in seats else -by for seat in match.seats}
    return replace(match, to_act=None, result=Result(tuple(seats), ending, scores, at))


class Club(Generic[CompetitionT]):
    """A competition and its matches.

    Each time a match starts, a process may die. Round robins start a round in one step.
    """

    def __init__(self, of: CompetitionT) -> None:
        self.of, self.matches = of, dict[int, MatchSummary]()
        self.one_step = isinstance(of, RoundRobin | League)
        self.now = START
        self.begins()

    @property
    def stored(self) -> list[MatchSummary]:
        """Matches in their order."""
        return [self.matches[index] for index in sorted(self.matches)]

    @property
    def running(self) -> list[MatchSummary]:
        """Matches that are played now."""
        return [match for match in self.stored if match.result is None]

    @property
    def over(self) -> bool:
        """Whether the competition has ended."""
        return self.of.standing(self.stored).over

    def begins(self) -> list[Pairing]:
        """Start what is due. After each match, the rest is due as it was before."""
        due = list(self.of.due(self.stored))
        for at, pairing in enumerate(due):
            assert pairing.index not in self.matches
            if at in {1, len(due) - 1} and not self.one_step:
                assert list(self.of.due(self.stored)) == due[at:]
            self.matches[pairing.index] = begun(self.of, pairing)
        if len(self.matches) < 50 or len(due) > 1:
            assert self.of.due(self.stored) == ()
        return due

    def ends(self, index: int, winner: PlayerId | None) -> None:
        """End a match and start what follows."""
        self.now += timedelta(hours=1)
        self.matches[index] = won(self.matches[index], winner, self.now)
        self.begins()

    def index(self, match: MatchSummary) -> int:
        """Return the number of a match."""
        assert match.place is not None
        return match.place.index

    def plays(
        self, rng: random.Random, strength: Callable[[PlayerId], float] = float, draws: float = 0.2
    ) -> Iterator[MatchSummary]:
        """Play to the end in random order, and yield each match after its end."""
        while self.running:
            index = self.index(rng.choice(self.running))
            match = self.matches[index]
            self.ends(index, result(match, rng, strength, draws))
            yield self.matches[index]
        assert self.over, "a competition continues until it is over"


def again(of: CompetitionT) -> CompetitionT:
    """Return a competition as it comes back from storage."""
    common = Common(of.id, of.number, of.game_key, of.players, of.options, of.created_at)
    stored = type(of).with_terms(common, json.loads(json.dumps(of.terms)))
    assert isinstance(stored, type(of))
    return stored


def result(
    match: MatchSummary,
    rng: random.Random,
    strength: Callable[[PlayerId], float] = float,
    draws: float = 0.2,
) -> PlayerId | None:
    """Draw a winner. The better player wins a little more often."""
    if rng.random() < draws:
        return None
    players = sorted(match.players, key=strength)
    return players[0] if rng.random() < 0.65 else rng.choice(players[1:])


def played(matches: Iterable[MatchSummary]) -> list[tuple[PlayerId, ...]]:
    """Return the players of matches, the one who began first."""
    return [tuple(dict.fromkeys(match.seats.values())) for match in matches]
