"""Test `pbem leave`, with which the director takes leave for a player."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.test_commands import Shell, with_players


@pytest.fixture
def shell(club_folder: Path) -> Shell:
    shell = Shell(club_folder)
    assert shell("init", "--defaults").exit_code == 0
    with_players(shell, "Anna", "Bert")
    assert shell("match", "new", "lanko-68", "Anna", "Bert").exit_code == 0
    return shell


def test_leave_is_taken_shown_and_ended(shell: Shell) -> None:
    assert "not on leave" in shell("leave", "Anna").stdout
    taken = shell("leave", "Anna", "7", "days").stdout
    assert "Anna: on leave from" in taken
    assert shell("leave", "Anna").stdout == taken
    told = json.loads(shell("leave", "Anna", "--json").stdout)
    assert (told["on_leave"], len(told["leaves"]), told["days_a_year"]) == (True, 1, 30)
    assert re.search(r"\d+ of 30 days left", taken)
    assert "Anna: not on leave" in shell("leave", "Anna", "back").stdout
    assert "leave Anna 7 days" in shell("log").stdout


@pytest.mark.parametrize(
    ("words", "why"),
    (
        (("back",), "not on leave"),
        (("until", "christmas"), "as a date"),
        (("2020-01-01",), "leave for past days"),
    ),
)
def test_impossible_leave_is_refused_with_reason(
    shell: Shell, words: tuple[str, ...], why: str
) -> None:
    result = shell("leave", "Anna", *words)
    assert result.exit_code == 1
    assert why in result.output
    assert "Traceback" not in result.output
