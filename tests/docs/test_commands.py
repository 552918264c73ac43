"""Test that docs/commands.md equals the generated page, and that every argument is explained."""

from __future__ import annotations

from pbem.commands import all_commands
from tests.docs.commands_page import PAGE, page


def test_page_equals_generated_page() -> None:
    assert PAGE.read_text("utf-8") == page(), "run make docs"


def test_every_argument_is_explained() -> None:
    arguments = [(command.usage, each) for command in all_commands() for each in command.arguments]
    assert [(usage, each.name) for usage, each in arguments if not each.help] == []
