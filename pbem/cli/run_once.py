"""`pbem poll`, `deliver`, `sweep`: jobs of the service, run once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import typer

from pbem.cli.context import ConfigOption, configured, opened, servers_in_use
from pbem.cli.error_messages import errors_as_sentences
from pbem.inbox.poll import poll as poll_inbox
from pbem.jobs.erase import clear_mailbox
from pbem.jobs.table import JOBS, JobContext
from pbem.run.bootstrap.processes import running
from pbem.run.serve import Running
from pbem.service.delivery.held_mail import tell_if_held


@contextmanager
def _running(config: ConfigOption) -> Iterator[Running]:
    with errors_as_sentences():
        settings = configured(config)
        with opened(settings) as club:
            yield running(settings, club, servers_in_use(settings))


def _run(at: Running, *names: str) -> list[object]:
    """Run jobs of the table once, in this order; return what each did."""
    context = JobContext(at.club, at.transport)
    return [JOBS[name].run(context) for name in names]


def _read(at: Running) -> int:
    """Read every mailbox. Return the number of new emails."""
    received = 0
    for each in at.mailboxes:
        with closing(each.mailbox):
            received += poll_inbox(at.club, each.mailbox, intake=each.name)
            clear_mailbox(at.club, each.mailbox, each.elsewhere)
    return received


def poll(config: ConfigOption = None) -> None:
    """Read the mailbox and process its emails, once."""
    with _running(config) as at:
        received = _read(at)
        processed, answered, _ = _run(at, "process", "bots", "publish")
        typer.echo(f"{received} received, {processed} processed, {answered} bot moves")


def deliver(config: ConfigOption = None) -> None:
    """Send the waiting emails, once."""
    with _running(config) as at:
        tell_if_held(at.club)
        typer.echo(f"{_run(at, 'deliver')[0]} sent")


def sweep(config: ConfigOption = None) -> None:
    """Send due reminders and handle expired clocks, once."""
    with _running(config) as at:
        _read(at)
        told, *_ = _run(at, "sweep", "competitions", "absent", "publish", "erase")
        typer.echo(f"{told} told")
