"""`pbem fetch`: read the club's mailboxes, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from pbem.adapters.db.engine import file_of
from pbem.adapters.memory import give_back_freed_memory
from pbem.cli.context import ConfigOption, configured, opened
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.run.bootstrap.processes import mailboxes_of
from pbem.run.bootstrap.schema_wait import schema_awaited
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import Config, ConfigError
from pbem.run.fetch import ClubMailbox, FetchService
from pbem.run.monitoring import monitored
from pbem.run.serve import stop_on_signals


def fetch(
    mailbox: Annotated[
        str,
        typer.Option(
            help='Read only this mailbox: its name in [[imap]], "first" for the one without a name.'
        ),
    ] = "",
    config: ConfigOption = None,
) -> None:
    """Read the mailboxes of a club on PostgreSQL until SIGTERM, or stand by for another reader."""
    give_back_freed_memory()
    with errors_as_sentences():
        settings = configured(config)
        _require_others(settings)
        servers = servers_of(settings)
        chosen = _chosen(mailboxes_of(settings, servers), mailbox)
        stop = stop_on_signals()
        if not schema_awaited(settings, stop):
            return
        with opened(settings) as plain, monitored(settings, plain) as watch:
            club = watch.club
            typer.echo(f"{club.address}: fetching {_listed(chosen)}. Stop with Ctrl-C")
            service = FetchService(club, chosen, settings.policy.poll_seconds, servers.close_tokens)
            watch.unwell = service.unwell
            service.run_until(stop)


def _require_others(settings: Config) -> None:
    """Raise ConfigError if one process does everything."""
    if settings.club.embedded or file_of(settings.database_url) is not None:
        raise ConfigError(
            "this club is run by one process, and pbem serve reads its mailbox. pbem fetch is"
            " only for clubs on PostgreSQL (url in [database])"
        )


def _chosen(mailboxes: Sequence[ClubMailbox], name: str) -> Sequence[ClubMailbox]:
    """Return the mailbox of this name, or all if none is named. Raises Refused."""
    chosen = [each for each in mailboxes if name in ("", each.called)]
    if not chosen:
        raise RefusedCommand(f"there is no mailbox {name}. The mailboxes are: {_listed(mailboxes)}")
    return chosen


def _listed(mailboxes: Sequence[ClubMailbox]) -> str:
    return ", ".join(each.called for each in mailboxes)
