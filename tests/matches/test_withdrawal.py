"""Withdrawal: players who have withdrawn are below all others in the table, and never win."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from pbem.matches.competitions.knock_out import KnockOut
from pbem.matches.competitions.team_match import TeamMatch
from tests.matches.all_kinds import KINDS, MOST
from tests.matches.competing import Club
from tests.support.examples import examples


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"set", "series", "ladder"}))
@settings(max_examples=examples(6), deadline=None)
@given(st.integers(3, 9), st.integers(0, 2**32))
def test_players_who_withdrew_are_last_and_never_win(kind: str, count: int, seed: int) -> None:
    rng, club = random.Random(seed), Club(KINDS[kind](count))
    final: set[int] = set()
    for _ in range(MOST):
        if not club.running:
            break
        if rng.random() < 0.15 and len(club.of.taking_part) > 2:
            player = rng.choice(club.of.taking_part)
            following = club.of.next_round(player, club.stored)
            if isinstance(club.of, KnockOut) and following > club.of.rounds:
                final.add(player)
            club.of = club.of.without(player, following)
        match = rng.choice(club.running)
        club.ends(club.index(match), rng.choice((*match.players, None)))
    club.of = club.of.closed_now() or club.of
    for match in club.running:
        club.ends(club.index(match), None)
    standing = club.of.standing(club.stored)
    gone = {*club.of.players} - {*club.of.taking_part} - final
    assert not gone & {*standing.winners}, "not even if they led"
    assert standing.winners or not standing.over or isinstance(club.of, KnockOut | TeamMatch)
    if isinstance(club.of, KnockOut | TeamMatch):
        return
    for division in getattr(standing, "divisions", (standing,)):
        last = [row.player in gone for row in division.rows]
        assert last == sorted(last)
        assert last == [row.withdrawn for row in division.rows]
