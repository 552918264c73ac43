"""Arguments that many commands take, and their completion in a shell.

Completions pass through the shell, which may split or execute them. So a name is offered only if it
consists of letters, digits, hyphens and full stops.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pbem.service.work import Work
from enum import StrEnum
from typing import Annotated

ASKS = "_PBEM_COMPLETE"
"""Set by the shell's script when it asks for completions."""
_HARMLESS = re.compile(r"[\w.-]+")


def typed() -> Sequence[str] | None:
    """Return the words before the one to complete. None if no shell asks for completions."""
    environment = os.environ  # noqa: TID251  set by the shell's script, not a setting
    if ASKS not in environment:
        return None
    if "COMP_WORDS" in environment:  # bash
        return environment["COMP_WORDS"].split()[1 : int(environment.get("COMP_CWORD", "1"))]
    line = environment.get("_TYPER_COMPLETE_ARGS", "")
    words = line.split()[1:]
    return words if line.endswith(" ") else words[:-1]


def prepare() -> None:
    """Make Typer load its shells. By default it does so only for options that we don't have."""
    from typer.completion import completion_init  # type: ignore[attr-defined]

    completion_init()


def games(incomplete: str) -> list[str]:
    """Return the keys of games."""
    from pbem.games import keys

    return _fit(keys(), incomplete)


def members(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the names of members."""
    return _stored(
        ctx, lambda work: (each.name for each in work.players.all() if not each.bot), incomplete
    )


def matches(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the numbers of the matches in play."""

    def numbers(work: Work) -> Iterable[str]:
        return (str(each.id) for each in work.matches.all() if each.result is None)

    return _stored(ctx, numbers, incomplete)


def _fit(names: Iterable[str], incomplete: str) -> list[str]:
    return [each for each in names if each.startswith(incomplete) and _HARMLESS.fullmatch(each)]


def _stored(
    ctx: typer.Context, names: Callable[[Work], Iterable[str]], incomplete: str
) -> list[str]:
    """Return what the club has, or nothing if it is unreadable: completion shows no errors."""
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            return _fit(_read(ctx, names), incomplete)
        except Exception:  # noqa: BLE001  the shell hides it, and typing continues
            return []


def _read(ctx: typer.Context, names: Callable[[Work], Iterable[str]]) -> list[str]:
    from pbem.adapters.db.engine import file_of
    from pbem.cli.context import config_before, opened
    from pbem.run.config import find_config, load_config
    from pbem.service.work import reading

    config = load_config(find_config(ctx.params.get("config") or config_before(ctx)))
    file = file_of(config.database_url)
    if file is None or not file.exists():
        return []  # a server may be down, and pressing Tab must not create a file
    with opened(config) as club, reading(club) as work:
        return list(names(work))


MemberArgument = Annotated[
    str,
    typer.Argument(metavar="MEMBER", help="Name of the member.", autocompletion=members),
]
OtherArgument = Annotated[
    str, typer.Argument(metavar="OTHER", help="Name of the other member.", autocompletion=members)
]
PlayerArgument = Annotated[
    str,
    typer.Argument(metavar="PLAYER", help="A player of the match.", autocompletion=members),
]
EntrantArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The name of a member.", autocompletion=members)
]
MatchArgument = Annotated[
    int, typer.Argument(metavar="MATCH", help="Number of the match.", autocompletion=matches)
]
GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game, as pbem games lists it.", autocompletion=games),
]
AddressArgument = Annotated[str, typer.Argument(metavar="ADDRESS", help="One of their addresses.")]
OfferArgument = Annotated[
    int, typer.Argument(metavar="OFFER", help="Number of the challenge or table.")
]
MailArgument = Annotated[
    int, typer.Argument(metavar="MAIL", help="Number of the email, as pbem mail list shows it.")
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]


class Shell(StrEnum):
    """The supported shells."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[
        Shell,
        typer.Argument(metavar="SHELL", help="Your shell: bash, zsh or fish."),
    ],
) -> None:
    """Print the script that makes bash, zsh or fish complete pbem's commands."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    typer.echo(get_completion_script(prog_name="pbem", complete_var=ASKS, shell=shell))
