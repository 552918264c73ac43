"""Round robins: published Berger tables, consecutive rounds, the cross-table."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from itertools import combinations

import pytest

from pbem.games import game_of
from pbem.mail.outgoing import render
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.competition_place import Place
from pbem.matches.competitions.round_robin import RoundRobin, berger
from pbem.matches.match import Match, MatchOptions, OfferKind, new_match
from pbem.matches.match_offers import offer
from pbem.matches.player_actions import lost
from pbem.matches.tie_breaks import ALL_MEET

START = datetime(2026, 11, 21, 9, tzinfo=UTC)

PUBLISHED = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / "
    "3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1",
}
"""FIDE Handbook, C.05, Annex 1."""
PUBLISHED[3], PUBLISHED[5] = PUBLISHED[4], PUBLISHED[6]


def tournament(count: int, *, double: bool = False, concurrent: bool = False) -> RoundRobin:
    players = tuple(range(1, count + 1))
    of = RoundRobin("lanrick-1893", players, MatchOptions(), START, id=7, number=7)
    return replace(of, double=double, concurrent=concurrent)


def pairs(of: RoundRobin) -> list[tuple[int, ...]]:
    return [pairing.players for pairing in of.pairings()]


def due(of: RoundRobin, *matches: Match) -> list[int]:
    return [pairing.index for pairing in of.due(matches)]


def painted(of: RoundRobin, matches: list[Match], names: dict[int, str], place: Place) -> list[str]:
    view = CompetitionView(of, matches, names, place)
    return render.painted(of_the_club(), view).splitlines()


def begun(of: RoundRobin, index: int) -> Match:
    rules, pairing = game_of(of.game_key), list(of.pairings())[index - 1]
    return new_match(rules, pairing.players, of.options, START, place=of.place(pairing))


def ended(of: RoundRobin, index: int, winner: int | None) -> Match:
    match = begun(of, index)
    if winner is None:
        one, other = match.players
        return offer(
            offer(match, OfferKind.DRAW, one, START).match, OfferKind.DRAW, other, START
        ).match
    return lost(match, match.others(winner), "resignation", START).match


@pytest.mark.parametrize("count", PUBLISHED)
def test_pairings_are_the_published_ones(count: int) -> None:
    text = " / ".join(" ".join(f"{a}-{b}" for a, b in pairs) for pairs in berger(count))
    assert text == PUBLISHED[count]


@pytest.mark.parametrize("count", range(3, 15))
def test_all_players_meet_once_and_play_once_a_round(count: int) -> None:
    of = tournament(count)
    assert sorted(map(sorted, pairs(of))) == [list(p) for p in combinations(of.players, 2)]
    for met in of.rounds:
        playing = [player for pair in met for player in pair]
        assert len(playing) == len(set(playing)) == count - count % 2


def test_odd_number_of_players_has_byes() -> None:
    """The bye goes to the opponent of player 6 in the table of six."""
    of = tournament(5)
    assert [of.bye(number) for number in range(1, 6)] == [1, 4, 2, 5, 3]
    assert tournament(4).bye(1) is None


def test_second_cycle_reverses_the_first_move() -> None:
    of = tournament(4, double=True)
    assert len(of.rounds) == 6
    first, second = pairs(of)[:6], pairs(of)[6:]
    assert [(b, a) for a, b in first] == second
    assert len(set(pairs(of))) == of.length == 12


def test_round_waits_for_the_previous_one() -> None:
    of = tournament(4)
    assert due(of) == [1, 2]
    assert due(of, ended(of, 1, 1), begun(of, 2)) == []
    assert due(of, ended(of, 1, 1), ended(of, 2, 2)) == [3, 4]
    assert due(of, *(ended(of, i, p[0]) for i, p in enumerate(pairs(of), 1))) == []


def test_concurrent_rounds_do_not_wait() -> None:
    of = tournament(3, concurrent=True)
    assert due(of) == [1, 2, 3]
    assert due(of, *(begun(of, i) for i in (1, 2, 3))) == []


def test_points_and_sonneborn_berger() -> None:
    """Results: 1 beats 4, draws 2, loses to 3. 2 beats 3, draws 1 and 4. 3 beats 1. 4 beats 3."""
    of = tournament(4)
    winners = {(1, 4): 1, (1, 2): None, (1, 3): 3, (2, 3): 2, (2, 4): None, (3, 4): 4}
    matches = [
        ended(of, index, winners[min(pair), max(pair)]) for index, pair in enumerate(pairs(of), 1)
    ]
    standing = of.standing(matches)
    # Points: 2 has 2, 1 and 4 have 1.5, 3 has 1. Sonneborn-Berger: 2 has 1 + 0.75 + 0.75,
    # 1 has 1.5 + 2/2 = 2.5, 4 has 1 + 2/2 = 2, 3 has 1.5.
    assert [(row.player, row.points, row.tie_breaks[0].value) for row in standing.rows] == [
        (2, Fraction(2), Fraction(5, 2)),
        (1, Fraction(3, 2), Fraction(5, 2)),
        (4, Fraction(3, 2), Fraction(2)),
        (3, Fraction(1), Fraction(3, 2)),
    ]
    assert standing.winners == (2,)
    names = {1: "Anna", 2: "Bert", 3: "Clara", 4: "Dan"}
    assert painted(of, matches, names, Place(7, 3, 6)) == [
        "Tournament 7, round 3 of 3.",
        "",
        "           1  2  3  4   pts     SB",
        "  1 Bert   x  =  =  1   2.0   2.50",
        "  2 Anna   =  x  1  0   1.5   2.50",
        "  3 Dan    =  0  x  1   1.5   2.00",
        "  4 Clara  0  1  0  x   1.0   1.50",
        "",
        "The tournament is over.",
    ]


@pytest.mark.parametrize("double", (False, True))
def test_twelve_players_fit_into_72_columns(double: bool) -> None:
    of = tournament(12, double=double)
    matches = [ended(of, i, max(pair)) for i, pair in enumerate(pairs(of), 1)]
    names = {player: f"Bartholomäus the {player}th" for player in of.players}
    lines = painted(of, matches, names, Place(7, 1, 1))
    assert max(map(len, lines)) <= 72
    assert lines[3].startswith("  1 Bartholom")


def test_players_of_a_void_match_have_met() -> None:
    of = replace(tournament(4), tie_breaks=ALL_MEET, seed=1)
    winners = {(1, 2): 1, (1, 3): 3, (2, 3): 2, (1, 4): 1, (2, 4): 4, (3, 4): 4}
    matches = list[Match]()
    for index, players in enumerate(pairs(of), 1):
        match = ended(of, index, winners[min(players), max(players)])
        if {1, 2} == set(players):
            assert match.result
            match = replace(match, result=replace(match.result, winners=(), termination="void"))
        matches.append(match)
    rows = {row.player: row for row in of.standing(matches).rows}
    assert [rows[player].points for player in (1, 2, 3, 4)] == [1, 1, 1, 2]
    assert [rows[player].tie_breaks[0].value for player in (1, 2, 3)] == [0, 1, 1]
    assert len(rows[1].scored) == 2, "the match has no result"
