"""The README names every command there is, and none that is not."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from pbem.cli import command_line

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def commands() -> set[str]:
    group = typer.main.get_command(command_line())
    assert hasattr(group, "commands")
    return {name for name, command in group.commands.items() if not command.hidden}


def test_every_command_is_in_the_readme() -> None:
    named = set(re.findall(r"`pbem (\w+)", README))
    assert named - {"toml"} == commands()
