"""Test boards on the command line: in a terminal, piped and as a file."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.run.config import shows_colours


def run(*words: str) -> Result:
    return CliRunner().invoke(command_line(words), list(words))


@pytest.fixture
def club(club_folder: Path) -> Path:
    assert run("init", "--defaults").exit_code == 0
    for name in ("Anna", "Bert"):
        assert run("member", "add", name, f"{name.lower()}@mail.example").exit_code == 0
    assert run("match", "new", "lanko-103", "Anna", "Bert").exit_code == 0
    return club_folder


def test_picture_has_the_format_of_its_extension(club: Path) -> None:
    assert run("match", "show", "1", "--picture", "board.svg").exit_code == 0
    assert "The board of match 1, turn 1, seen from S" in (club / "board.svg").read_text("utf-8")
    assert run("match", "show", "1", "--json", "--picture", "board.PNG").exit_code == 0
    assert (club / "board.PNG").read_bytes().startswith(b"\x89PNG")


def test_picture_that_cannot_be_written_is_refused(club: Path) -> None:
    other = run("match", "show", "1", "--picture", "board.gif")
    assert other.exit_code == 2
    assert ".svg or .png" in other.output
    nowhere = run("match", "show", "1", "--picture", "nowhere/board.svg")
    assert nowhere.exit_code == 1
    assert "nowhere/board.svg: No such file" in nowhere.output


def test_piped_board_is_plain(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    shown = run("match", "show", "1").output
    assert "\x1b" not in shown
    assert "Capitals are White" in shown or "B b" in shown


class Screen(io.StringIO):
    """A terminal with a given encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("term", "no_color", "encoding", "colours"),
    (
        ("xterm-256color", "", "UTF-8", True),
        ("xterm-256color", "1", "utf-8", False),
        ("dumb", "", "utf-8", False),
        ("xterm", "", "ascii", False),
    ),
)
def test_colours_need_a_capable_terminal_and_no_opt_out(
    term: str, no_color: str, encoding: str, colours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("NO_COLOR", no_color)
    assert shows_colours(Screen(encoding)) is colours
    assert not shows_colours(io.StringIO())
