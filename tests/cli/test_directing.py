"""Test a director's decisions on the command line."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_commands import Shell, shell, with_players

__all__ = ["shell"]


@pytest.fixture
def played(shell: Shell) -> Shell:
    with_players(shell, "Anna", "Bert", "Clara")
    assert shell("match", "new", "lanko-68", "Anna", "Bert").exit_code == 0
    return shell


def test_every_line_of_a_report_can_be_pasted(played: Shell) -> None:
    for line, said in (
        ("extend 1 3d moving house", "turn 1, S to act"),
        ("pause 1", "turn 1, S to act, paused by a director"),
        ("resume 1", "turn 1"),
        ("act 1 S [41-36]", "turn 2, W to act"),
        ("undo 1 to 1 a slip", "turn 1, S to act"),
        ("replace 1 Anna Clara", "S Clara"),
        ("forfeit 1 Bert --yes", "ended: the director declared a forfeit"),
    ):
        result = played("match", *line.split())
        assert (result.exit_code, said in result.stdout) == (0, True), result.output
    listed = played("log").stdout.splitlines()
    assert "shell  forfeit 1 Bert" in listed[0]
    assert "shell  extend 1 3d  moving house" in listed[-1]
    newest = json.loads(played("log", "1", "--json").stdout)[0]
    assert (newest["by"], newest["line"], newest["match"]) == ("shell", "forfeit 1 Bert", 1)


def test_forfeit_asks_and_says_who_wins(played: Shell) -> None:
    asked = played("match", "forfeit", "1", "Bert", typed="n\n")
    assert (
        'Forfeit match 1 for Bert? Anna wins. You can take it back with "reopen 1".' in asked.output
    )
    assert played("log").stdout == "there are no decisions yet\n"
    done = played("match", "forfeit", "1", "Bert", typed="y\n")
    assert "ended: the director declared a forfeit" in done.output


@pytest.mark.parametrize(
    ("line", "reason"),
    (
        ("adjudicate 1 purple reason", "purple is not a side of match 1"),
        ("forfeit 1 Clara", "Clara does not play in match 1. Its players are Anna, Bert"),
        ("extend 1 0d", "is not a length of time. Write it like 3d, 36h or 2w"),
        ("act 1 S [1-1]", "1-1: the piece on 1"),
        ("pause 7", "there is no match 7"),
        ("undo 1 to 4", "no turn 4 to take back"),
    ),
)
def test_impossible_decision_is_refused_with_reason(played: Shell, line: str, reason: str) -> None:
    result = played("match", *line.split())
    assert result.exit_code == 1
    assert reason in result.stderr
    assert played("log").stdout == "there are no decisions yet\n"


def test_match_competition_and_club_are_paused(played: Shell) -> None:
    for line, said in (
        ("pause club 2w Moving house", "done: pause club 14d"),
        ("resume club", "done: resume club"),
        ("pause 1 36h", "done: pause 1 36h"),
        ("resume 1 at once", "done: resume 1"),
    ):
        result = played(*line.split())
        assert (result.exit_code, said in result.stdout) == (0, True), result.output
    played("pause", "club")
    assert "S to act, paused with the club" in played("match", "list").stdout
    played("resume", "club")
    played("pause", "club", "2w")
    assert ", paused until " in played("match", "list").stdout
    played("resume", "club")
    played("pause", "1", "2w")
    assert ", paused until " in played("match", "list").stdout
    played("resume", "1")
    for line, reason in (
        ("resume club", "club is not paused"),
        ("resume 1", "match 1 itself is not paused"),
        ("pause set 9", "there is no set 9"),
        ("pause set", "write the number of the set after it"),
        ("pause everything", "everything is not the number of a match, nor one of"),
        ("pause 9", "there is no match 9"),
    ):
        result = played(*line.split())
        assert (result.exit_code, reason in result.stderr) == (1, True), result.output


def test_offered_seats_and_leave_are_shown(played: Shell) -> None:
    made = played("match", "new", "lanrick-1893", "Anna", "Bert", "--option", "substitutes=on")
    assert made.exit_code == 0
    assert played("match", "vacate", "2", "Anna").exit_code == 0
    assert ", yellow is offered to substitutes" in played("match", "show", "2").stdout
    again = played("match", "vacate", "2", "Anna")
    assert (again.exit_code, "are already offered" in again.stderr) == (1, True)
    played("leave", "Anna", "7 days")
    assert ", on leave until " in played("match", "list").stdout


def test_match_is_cancelled(played: Shell) -> None:
    assert "the director cancelled the match" in played("match", "cancel", "1", "a mistake").stdout


def test_member_becomes_director(played: Shell) -> None:
    assert played("member", "role", "Clara", "director").stdout == "Clara: director\n"
    assert "is a director" in played("member", "show", "Clara").stdout
    assert played("member", "role", "Clara", "king").exit_code == 1
    assert "role Clara director" in played("log").stdout


def test_announcement_is_shown_before_it_is_sent(played: Shell) -> None:
    shown = played("announce", "match", "1", "Hello", "all")
    assert "to match 1: Anna, Bert\nHello all\nnot sent" in shown.stdout
    assert "sent\n" in played("announce", "club", "Hello", "--send").stdout
    assert "no set 9" in played("announce", "set", "9", "Hello").stderr


def test_decided_match_is_reopened(played: Shell) -> None:
    played("match", "adjudicate", "1", "void", "A slip")
    result = played("match", "reopen", "1", "It was match 2")
    assert result.exit_code == 0, result.output
    assert "S to act" in played("match", "list").stdout
    assert "reopen 1" in played("log").stdout


def test_director_writes_to_a_member(played: Shell) -> None:
    assert played("member", "tell", "Anna", "Will", "you", "move?").stdout == "sent to Anna\n"
    assert "shell  tell Anna  Will you move?" in played("log").stdout
