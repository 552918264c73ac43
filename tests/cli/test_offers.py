"""Test `pbem offer`, with which an operator acts for members."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import Shell, with_players


@pytest.fixture
def shell(club_folder: Path) -> Shell:
    shell = Shell(club_folder)
    assert shell("init", "--defaults").exit_code == 0
    with_players(shell, "Anna", "Bert", "Clara")
    return shell


def said(shell: Shell, *words: str) -> str:
    result = shell("offer", *words)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def refused(shell: Shell, *words: str) -> str:
    result = shell("offer", *words)
    assert result.exit_code == 1
    return result.stderr


def test_challenge_from_offer_to_match(shell: Shell) -> None:
    words = ("lanrick-1893", "days=3", "as=black", "private", "unrated")
    assert "Challenge 1: Lanrick (1893)" in said(shell, "challenge", "Anna", "bert", *words)
    assert "6 days per turn" in said(shell, "counter", "1", "Bert", "days=6")
    assert "offer 1: has started: match 1" in said(shell, "accept", "1", "Anna")
    shown = json.loads(said(shell, "show", "1", "--json"))
    assert (shown["state"], shown["begun"], shown["private"]) == ("begun", "match 1", True)
    assert "offer 1 has already started. It is now match 1" in refused(
        shell, "decline", "1", "Bert"
    )
    assert shell("match", "list").stdout.startswith(
        "match 1: Lanrick (1893), yellow Bert, black Anna"
    )


def test_table_fills(shell: Shell) -> None:
    said(shell, "open", "Anna", "lancelot", "players=3", "excalibur=on")
    said(shell, "take", "1", "Bert", "--as", "blue")
    assert "Players: Anna and Bert. 1 seat free." in said(shell, "list")
    said(shell, "leave", "1", "Bert")
    for name in ("Bert", "Clara"):
        said(shell, "take", "1", name)
    assert said(shell, "list") == "there are no offers\n"
    said(shell, "open", "Bert", "set", "lanko-68")
    assert "offer 2: withdrawn" in said(shell, "withdraw", "2", "Bert")


def test_bot_accepts_a_challenge_but_no_early_rematch(shell: Shell) -> None:
    assert "match 1" in said(shell, "challenge", "Anna", "bot-greedy", "lancelot")
    assert "once the match is over" in refused(shell, "rematch", "1", "Anna")


def test_challenges_to_unknown_or_blocking_members_are_refused(shell: Shell) -> None:
    wrong = refused(shell, "challenge", "Anna", "Bort", "lancelot")
    assert wrong == "pbem: there is no member Bort; did you mean: Bert lancelot?\n"
    assert said(shell, "block", "Bert", "Anna") == "Bert blocks Anna\n"
    assert "Bert is not available" in refused(shell, "challenge", "Anna", "Bert", "lancelot")
    assert said(shell, "unblock", "Bert", "Anna") == "Bert blocks nobody\n"
    assert said(shell, "blocked", "Bert") == "Bert blocks nobody\n"


def test_list_for_a_member_shows_what_they_see(shell: Shell) -> None:
    said(shell, "challenge", "Anna", "Bert", "lancelot")
    said(shell, "open", "Clara", "lanko-68")
    assert "Challenge 1" in said(shell, "list", "--for", "Bert")
    assert "Challenge 1" not in said(shell, "list", "--for", "Clara")
    assert shell("match", "list", "--of", "Anna").stdout == "no match is in play\n"
    said(shell, "accept", "1", "Bert")
    assert "match 1" in shell("match", "list", "--of", "Anna").stdout
    assert shell("match", "list", "--of", "Clara").stdout == "no match is in play\n"
