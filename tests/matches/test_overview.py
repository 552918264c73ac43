"""Overviews of competitions: the course of places, and the forecast of the end."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.forecast import Paces, forecast
from pbem.matches.overview import MOST_STEPS, Overview
from tests.matches.all_kinds import KINDS, played
from tests.matches.competing import OPTIONS, START, TWO, Club

DAY = timedelta(days=1)
LENGTHS = {20: 10, 40: 10, 60: 10}


@pytest.mark.parametrize("kind", KINDS)
def test_course_ends_with_the_table(kind: str) -> None:
    club = played(kind, 8, 3, 0.6)
    course = Overview(club.of, club.stored).course
    if course is None:
        assert kind in ("series", "knock-out", "team-match") or len(club.stored) < 3
        return
    assert 1 < len(course.steps) <= max(MOST_STEPS, club.of.round_total)
    order = [row.player for row in club.of.standing(club.stored).rows]
    last = course.steps[-1].places
    assert [last[player] for player in order] == list(range(1, len(order) + 1))


def test_forecast_waits_for_the_slowest_of_each_round() -> None:
    of = RoundRobin(TWO, (1, 2, 3, 4), OPTIONS, START)
    club = Club(of)
    quick = Paces(dict.fromkeys((1, 2, 3, 4), DAY), LENGTHS)
    found = forecast(of, club.stored, quick, START)
    assert found is not None
    assert found.early == START + 3 * 20 * DAY - DAY, "three rounds; one turn is counted as begun"
    assert found.late == START + 3 * 60 * DAY - DAY
    slow = forecast(of, club.stored, Paces({**quick.turn, 4: 3 * DAY}, LENGTHS), START)
    assert slow is not None
    assert slow.early > found.early


def test_forecast_says_nothing_without_paces() -> None:
    of = RoundRobin(TWO, (1, 2, 3, 4), OPTIONS, START)
    club = Club(of)
    assert forecast(of, club.stored, Paces({1: DAY}, LENGTHS), START) is None
    everybody = dict.fromkeys((1, 2, 3, 4), DAY)
    assert forecast(of, club.stored, Paces(everybody, {20: 3}), START) is None


def test_forecast_comes_nearer_as_matches_end() -> None:
    club = played("tournament without a chain", 5, 2, 0)
    paces, ends = Paces(dict.fromkeys(club.of.players, DAY), LENGTHS), []
    for match in club.running[:-1]:
        club.ends(club.index(match), match.players[0])
        found = Overview(club.of, club.stored, paces, START).forecast
        assert found is not None
        ends.append(found.late)
    assert ends == sorted(ends, reverse=True)
    assert ends[-1] <= START + 60 * DAY
