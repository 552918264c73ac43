"""`pbem serve`: runs the club."""

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
        typer.Option("--embedded", help="Start a mail server of its own, for trying out."),
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Its mailboxes begin empty, with new ports and passwords."),
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
            raise RefusedCommand("--fresh is for a mail server of its own; add --embedded")
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
            typer.echo(f"{club.address}: serving; end with Ctrl-C")
            service = Service(here)
            watch.unwell = service.unwell
            service.run_until(stop)


def _for_trying(settings: Config) -> Config:
    """The same with mail from its own server alone, wherever it comes from otherwise."""
    club = settings.club.model_copy(update={"embedded": True})
    return settings.model_copy(update={"club": club})


def _serve_embedded(settings: Config, *, fresh: bool) -> None:
    from pbem.extras.embedded.club import Embedded, embedded_running, folder_of_embedded

    stop, folder = stop_on_signals(), folder_of_embedded(settings)
    if schema_of_club(settings).is_older:
        upgrade_at(settings.database_url)  # a club for trying out has nobody to ask
    with (
        opened(settings) as plain,
        served_alone(settings, embedded=True),
        monitored(settings, plain) as watch,
        Embedded(watch.club, folder, announce=typer.echo, fresh=fresh) as embedded,
    ):
        typer.echo(f"for trying out: mail is kept in {folder}; --fresh begins anew")
        typer.echo(f"{watch.club.address}: serving; end with Ctrl-C")
        service = Service(embedded_running(settings, watch.club, embedded))
        watch.unwell = service.unwell
        service.run_until(stop)


def _config_for_trying(given: Path | None) -> Path:
    """The configuration, or a new one with defaults where there is none."""
    try:
        return find_config(given)
    except ConfigError:
        path = given or Path(FILE_NAME)
        write_config(path, Answers(embedded=True))
        typer.echo(f"{path} did not exist and is written with defaults")
        return path
