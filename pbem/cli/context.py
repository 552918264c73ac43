"""What the commands share: the configuration that was asked for, and errors as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pbem.adapters.folder_lock import AlreadyServed
from pbem.bootstrap import build_club
from pbem.config import Config, ConfigError, find_config, load_config
from pbem.games.api import OptionError
from pbem.matches.match import Player
from pbem.service.club import Club
from pbem.service.ports import (
    MailboxError,
    StorageError,
    StorageUnavailable,
    TransportError,
    UnitOfWork,
)

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", help="Configuration file (else PBEM_CONFIG, ./pbem.toml, …)."),
]

EXPECTED = (
    AlreadyServed,
    ConfigError,
    OptionError,
    StorageError,
    StorageUnavailable,
    MailboxError,
    TransportError,
)


@contextmanager
def errors_as_sentences(*more: type[Exception]) -> Iterator[None]:
    """A block whose expected errors end the command with one sentence and status 1."""
    try:
        yield
    except EXPECTED + more as error:
        told = f"{error}"
        if isinstance(error, OSError) and error.filename:
            told = f"{error.filename}: {error.strerror}"
        typer.echo(f"pbem: {told}", err=True)
        raise typer.Exit(1) from error


def configured(path: Path | None) -> Config:
    """The configuration; raises ConfigError."""
    return load_config(find_config(path))


@contextmanager
def opened(config: Config) -> Iterator[Club]:
    """A club whose database is closed at the end of the block; raises StorageUnavailable."""
    club = build_club(config)
    with closing(club.storage):
        yield club


@contextmanager
def club_of(path: Path | None) -> Iterator[Club]:
    """The configured club; expected errors in the block end the command with a sentence."""
    with errors_as_sentences(), opened(configured(path)) as club:
        yield club


def player_named(uow: UnitOfWork, name: str) -> Player:
    """Player of a name; raises StorageError."""
    player = uow.players.named(name)
    if player is None:
        names = ", ".join(player.name for player in uow.players.all()) or "nobody yet"
        raise StorageError(f"there is no player {name}; there are: {names}")
    return player
