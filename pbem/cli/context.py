"""Context that the commands share: the configuration and the club."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.error_messages import errors_as_sentences
from pbem.log import set_up_by
from pbem.run.bootstrap.club import build_club
from pbem.run.config import DEFAULT_FORMAT, DEFAULT_LEVEL, Config, find_config, load_config
from pbem.service.club import Club

if TYPE_CHECKING:
    from pbem.run.bootstrap.servers import Servers


def config_before(ctx: typer.Context) -> Path | None:
    """Return the configuration named before the command."""
    path: Path | None = ctx.find_root().params.get("config")
    return path


def else_before(ctx: typer.Context, path: Path | None) -> Path | None:
    """Return the configuration named after the command, otherwise the one before it."""
    return path or config_before(ctx)


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Configuration file (default: PBEM_CONFIG, ./pbem.toml, ...).",
        callback=else_before,
    ),
]


def configured(path: Path | None) -> Config:
    """Load the configuration and log by its level from now on. Raises ConfigError."""
    settings = load_config(find_config(path))
    if (settings.log.level, settings.log.format) != (DEFAULT_LEVEL, DEFAULT_FORMAT):
        set_up_by(partial(_log_by, settings.log.level, settings.log.format))
    return settings


def _log_by(level: str, form: str) -> None:
    from pbem.cli.logs import log_as_json, log_from

    log_from(level)
    if form == "json":
        log_as_json()


def servers_in_use(config: Config) -> Servers:
    """Return the club's mail servers: embedded if they have run, otherwise configured."""
    from pbem.run.bootstrap.servers import servers_of  # listing needs no mail servers

    if config.club.embedded:
        from pbem.extras.embedded.club import embedded_servers

        own = embedded_servers(config)
        if own is not None:
            return own
    return servers_of(config)


@contextmanager
def opened(config: Config) -> Iterator[Club]:
    """A club whose database is closed after the block. Raises StorageUnavailable."""
    club = build_club(config)
    with closing(club.storage):
        yield club


@contextmanager
def club_of(path: Path | None) -> Iterator[Club]:
    """The configured club. Expected errors in the block end the command with a sentence."""
    with errors_as_sentences(), opened(configured(path)) as club:
        yield club
