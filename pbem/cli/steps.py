"""`pbem poll`, `deliver`, `sweep`: each job of the service, once."""

from __future__ import annotations

import typer

from pbem.bootstrap import build_club, running, servers_of
from pbem.cli.context import ConfigOption, configured, errors_as_sentences
from pbem.serve import Running
from pbem.service.deliver_outbox import deliver as deliver_outbox
from pbem.service.play_bots import play_bots
from pbem.service.poll_inbox import poll as poll_inbox
from pbem.service.process_incoming import process_pending
from pbem.service.sweep_deadlines import sweep as sweep_deadlines


def _running(config: ConfigOption) -> Running:
    settings = configured(config)
    return running(settings, build_club(settings), servers_of(settings))


def poll(config: ConfigOption = None) -> None:
    """Read the mailbox once, and carry out what is in it."""
    with errors_as_sentences():
        at = _running(config)
        try:
            received = poll_inbox(at.club, at.mailbox)
        finally:
            at.mailbox.close()
        processed = process_pending(at.club)
        answered = play_bots(at.club)
        typer.echo(f"{received} received, {processed} processed, {answered} answers of bots")


def deliver(config: ConfigOption = None) -> None:
    """Send the mails that wait, once."""
    with errors_as_sentences():
        at = _running(config)
        typer.echo(f"{deliver_outbox(at.club, at.transport)} sent")


def sweep(config: ConfigOption = None) -> None:
    """See to reminders and fallen flags, once."""
    with errors_as_sentences():
        at = _running(config)
        try:
            poll_inbox(at.club, at.mailbox)
        finally:
            at.mailbox.close()
        typer.echo(f"{sweep_deadlines(at.club)} told")
