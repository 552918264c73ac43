"""Ladders: who can challenge whom, and who moves."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games.api import OptionError
from pbem.matches.competitions.ladder import Ladder
from tests.matches.competing import OPTIONS, START, TWO, Club, again, played
from tests.support.examples import examples


def ladder(count: int, **terms: Any) -> Ladder:
    return Ladder(TWO, tuple(range(1, count + 1)), OPTIONS, START, id=2, number=2, **terms)


def challenge(club: Club[Ladder], challenger: int, challenged: int) -> int:
    club.of = club.of.with_challenge(challenger, challenged, club.stored)
    [pairing] = club.begins()
    return pairing.index


def test_winner_of_a_challenge_takes_the_rung() -> None:
    club = Club(ladder(5))
    club.ends(challenge(club, 4, 2), 4)
    assert club.of.rungs(club.stored) == (1, 4, 2, 3, 5)
    assert played(club.stored) == [(2, 4)], "the player challenged begins"
    club.ends(challenge(club, 5, 3), None)
    assert club.of.rungs(club.stored) == (1, 4, 2, 3, 5), "a draw changes nothing"


def test_only_players_in_reach_and_free_can_be_challenged() -> None:
    club = Club(ladder(5))
    assert [club.of.possible(player, []) for player in club.of.players] == [
        (),
        (1,),
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    challenge(club, 3, 2)
    assert club.of.possible(4, club.stored) == ()
    with pytest.raises(OptionError):
        challenge(club, 4, 3)
    club.ends(1, 2)
    assert club.of.possible(3, club.stored) == (1,), "not the same player twice in a row"


def test_players_enter_at_the_foot_and_leave() -> None:
    club = Club(ladder(3))
    club.of = club.of.with_late_entry(9, 1).without(2, 1)
    assert club.of.rungs([]) == (1, 3, 9)
    assert club.of.possible(9, []) == (1, 3)


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(2, 20), st.integers(1, 4), st.integers(0, 2**32))
def test_random_ladders(count: int, reach: int, seed: int) -> None:
    rng = random.Random(seed)
    club, rungs = Club(ladder(count, reach=reach)), list(range(1, count + 1))
    for _ in range(25):
        challenger = rng.choice(club.of.players)
        able = club.of.possible(challenger, club.stored)
        if able and rng.random() < 0.6:
            challenge(club, challenger, rng.choice(able))
        elif club.running:
            match = rng.choice(club.running)
            challenged, other = match.players
            winner = rng.choice((challenged, other, None))
            if winner == other and rungs.index(other) > rungs.index(challenged):
                rungs.remove(other)
                rungs.insert(rungs.index(challenged), other)
            club.ends(club.index(match), winner)
    club.of = replace(club.of, closed=True)
    assert club.of.possible(club.of.players[-1], club.stored) == ()
    while club.running:
        club.ends(club.index(club.running[0]), None)
    standing = club.of.standing(club.stored)
    assert [row.player for row in standing.rows] == rungs == list(club.of.rungs(club.stored))
    assert (standing.over, standing.winners) == (True, (rungs[0],))
    assert again(club.of) == club.of
