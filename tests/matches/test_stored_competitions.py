"""Competitions stored before entries, seeds and tie-breaks existed load and continue."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.matches.competition import Common
from pbem.matches.competitions import kinds
from tests.matches.competing import OPTIONS, START, Club

STORED = (
    ("set", "lanko-68", 3, {"concurrent": False}),
    ("set", "lanko-68", 3, {"concurrent": True, "replays": {"2": [2, 1, 3]}}),
    ("series", "lanrick-1893", 2, {"games": 4}),
    ("series", "lanrick-1893", 2, {"games": 3, "successors": {"7": 2}}),
    ("tournament", "lanrick-1893", 4, {"double": False, "concurrent": False}),
    ("tournament", "lanrick-1893", 5, {"double": True, "concurrent": True}),
)


@pytest.mark.parametrize(("kind", "game", "players", "terms"), STORED)
def test_stored_competition_loads_and_ends(
    kind: str, game: str, players: int, terms: dict[str, Any]
) -> None:
    common = Common(3, 4, game, tuple(range(1, players + 1)), OPTIONS, START)
    of = kinds()[kind].with_terms(common, terms)
    assert of.terms == terms, "it is stored as before"
    club = Club(of)
    while club.running:
        club.ends(club.index(club.running[0]), None)
    standing = of.standing(club.stored)
    assert (standing.over, len(club.stored)) == (True, of.length)
    assert len(standing.winners) == players, "all are level, and share the first place"


def test_tournament_from_before_breaks_ties_by_sonneborn_berger_only() -> None:
    common = Common(3, 4, "lanrick-1893", (1, 2, 3), OPTIONS, START)
    of = kinds()["tournament"].with_terms(common, {"double": False, "concurrent": True})
    club = Club(of)
    for index, match in list(club.matches.items()):
        club.ends(index, match.players[0])
    [first, *_] = of.standing(club.stored).rows
    assert [each.key for each in first.tie_breaks] == ["sonneborn-berger"]
