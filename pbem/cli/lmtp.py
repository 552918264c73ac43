"""`pbem lmtp`: accept email from the mail server of this machine."""

from __future__ import annotations

import typer

from pbem.adapters.db.engine import file_of
from pbem.adapters.memory import give_back_freed_memory
from pbem.cli.context import ConfigOption, configured, opened
from pbem.cli.error_messages import errors_as_sentences
from pbem.run.bootstrap.processes import intake_of
from pbem.run.bootstrap.schema_wait import schema_awaited
from pbem.run.config import ConfigError
from pbem.run.monitoring import monitored
from pbem.run.serve import stop_on_signals

HOW = (
    "this club does not accept email by LMTP. To change that, add to the configuration: "
    '[lmtp] listen = "127.0.0.1:2424" (see deploy/mail-server/lmtp.md)'
)
BY_SERVE = (
    "this club is run by one process, and pbem serve accepts its email by LMTP, too. pbem lmtp is"
    " only for clubs on PostgreSQL (url in [database])"
)


def lmtp(config: ConfigOption = None) -> None:
    """Accept email by LMTP from the mail server of this machine, until SIGTERM."""
    give_back_freed_memory()
    with errors_as_sentences():
        settings = configured(config)
        if settings.lmtp is None:
            raise ConfigError(HOW)
        if settings.club.embedded or file_of(settings.database_url) is not None:
            raise ConfigError(BY_SERVE)
        stop = stop_on_signals()
        if not schema_awaited(settings, stop):
            return
        with (
            opened(settings) as plain,
            monitored(settings, plain) as watch,
            intake_of(settings, watch.club) as intake,
        ):
            from pbem.run.lmtp import IntakeService

            assert intake is not None
            typer.echo(f"{plain.address}: accepting email by LMTP. Stop with Ctrl-C")
            service = IntakeService(intake)
            watch.unwell = service.unwell
            service.run_until(stop)
