"""Tables of competitions in emails: every kind in every state, within 72 columns."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from lxml import html

from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.render import of_the_club, painted
from pbem.mail.outgoing.typeset.page import Page
from pbem.matches.competition import Competition
from pbem.matches.competition_place import Place
from pbem.matches.competitions.knock_out import KnockOut
from pbem.matches.competitions.league import League
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.competitions.set_league import SetLeague
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.table import Table
from pbem.matches.tie_breaks import ALL_MEET
from tests.matches.all_kinds import KINDS, played
from tests.matches.competing import OPTIONS, START, THREE, TWO, Club

HOSTILE = "<b>Emil</b> & {{ 7*7 }} \\ #eval"
NAMES = {
    n: f"{name} {n}"
    for n, name in enumerate(["Anna", HOSTILE, "Donaudampfschifffahrt", "Bo"] * 20, start=1)
}


@pytest.mark.parametrize("share", (0, 0.3, 0.7, 1))
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_shown_in_every_state(kind: str, share: float) -> None:
    club = played(kind, random.Random(f"{kind}{share}").randint(3, 14), 1, share)
    stored = club.stored
    places: list[Place | None] = [None, *(match.place for match in stored[-1:])]
    announced = CompetitionView(club.of, (), NAMES)
    for view in (announced, *(CompetitionView(club.of, stored, NAMES, each) for each in places)):
        text = painted(of_the_club(), view)
        assert max(map(len, text.split("\n"))) <= 72, text
        assert not re.search(r"[ \t]$|\n\n\n", text, re.MULTILINE), text
        for part in view.parts:
            drawn = view.drawn(part, of_the_club().words).html(Page())
            [table, *_] = html.fragment_fromstring(drawn, create_parent="div").iter("table")
            assert table.findall(".//tr")
            assert "<b>Emil" not in drawn, "names are escaped"


def test_places_over_the_rounds_are_below_the_final_table() -> None:
    club = played("swiss", 8, 3, 1)
    text = painted(of_the_club(), CompetitionView(club.of, club.stored, NAMES))
    [winner] = club.of.standing(club.stored).winners
    after = text.partition("Places after each round:\n\n")[2].split("\n")
    assert after[0].split() == [str(n) for n in range(1, club.of.round_total + 1)]
    assert after[1].startswith(f"  1 {NAMES[winner][:8]}")
    assert after[1].endswith("  1")


def test_large_table_is_cut_to_the_first_and_the_readers() -> None:
    of = RoundRobin(TWO, tuple(range(1, 41)), OPTIONS, START, number=1, tie_breaks=ALL_MEET, id=1)
    club = Club(of)
    last = club.matches[1].place
    text = painted(of_the_club(), CompetitionView(of, club.stored, NAMES, last))
    assert NAMES[40][:8] in text, "match 1 is theirs"
    assert len([line for line in text.split("\n") if re.match(r" *\d+ ", line)]) <= 22


def test_email_about_a_match_shows_its_division_only() -> None:
    of = League(TWO, tuple(range(1, 9)), OPTIONS, START, sizes=(4, 4), id=1, number=1)
    club = Club(of)
    of_second = next(m for m in club.stored if min(m.players) > 4)
    text = painted(of_the_club(), CompetitionView(of, club.stored, NAMES, of_second.place))
    assert "Division 2, 1 goes up" in text
    assert "Division 1" not in text


def test_certain_winner_and_hopeless_players_are_named() -> None:
    four = (TWO, (1, 2, 3, 4), OPTIONS, START)
    of = RoundRobin(*four, number=1, tie_breaks=ALL_MEET, concurrent=True)
    club, names = Club(of), {1: "Anna", 2: "Bert", 3: "Clara", 4: "Dora"}
    for index in [club.index(match) for match in club.running if 1 in match.players]:
        club.ends(index, 1)
    text = painted(of_the_club(), CompetitionView(of, club.stored, names))
    assert "3 of 6 matches have ended." in text
    assert "Anna is sure of first place." in text


def first_wins(match: MatchSummary) -> PlayerId | None:
    return match.players[0]


def nobody_wins(match: MatchSummary) -> PlayerId | None:
    return None


def two_lead(match: MatchSummary) -> PlayerId | None:
    """Let the first two draw, and beat all others."""
    return None if {*match.players} == {1, 2} else min(match.players)


COMMON: dict[str, Any] = {"options": OPTIONS, "created_at": START, "number": 1, "id": 1}
PAIR, FOUR, MANY = (1, 2), (1, 2, 3, 4), tuple(range(1, 17))


@pytest.mark.parametrize(
    ("of", "ended", "result", "said"),
    (
        (
            RoundRobin(TWO, FOUR, concurrent=True, **COMMON),
            5,
            two_lead,
            "Anna 1 and {2} are sure of",
        ),
        (KnockOut(TWO, MANY, **COMMON), 8, first_wins, "8 players can no longer win."),
        (SetLeague(THREE, MANY[:9], rounds=4, **COMMON), 0, nobody_wins, "players meet once."),
        (SetLeague(THREE, MANY[:7], rounds=7, **COMMON), 0, nobody_wins, "meet 2 times. Every"),
        (SetLeague(THREE, MANY[:7], rounds=7, **COMMON), 0, nobody_wins, "Everybody has one bye."),
        (SetLeague(THREE, FOUR, rounds=8, **COMMON), 0, nobody_wins, "Everybody has 2 byes."),
        (
            League(TWO, MANY[:12], sizes=(4, 4, 4), moves=2, **COMMON),
            0,
            nobody_wins,
            "Division 2, 2 go up, 2 go down:",
        ),
        (MatchSet(THREE, MANY[:3], **COMMON), 3, nobody_wins, "Donaudampfschifffahrt 3 share the"),
        (Series(TWO, PAIR, games=3, **COMMON), 1, first_wins, "1 game between Anna 1 and {2}."),
        (Series(TWO, PAIR, games=2, **COMMON), 2, two_lead, "The series is drawn."),
        (Series(TWO, PAIR, games=1, **COMMON), 1, first_wins, "Anna 1 wins the series."),
    ),
)
def test_number_decides_how_it_is_said(
    of: Competition, ended: int, result: Callable[[MatchSummary], PlayerId | None], said: str
) -> None:
    club = Club(of)
    for _ in range(ended):
        match = min(club.running, key=lambda each: ({*each.players} == {3, 4}, club.index(each)))
        club.ends(club.index(match), result(match))
    names = {**NAMES, 2: "Bert 2"}
    text = " ".join(painted(of_the_club(), CompetitionView(of, club.stored, names)).split())
    assert said.replace("{2}", names[2]) in text


@pytest.mark.parametrize("seed", range(3))
def test_bracket_shows_who_goes_through(seed: int) -> None:
    club = played("knock-out", 4, seed, 1)
    assert isinstance(club.of, KnockOut)
    names = {1: "Anna", 2: "Bert", 3: "Clara", 4: "Dora"}
    text = painted(of_the_club(), CompetitionView(club.of, club.stored, names))
    [winner] = club.of.standing(club.stored).winners
    assert f"+- {names[winner]}\n" in text
    assert f"{names[winner]} wins the knock-out." in text


@pytest.mark.parametrize("kind", ("swiss", "tournament", "league"))
def test_points_of_the_table_add_up(kind: str) -> None:
    club = played(kind, 9, 5, 0.4)
    for player in club.of.players[-2:]:
        club.of = club.of.without(player, club.of.next_round(player, club.stored))
    club.of = club.of.with_bye(1, club.of.next_round(1, club.stored))
    for match in club.running:
        club.ends(club.index(match), match.players[0])
    view = CompetitionView(club.of, club.stored, NAMES)
    for table in view.parts:
        assert isinstance(table, Table)
        for row in table.rows:
            marks = [mark for cell in row.cells if isinstance(cell, tuple) for mark in cell]
            points = next(cell for cell in row.cells if isinstance(cell, Fraction))
            assert sum((mark.points or 0 for mark in marks), Fraction()) == points
    text = painted(of_the_club(), view)
    assert "*: withdrawn" in text
    assert re.search(r"^ *\d+\* Bo ", text, re.MULTILINE)
    assert ("without playing" in text) == (kind != "swiss")
    assert ("bye=" in text) == (kind == "swiss"), "half a point"


def test_unplayed_boards_of_a_team_match_add_up() -> None:
    club = played("team-match", 3, 1, 0)
    club.of = club.of.without(2, 2)
    for match in club.running:
        club.ends(club.index(match), match.players[0])
    view = CompetitionView(club.of, club.stored, NAMES)
    text = painted(of_the_club(), view)
    assert re.search(r"^  2 .* 0:1 -:\+ ", text, re.MULTILINE)
    assert "+ and -: won and lost without playing, because of a withdrawal" in text
