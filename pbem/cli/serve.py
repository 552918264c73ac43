"""`pbem serve`: runs the club."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.bootstrap import Embedded, embedded_running, running, served_alone, servers_of
from pbem.cli.context import ConfigOption, configured, opened
from pbem.cli.new_config import Answers, write_config
from pbem.cli.sentences import errors_as_sentences
from pbem.config import FILE_NAME, ConfigError, find_config
from pbem.serve import Service, stop_on_signals


def serve(
    embedded: Annotated[
        bool,
        typer.Option("--embedded", help="Start a mail server of its own, for trying out."),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Run the club until SIGTERM."""
    with errors_as_sentences():
        if embedded:
            _serve_embedded(config)
            return
        settings = configured(config)
        with opened(settings) as club, served_alone(settings, embedded=False):
            stop = stop_on_signals()
            typer.echo(f"{club.address}: serving; end with Ctrl-C")
            Service(running(settings, club, servers_of(settings))).run_until(stop)


def _serve_embedded(config: Path | None) -> None:
    settings = configured(_config_for_trying(config))
    stop = stop_on_signals()
    with (
        opened(settings) as club,
        served_alone(settings, embedded=True),
        Embedded(club, announce=typer.echo) as embedded,
    ):
        typer.echo("for trying out: these mailboxes live in memory only; the matches do not")
        Service(embedded_running(settings, club, embedded)).run_until(stop)


def _config_for_trying(given: Path | None) -> Path:
    """The configuration, or a new one with defaults where there is none."""
    try:
        return find_config(given)
    except ConfigError:
        path = given or Path(FILE_NAME)
        write_config(path, Answers())
        typer.echo(f"{path} did not exist and is written with defaults")
        return path
