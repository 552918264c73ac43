"""`pbem doctor`: run every check in order. Those that wait for other machines run together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from pbem.adapters.private_folder import FolderUnusable
from pbem.cli.context import ConfigOption, opened
from pbem.cli.doctor.club import away, backups, member_names, reading_room, storage
from pbem.cli.doctor.domain import domain_records
from pbem.cli.doctor.finding import Examined, Finding
from pbem.cli.doctor.games import failing_bots, installed_games, waiting_matches
from pbem.cli.doctor.machine import clock, disk, metrics, time_service
from pbem.cli.doctor.mail_servers import mail_servers, trial_mails
from pbem.cli.doctor.queues import handed_over, job_queue, outbox
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.listing import JsonOption, json_of
from pbem.ports.process import StorageUnavailable
from pbem.run.config import Config, ConfigError, find_config, load_config
from pbem.service.club import Club
from pbem.service.status import status_of

OF_THE_CLUB: tuple[Callable[[Examined], Iterator[Finding]], ...] = (
    storage,
    reading_room,
    clock,
    outbox,
    handed_over,
    job_queue,
    metrics,
    backups,
    member_names,
    waiting_matches,
    failing_bots,
)
"""Checks of data in the database."""
OF_THE_MACHINE: tuple[Callable[[Config], Iterator[Finding]], ...] = (
    installed_games,
    disk,
    time_service,
)
OF_OTHERS: tuple[Callable[[Config], Iterator[Finding]], ...] = (
    mail_servers,
    domain_records,
)
"""Checks that wait for other machines. They need no database and run at the same time."""


def examine(path: Path | None, *, send: bool, announce: Callable[[str], None]) -> Iterator[Finding]:
    """Yield the findings of every check that can run. Announce the steps of the trial email."""
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
        yield Finding("mail", "no trial email is sent until everything else works.")
    elif send:
        yield from trial_mails(config, announce)


def _grounds(config: Config) -> Iterator[Finding]:
    """Yield what a club needs before it can write to anyone."""
    with ExitStack() as stack:
        club: Club | None = None
        try:
            # It creates the data folder, which holds the access tokens.
            club = stack.enter_context(opened(config))
        except FolderUnusable as error:
            yield Finding("data", f"{error}")
        except (StorageUnavailable, OSError) as error:
            yield away(error)
        others = [Elsewhere(check, config) for check in OF_OTHERS]
        if club is not None:
            yield from _of_the_club(config, club)
        for check in OF_THE_MACHINE:
            yield from check(config)
        for each in others:
            yield from each.findings()


def _of_the_club(config: Config, club: Club) -> Iterator[Finding]:
    """Yield findings about the club, until the database becomes unavailable."""
    try:
        examined = Examined(config, club, status_of(club))
        for check in OF_THE_CLUB:
            yield from check(examined)
    except (StorageUnavailable, OSError) as error:
        yield away(error)


class Elsewhere:
    """A check running in a thread that nobody waits for after giving up."""

    def __init__(self, check: Callable[[Config], Iterator[Finding]], config: Config) -> None:
        self._check = check
        self._config = config
        self._found = list[Finding]()
        self._error: Exception | None = None
        self._thread = Thread(target=self._run, name="check", daemon=True)
        self._thread.start()

    def findings(self) -> list[Finding]:
        """Return the findings when they are ready. Raises whatever the check raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._found

    def _run(self) -> None:
        try:
            self._found = list(self._check(self._config))
        except Exception as error:  # noqa: BLE001  raised again by findings()
            self._error = error


def doctor(
    send: Annotated[
        bool,
        typer.Option(
            "--send", help="Send an email to a plus-address of the club, and wait for it to arrive."
        ),
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Check everything that the club needs, and say how to fix problems."""
    findings = []
    for finding in examine(config, send=send, announce=_silent if as_json else _tell_step):
        findings.append(finding)
        if not as_json:
            _tell(finding)
    if as_json:
        typer.echo(json_of([each.data for each in findings]))
    if any(each.trouble for each in findings):
        raise typer.Exit(ExitStatus.REFUSED)


def _tell(finding: Finding) -> None:
    for line in finding.lines:
        typer.echo(line)


def _tell_step(step: str) -> None:
    typer.echo(f"     {step}")


def _silent(_step: str) -> None:
    """Ignore a step, because a program reads the output."""
