"""`pbem poll`, `deliver`, `sweep`: each job of the service, once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import typer

from pbem.bootstrap import running
from pbem.cli.context import ConfigOption, configured, opened, servers_in_use
from pbem.cli.sentences import errors_as_sentences
from pbem.inbox.pending import process_pending
from pbem.inbox.poll import poll as poll_inbox
from pbem.jobs.absent import look_for_absent
from pbem.jobs.erase import clear_mailbox, wipe_files
from pbem.jobs.play_bots import play_bots
from pbem.jobs.sweep import sweep as sweep_deadlines
from pbem.serve import Running
from pbem.service.delivery.claims import release_claims_of_the_dead
from pbem.service.delivery.deliver import deliver as deliver_outbox
from pbem.service.delivery.held import tell_if_held
from pbem.service.records.publish import publish_all


@contextmanager
def _running(config: ConfigOption) -> Iterator[Running]:
    with errors_as_sentences():
        settings = configured(config)
        with opened(settings) as club:
            yield running(settings, club, servers_in_use(settings))


def _read(at: Running) -> int:
    """Reads every mailbox; returns how many mails are new."""
    received = 0
    for each in at.mailboxes:
        with closing(each.mailbox):
            received += poll_inbox(at.club, each.mailbox, intake=each.name)
            clear_mailbox(at.club, each.mailbox, each.elsewhere)
    return received


def poll(config: ConfigOption = None) -> None:
    """Read the mailbox once, and carry out what is in it."""
    with _running(config) as at:
        received = _read(at)
        processed = process_pending(at.club)
        answered = play_bots(at.club)
        publish_all(at.club.storage, at.club.archive, at.club.clock)
        typer.echo(f"{received} received, {processed} processed, {answered} answers of bots")


def deliver(config: ConfigOption = None) -> None:
    """Send the mails that wait, once."""
    with _running(config) as at:
        tell_if_held(at.club)
        release_claims_of_the_dead(at.club)
        typer.echo(f"{deliver_outbox(at.club, at.transport)} sent")


def sweep(config: ConfigOption = None) -> None:
    """See to reminders and fallen flags, once."""
    with _running(config) as at:
        _read(at)
        told = sweep_deadlines(at.club)
        look_for_absent(at.club)
        publish_all(at.club.storage, at.club.archive, at.club.clock)
        wipe_files(at.club)
        typer.echo(f"{told} told")
