"""`pbem worker`: work on the job queue of a club."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.adapters.memory import give_back_freed_memory
from pbem.cli.context import ConfigOption, configured, opened
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.run.bootstrap.processes import shift_of
from pbem.run.bootstrap.schema_wait import schema_awaited
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import ConfigError
from pbem.run.monitoring import monitored
from pbem.run.serve import stop_on_signals
from pbem.service.delivery.held_mail import tell_if_held

NO_QUEUE = (
    "this club has no job queue, and pbem serve does its work. "
    'To use workers, set [jobs] engine = "procrastinate"'
)


def worker(
    queues: Annotated[
        str,
        typer.Option(help="Queues to work on, separated by commas: process, deliver, publish."),
    ] = "process,deliver,publish",
    concurrency: Annotated[
        int,
        typer.Option(
            min=0, max=32, help="Jobs to do at the same time. 0 uses the configured number."
        ),
    ] = 0,
    config: ConfigOption = None,
) -> None:
    """Run jobs from the club's queue until SIGTERM."""
    give_back_freed_memory()
    with errors_as_sentences():
        settings = configured(config)
        if not settings.has_queue:
            raise ConfigError(NO_QUEUE)
        wanted = queues_named(queues)
        stop = stop_on_signals()
        if not schema_awaited(settings, stop):
            return
        with opened(settings) as plain, monitored(settings, plain) as watch:
            from pbem.run.worker import WorkService

            club, servers = watch.club, servers_of(settings)
            shift, close = shift_of(settings, club, servers, stop, wanted, concurrency)
            tell_if_held(club)
            typer.echo(f"{club.address}: working on {', '.join(wanted)}. Stop with Ctrl-C")
            service = WorkService(shift, close)
            watch.unwell = service.unwell
            service.run_until(stop)


def queues_named(given: str) -> tuple[str, ...]:
    """Return the named queues. Raises Refused for one that does not exist."""
    from pbem.adapters.job_queue import QUEUES

    wanted = tuple(dict.fromkeys(name.strip() for name in given.split(",") if name.strip()))
    for name in wanted:
        if name not in QUEUES:
            raise RefusedCommand(f"there is no queue {name}. The queues are: {', '.join(QUEUES)}")
    if not wanted:
        raise RefusedCommand(f"name at least one queue. The queues are: {', '.join(QUEUES)}")
    return wanted
