"""Test that docs/cli.md equals the generated page, and that the README names existing commands."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.cli_page import PAGE, command_names, page

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def test_page_equals_generated_page() -> None:
    assert PAGE.read_text("utf-8") == page(), "run make docs"


def test_page_has_a_row_for_every_command() -> None:
    rows = re.findall(r"^\| \[`pbem (\w+)", PAGE.read_text("utf-8"), re.MULTILINE)
    assert set(rows) == command_names()


def test_readme_names_only_existing_commands() -> None:
    typed = re.findall(r"(?:`|bin/)pbem ([a-z]+)", README)
    assert typed
    assert set(typed) <= command_names()
