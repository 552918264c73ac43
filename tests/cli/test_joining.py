"""Test `pbem member waiting|approve|refuse`, and the rule for names on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.members.joining import Newcomer, apply
from pbem.service.work import writing


def run(*words: str) -> Result:
    return CliRunner().invoke(command_line(words), list(words))


@pytest.fixture
def waiting(club_folder: Path) -> tuple[int, int]:
    """Let Anna and Bert apply for membership, and return their numbers."""
    assert run("init", "--defaults").exit_code == 0
    path = club_folder / "pbem.toml"
    path.write_text(re.sub('joining = "open"', 'joining = "approval"', path.read_text()))
    club = build_club(load_config(path))
    with writing(club) as work:
        for name, zone in (("Anna", "Europe/Warsaw"), ("Bert", "UTC")):
            apply(work, Newcomer(f"{name.lower()}@mail.example", name, zone))
    club.storage.close()
    numbers = [each["number"] for each in json.loads(run("member", "waiting", "--json").output)]
    return numbers[0], numbers[1]


def test_applicants_are_listed_approved_or_refused(waiting: tuple[int, int]) -> None:
    anna, bert = waiting
    assert "Anna  anna@mail.example  Europe/Warsaw" in run("member", "waiting").output
    taken = run("member", "approve", str(bert), "--name", "Anna")
    assert (taken.exit_code, "somebody is waiting to join as Anna" in taken.output) == (1, True)
    assert "Anna <anna@mail.example>" in run("member", "approve", str(anna)).output
    assert "Bert is refused" in run("member", "refuse", str(bert), "we", "are", "full").output
    assert "nobody is waiting" in run("member", "waiting").output
    assert "Anna  anna@mail.example" in run("member", "list").output
    again = run("member", "approve", str(anna))
    assert (again.exit_code, "nobody waits under the number" in again.output) == (1, True)


@pytest.mark.parametrize(
    ("name", "told"),
    (
        ("\N{CYRILLIC CAPITAL LETTER A}nna", "looks like Anna, and that name is taken"),
        ("anna", "the name Anna is taken; free are, for example: anna 2, anna 3"),
        ("resign", "resign has another meaning in the club's emails"),
        ("Greedy", "Greedy has another meaning"),
    ),
)
def test_name_is_refused_as_by_email(waiting: tuple[int, int], name: str, told: str) -> None:
    run("member", "approve", str(waiting[0]))
    result = run("member", "add", name, "other@mail.example")
    assert (result.exit_code, told in result.output) == (1, True), result.output


def test_misspelt_name_suggests_nearest(waiting: tuple[int, int]) -> None:
    run("member", "approve", str(waiting[0]))
    assert "there is no member Ana. Did you mean Anna?" in run("member", "show", "Ana").output


def test_approval_needs_a_director(waiting: tuple[int, int], club_folder: Path) -> None:
    path = club_folder / "pbem.toml"
    path.write_text(re.sub("director = .*", 'director = ""', path.read_text()))
    result = run("member", "waiting")
    assert result.exit_code == ExitStatus.CONFIGURATION
    assert "needs a director to approve" in result.output
