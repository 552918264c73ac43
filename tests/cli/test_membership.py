"""Test `pbem member rename|remove|forget`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from tests.support.traces import in_files


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(command_line(words), list(words), input=typed)


@pytest.fixture
def club(club_folder: Path) -> Path:
    """Return the data folder of a club in which Annabella plays Bert."""
    assert run("init", "--defaults").exit_code == 0
    for name, address in (("Annabella", "a17@mail.example"), ("Bert", "bert@mail.example")):
        assert run("member", "add", name, address).exit_code == 0
    assert run("match", "new", "lanko-68", "Annabella", "Bert").exit_code == 0
    assert run("archive", "publish").exit_code == 0
    return club_folder / "club"


def test_member_is_erased_after_confirmation(club: Path) -> None:
    asked = run("member", "forget", "annabella", typed="n\n")
    assert asked.exit_code == 1
    assert "plays match 1, which will be resigned" in asked.output
    assert in_files(club, "Annabella")
    done = run("member", "forget", "annabella", typed="y\n")
    assert done.exit_code == 0, done.output
    assert "erased. Records now say: former member 1" in done.output
    assert "resigned: match 1" in done.output
    assert "former member 1" in (club / "archive" / "match-000001-lanko-68.txt").read_text()
    # Only the farewell email is left. It is erased once it has been sent.
    assert in_files(club, "Annabella") == set()
    assert in_files(club, "a17@mail.example") == {"pbem.sqlite"}
    assert run("archive", "verify").exit_code == 0
    assert "Annabella" not in run("member", "list").output
    again = run("member", "forget", "annabella", "--yes")
    assert (again.exit_code, "there is no member annabella" in again.output) == (1, True)


def test_member_is_removed_for_a_reason(club: Path) -> None:
    done = run("member", "remove", "Bert", "never", "moves", "--yes")
    assert done.exit_code == 0, done.output
    assert "resigned: match 1" in done.output
    found = (name for name in in_files(club, "Bert") if "/help/" not in name)
    assert not any(name.startswith(("site", "archive")) for name in found)
    assert "shell  member remove former member 2  never moves" in run("log").output


def test_member_is_renamed_in_records_and_pages(club: Path) -> None:
    assert run("member", "rename", "Annabella", "Beatrix").exit_code == 0
    assert "shell  member rename Beatrix" in run("log").output
    assert run("archive", "publish").exit_code == 0
    assert not any(name.startswith("site") for name in in_files(club, "Annabella"))
    assert any(name.startswith("site") for name in in_files(club, "Beatrix"))
    for words, told in (
        (("Beatrix", "bert"), "the name Bert is taken"),
        (("Beatrix", "x"), "2 to 32"),
    ):
        refused = run("member", "rename", *words)
        assert (refused.exit_code, told in refused.output) == (1, True), refused.output
