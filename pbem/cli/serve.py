"""`pbem serve`: run the club."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pbem.adapters.db.migrate import upgrade_at
from pbem.adapters.memory import give_back_freed_memory
from pbem.cli.context import ConfigOption, configured, opened
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.cli.new_config import Answers, write_config
from pbem.run.bootstrap.club import served_alone
from pbem.run.bootstrap.processes import intake_of, running, shift_of
from pbem.run.bootstrap.schema_wait import schema_awaited, schema_of_club
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import FILE_NAME, Config, ConfigError, find_config
from pbem.run.monitoring import monitored
from pbem.run.serve import Service, stop_on_signals


def serve(
    embedded: Annotated[
        bool,
        typer.Option("--embedded", help="Start an embedded mail server, for trying out pbem."),
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh",
            help="Start that server from scratch: empty mailboxes, new ports and passwords.",
        ),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Run the club until SIGTERM."""
    give_back_freed_memory()
    with errors_as_sentences():
        settings = configured(_config_for_trying(config) if embedded else config)
        if embedded or settings.club.embedded:
            with errors_as_sentences(OSError):
                _serve_embedded(_for_trying(settings), fresh=fresh)
            return
        if fresh:
            raise RefusedCommand("--fresh only works with the embedded mail server. Add --embedded")
        stop = stop_on_signals()
        if not schema_awaited(settings, stop):
            return
        with (
            opened(settings) as plain,
            served_alone(settings, embedded=False),
            monitored(settings, plain) as watch,
            intake_of(settings, watch.club) as intake,
        ):
            club = watch.club
            servers = servers_of(settings)
            here = replace(running(settings, club, servers), intake=intake)
            if settings.has_queue:
                shift, close = shift_of(settings, club, servers, stop)
                here = replace(here, shift=shift, close_transport=close)
            typer.echo(f"{club.address}: serving. Stop with Ctrl-C")
            service = Service(here)
            watch.unwell = service.unwell
            service.run_until(stop)


def _for_trying(settings: Config) -> Config:
    """Return the configuration with only the embedded mail server, whatever else it has."""
    club = settings.club.model_copy(update={"embedded": True})
    return settings.model_copy(update={"club": club})


def _serve_embedded(settings: Config, *, fresh: bool) -> None:
    from pbem.extras.embedded.club import Embedded, embedded_running, folder_of_embedded

    stop, folder = stop_on_signals(), folder_of_embedded(settings)
    if schema_of_club(settings).is_older:
        upgrade_at(settings.database_url)  # nobody needs to be asked in a club for trying out
    with (
        opened(settings) as plain,
        served_alone(settings, embedded=True),
        monitored(settings, plain) as watch,
        Embedded(watch.club, folder, announce=typer.echo, fresh=fresh) as embedded,
    ):
        typer.echo(f"for trying out: emails are kept in {folder}. Start from scratch with --fresh")
        typer.echo(f"{watch.club.address}: serving. Stop with Ctrl-C")
        service = Service(embedded_running(settings, watch.club, embedded))
        watch.unwell = service.unwell
        service.run_until(stop)


def _config_for_trying(given: Path | None) -> Path:
    """Return the configuration. If there is none, write one with defaults."""
    try:
        return find_config(given)
    except ConfigError:
        path = given or Path(FILE_NAME)
        write_config(path, Answers(embedded=True))
        typer.echo(f"{path} did not exist. Wrote it with defaults")
        return path
