"""Announce and direct competitions on the command line."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.cli.test_commands import Shell, shell, with_players

__all__ = ["shell"]

LAST_DAY = f"{datetime.now(UTC) + timedelta(days=30):%Y-%m-%d}"
DAY = f"enter-until={LAST_DAY}"


@pytest.fixture
def club(shell: Shell) -> Shell:
    with_players(shell, "Anna", "Bert", "Clara")
    return shell


def says(club: Shell, *words: str) -> str:
    result = club(*words)
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


def test_competition_is_announced_directed_and_shown(club: Shell) -> None:
    terms = ("ladder", "lanrick-1893", DAY, "reach=1", "max=2", "repeat=2w")
    announced = says(club, "competition", "new", *terms)
    assert announced == f"1: ladder, lanrick-1893; 0 players, 0 waiting; enter until {LAST_DAY}"
    for name in ("Anna", "Bert", "Clara"):
        waits = ": waiting list" if name == "Clara" else ""
        entered = says(club, "competition", "enter", "1", name)
        assert entered == f"competition enter 1 {name}{waits}"
    refused = club("ladder", "show", "1")
    assert refused.exit_code
    assert "pbem competition show 1" in refused.output
    says(club, "competition", "withdraw", "1", "Anna", "ill")
    says(club, "competition", "start", "1")
    shown = json.loads(says(club, "competition", "show", "1", "--json"))
    assert shown["phase"] == "running"
    assert (shown["players"], shown["waiting"]) == (["Bert", "Clara"], [])
    assert (shown["min"], shown["max"], shown["repeat_days"]) == (2, 2, 14)
    assert shown["terms"] == {"reach": 1, "until": ""}
    assert [row["player"] for row in shown["standing"]] == ["Bert", "Clara"]
    assert shown == json.loads(says(club, "competition", "list", "--json"))[0]
    assert "Competition 1: ladder" in says(club, "competition", "show", "1")
    says(club, "competition", "close", "1")
    listed = says(club, "competition", "list").splitlines()
    assert [line.rpartition("; ")[2][:11] for line in listed] == ["ended", "enter until"]
    says(club, "competition", "off", "2", "nobody came")
    assert "competition off 2  nobody came" in says(club, "log")
    assert "is over" in club("competition", "off", "2").output
