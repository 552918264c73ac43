"""Commands that read or change the club: `@shell.reads` and `@shell.writes` pass them `work`.

The configured club is opened before such a command and closed after it. Expected errors end it
with a sentence. It returns the lines to print, which are printed once its work is committed.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from inspect import Parameter
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

import typer

from pbem.cli.context import ConfigOption, club_of
from pbem.cli.listing import printable
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.work import Work, reading, writing

P = ParamSpec("P")
Said = str | Iterable[str] | None
"""One or more lines. None if the command has printed its output."""
MOST_NAMED = 20
"""Maximum number of names in one sentence."""


def reads(command: Callable[Concatenate[Work, P], Said]) -> Callable[..., None]:
    """Make a command of a function that only reads, from one snapshot."""
    return _command(reading, command)


def writes(command: Callable[Concatenate[Work, P], Said]) -> Callable[..., None]:
    """Make a command of a function that may change something: everything or nothing."""
    return _command(writing, command)


def _command(
    begin: Callable[[Club], AbstractContextManager[Work]], command: Callable[..., Said]
) -> Callable[..., None]:
    """Return a function with the command's parameters, and `--config` instead of its work."""

    @functools.wraps(command)
    def run(config: Path | None = None, **given: Any) -> None:
        with club_of(config) as club:
            with begin(club) as work:
                said = command(work, **given) or ()
                lines = [said] if isinstance(said, str) else list(said)
            for line in lines:
                typer.echo(printable(line))

    taken = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    taken.append(Parameter("config", Parameter.KEYWORD_ONLY, default=None, annotation=ConfigOption))
    run.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in taken}
    return run


def player_named(work: Work, name: str) -> Player:
    """Return the player of a name. Raises StorageError."""
    player = work.players.named(name)
    if player is None:
        raise StorageError(f"there is no member {name}. {_others(work, name)}")
    return player


def _others(work: Work, name: str) -> str:
    """Suggest members with similar names. If there are none, everyone in a small club."""
    from pbem.service.members.names import nearest_names

    near = nearest_names(work, name, hidden=True)
    if near:
        return f"Did you mean {' or '.join(near)}?"
    everybody = [player.name for player in work.players.all()]
    if len(everybody) > MOST_NAMED:
        return "See pbem member list"
    return f"The members are: {', '.join(everybody) or 'nobody yet'}"
