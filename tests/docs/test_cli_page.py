"""Test that docs/cli.md equals the generated page, and that pages name only what can be typed."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from pbem.cli import command_line
from tests.docs.cli_page import PAGE, command_names, page

ROOT = Path(__file__).parents[2]
PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("deploy/**/*.md")} - {PAGE})
TYPED = re.compile(r"^ {4,}(?:\$ )?(?:sudo -u \w+ )?(?:\S*/)?pbem (\w.*?)(?: [#|&>;] ?.*|   ?.*)?$")
"""A command line in a block. A comment, or whatever follows two spaces, is not part of it."""
MENTIONED = re.compile(r"`(?:\S*/)?pbem (\w[^`]*)`")
UNITS = {"NUMBER": "7", "…": "7"}
INCOMPLETE = ("MissingParameter", "BadOptionUsage", "NoArgsIsHelpError")
"""Errors of a sentence that names a command without its arguments."""


def test_page_equals_generated_page() -> None:
    assert PAGE.read_text("utf-8") == page(), "run make docs"


def test_page_has_a_row_for_every_command() -> None:
    rows = re.findall(r"^\| \[`pbem (\w+)", PAGE.read_text("utf-8"), re.MULTILINE)
    assert set(rows) == command_names()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_command_lines_on_a_page_are_accepted(path: Path) -> None:
    names = command_names()
    for line in path.read_text("utf-8").splitlines():
        if typed := TYPED.match(line):
            assert problem(typed[1]) == "", line
        for mentioned in MENTIONED.findall(line):
            if mentioned.split()[0] in names:
                assert problem(mentioned) in ("", *INCOMPLETE), line


@cache
def program() -> Any:
    """Return the program with all commands."""
    return typer.main.get_command(command_line())


def problem(text: str) -> str:
    """Parse a command line like the program does. Return the kind of error, empty if none."""
    words = [UNITS.get(word, word) for word in shlex.split(re.sub(r"[\[\]]", "", text))]
    command = program()
    while hasattr(command, "commands") and words:
        command = command.commands.get(words.pop(0))
    try:
        command.make_context("pbem", words)
    except Exception as error:  # noqa: BLE001  typer does not export their classes
        return type(error).__name__
    return ""
