"""The examination: every check in its order, those that wait for others all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from pbem.adapters.private_folder import FolderUnusable
from pbem.cli.context import opened
from pbem.cli.doctor import (
    backups,
    clocks,
    disk,
    domain_records,
    handed_over,
    health,
    jobs,
    machine_time,
    mail_servers,
    names,
    outbox,
    reading_room,
    storage,
    trial_mails,
)
from pbem.cli.doctor.elsewhere import Elsewhere
from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.config import Config, ConfigError, find_config, load_config
from pbem.ports.process import StorageUnavailable
from pbem.service.club import Club
from pbem.service.status import status_of

OF_THE_CLUB: tuple[Callable[[Examined], Iterator[Finding]], ...] = (
    storage.look,
    reading_room.look,
    clocks.look,
    outbox.look,
    handed_over.look,
    jobs.look,
    health.look,
    backups.look,
    names.look,
)
"""Checks of what the database holds."""
OF_THE_MACHINE: tuple[Callable[[Config], Iterator[Finding]], ...] = (
    disk.look,
    machine_time.look,
)
OF_OTHERS: tuple[Callable[[Config], Iterator[Finding]], ...] = (
    mail_servers.look,
    domain_records.look,
)
"""Checks that wait for other machines. They need no database, and are made all at once."""


def examine(path: Path | None, *, send: bool, announce: Callable[[str], None]) -> Iterator[Finding]:
    """Every check whose grounds are sound; what the trial mail does is announced."""
    try:
        found = find_config(path)
        config = load_config(found)
    except ConfigError as error:
        yield Finding("configuration", f"{error}")
        return
    yield Finding("configuration", note=f"{found}")
    bad = False
    for finding in _grounds(config):
        bad = bad or bool(finding.trouble)
        yield finding
    if send and bad:
        yield Finding("mail", "none is sent before the rest is well.")
    elif send:
        yield from trial_mails.look(config, announce)


def _grounds(config: Config) -> Iterator[Finding]:
    """What a club needs before it can write to anybody."""
    with ExitStack() as stack:
        club: Club | None = None
        try:
            # It makes the data folder, in which access tokens are kept.
            club = stack.enter_context(opened(config))
        except FolderUnusable as error:
            yield Finding("data", f"{error}")
        except (StorageUnavailable, OSError) as error:
            yield storage.away(error)
        others = [Elsewhere(check, config) for check in OF_OTHERS]
        if club is not None:
            yield from _of_the_club(config, club)
        for check in OF_THE_MACHINE:
            yield from check(config)
        for each in others:
            yield from each.findings()


def _of_the_club(config: Config, club: Club) -> Iterator[Finding]:
    """Nothing more once the database is away."""
    try:
        examined = Examined(config, club, status_of(club))
        for check in OF_THE_CLUB:
            yield from check(examined)
    except (StorageUnavailable, OSError) as error:
        yield storage.away(error)
