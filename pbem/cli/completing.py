"""Completion: what a shell may offer where a game, a member or a match is named.

What is offered goes through the shell, which may take it apart or carry it out. So a name is
offered only if it has nothing but letters, digits, hyphens and full stops.
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

ASKS = "_PBEM_COMPLETE"
"""Set by the shell's script when it asks."""
_HARMLESS = re.compile(r"[\w.-]+")


def typed() -> Sequence[str] | None:
    """The words before the one that is to be completed; None if no shell asks for that."""
    environment = os.environ  # noqa: TID251  what the shell's script tells is no setting
    if ASKS not in environment:
        return None
    if "COMP_WORDS" in environment:  # bash
        return environment["COMP_WORDS"].split()[1 : int(environment.get("COMP_CWORD", "1"))]
    line = environment.get("_TYPER_COMPLETE_ARGS", "")
    words = line.split()[1:]
    return words if line.endswith(" ") else words[:-1]


def prepare() -> None:
    """Has typer know its shells: it does so by itself only for options that we do not have."""
    from typer.completion import completion_init  # type: ignore[attr-defined]

    completion_init()


def games(incomplete: str) -> list[str]:
    """Keys of games."""
    from pbem.games import GAMES

    return _fit((game.info.key for game in GAMES), incomplete)


def members(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of members."""
    return _stored(
        ctx, lambda work: (each.name for each in work.players.all() if not each.bot), incomplete
    )


def matches(ctx: typer.Context, incomplete: str) -> list[str]:
    """Numbers of the matches that are being played."""

    def numbers(work: Work) -> Iterable[str]:
        return (str(each.id) for each in work.matches.all() if each.result is None)

    return _stored(ctx, numbers, incomplete)


def _fit(names: Iterable[str], incomplete: str) -> list[str]:
    return [each for each in names if each.startswith(incomplete) and _HARMLESS.fullmatch(each)]


def _stored(
    ctx: typer.Context, names: Callable[[Work], Iterable[str]], incomplete: str
) -> list[str]:
    """What the club has; nothing where it cannot be read: whoever types has asked for no error."""
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            return _fit(_read(ctx, names), incomplete)
        except Exception:  # noqa: BLE001  a shell shows nothing of it, and typing goes on
            return []


def _read(ctx: typer.Context, names: Callable[[Work], Iterable[str]]) -> list[str]:
    from pbem.adapters.db import file_of
    from pbem.cli.context import config_before, opened
    from pbem.config import find_config, load_config
    from pbem.service.work import reading

    config = load_config(find_config(ctx.params.get("config") or config_before(ctx)))
    file = file_of(config.database_url)
    if file is None or not file.exists():
        return []  # a server may be away, and nothing is made by a key of the keyboard
    with opened(config) as club, reading(club) as work:
        return list(names(work))
