"""Team matches: boards, first moves, how a draw is broken."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pbem.games.api import OptionError
from pbem.matches.competitions.team_match import TeamMatch
from tests.matches.competing import OPTIONS, START, TWO, Club, again, played


def team_match(boards: int, **terms: Any) -> TeamMatch:
    players = tuple(range(1, 2 * boards + 1))
    return TeamMatch(TWO, players, OPTIONS, START, teams=("Ayr", "Bonn"), **terms)


def test_first_team_begins_on_odd_boards() -> None:
    club = Club(team_match(4, double=True))
    assert played(club.stored) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    for index in (1, 2, 3, 4):
        club.ends(index, None)
    assert played(club.running) == [(5, 1), (2, 6), (7, 3), (4, 8)]


def test_neighbours_on_the_list_meet_in_teams_by_lot_or_as_entered() -> None:
    entered, drawn = (5, 1, 4, 2, 6, 3), set()
    for seed in range(12):
        of = team_match(3, seed=seed).begun(entered)
        assert [{*pair} for pair in zip(of.players[:3], of.players[3:], strict=True)] == [
            {5, 1},
            {4, 2},
            {6, 3},
        ]
        drawn.add(of.players)
        assert team_match(3, seed=seed, as_entered=True).begun(entered).players == (
            5,
            4,
            6,
            1,
            2,
            3,
        )
    assert len(drawn) > 2


def test_team_with_more_points_wins() -> None:
    club = Club(team_match(3))
    for index, winner in ((1, 4), (2, None), (3, 6)):
        club.ends(index, winner)
    standing = club.of.standing(club.stored)
    assert [(team.name, team.points) for team in standing.teams] == [
        ("Bonn", Fraction(5, 2)),
        ("Ayr", Fraction(1, 2)),
    ]
    assert (standing.over, standing.winners) == (True, (4, 5, 6))


def test_upper_boards_and_lots_break_a_draw() -> None:
    club = Club(team_match(2))
    club.ends(1, 3)
    club.ends(2, 2)
    assert club.of.standing(club.stored).teams[0].name == "Bonn"
    first = set()
    for seed in range(12):
        club = Club(team_match(1, seed=seed))
        club.ends(1, None)
        first.add(club.of.standing(club.stored).teams[0].name)
    assert first == {"Ayr", "Bonn"}


def test_match_against_a_player_who_withdrew_is_won() -> None:
    club = Club(team_match(2, double=True))
    club.of = club.of.without(3, 2)
    for _ in club.plays(random.Random(3)):
        pass
    assert len(club.stored) == 3
    assert sum(team.points for team in club.of.standing(club.stored).teams) == 4
    assert again(club.of) == club.of


@pytest.mark.parametrize("changes", ({"teams": ("Ayr",)}, {"players": (1, 2, 3)}))
def test_impossible_terms_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        replace(team_match(2), **changes).require_playable()
