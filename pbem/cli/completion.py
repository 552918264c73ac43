"""`pbem completion`: what a shell needs to complete the commands of pbem."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]

from pbem.cli.completing import ASKS


class Shell(StrEnum):
    """The shells that are known."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[
        Shell,
        typer.Argument(metavar="SHELL", help="bash, zsh or fish: whose words are to be completed."),
    ],
) -> None:
    """Print what lets bash, zsh or fish complete commands of pbem."""
    typer.echo(get_completion_script(prog_name="pbem", complete_var=ASKS, shell=shell))
