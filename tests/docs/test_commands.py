"""docs/commands.md is made from the declarations, and everything that is declared is explained."""

from __future__ import annotations

import pytest

from pbem.commands import all_commands
from pbem.commands.api import Command
from tests.docs.commands_page import PAGE, page


def test_the_page_is_that_of_the_declarations() -> None:
    assert PAGE.read_text("utf-8") == page(), "run make docs"


@pytest.mark.parametrize("command", all_commands(), ids=lambda command: command.usage)
def test_every_argument_is_explained(command: Command) -> None:
    assert [each.name for each in command.arguments if not each.help] == []
