"""Errors as sentences: an expected error ends a command with one sentence, not a traceback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import typer

from pbem.adapters.folder_lock import AlreadyServed
from pbem.adapters.lmtp_server import PlaceTaken
from pbem.adapters.private_folder import FolderUnusable
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.listing import printable
from pbem.games.api import ActionError, OptionError
from pbem.mail.dates.day import DateError
from pbem.matches.director_actions import DecisionError
from pbem.matches.leave import LeaveError
from pbem.matches.offer_terms import OfferError
from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import TransportError
from pbem.ports.process import SchemaDiffers, StorageError, StorageUnavailable
from pbem.run.config import ConfigError
from pbem.settings import SettingError


class RefusedCommand(Exception):
    """A request that cannot be carried out now. The text says why."""


STATUSES: Mapping[type[Exception], ExitStatus] = {
    RefusedCommand: ExitStatus.REFUSED,
    ActionError: ExitStatus.REFUSED,
    DateError: ExitStatus.REFUSED,
    DecisionError: ExitStatus.REFUSED,
    LeaveError: ExitStatus.REFUSED,
    OfferError: ExitStatus.REFUSED,
    OptionError: ExitStatus.REFUSED,
    SettingError: ExitStatus.REFUSED,
    StorageError: ExitStatus.REFUSED,
    MailboxError: ExitStatus.MAIL_SERVER,
    TransportError: ExitStatus.MAIL_SERVER,
    AlreadyServed: ExitStatus.LATER,
    PlaceTaken: ExitStatus.LATER,
    StorageUnavailable: ExitStatus.LATER,
    SchemaDiffers: ExitStatus.SCHEMA,
    ConfigError: ExitStatus.CONFIGURATION,
    FolderUnusable: ExitStatus.CONFIGURATION,
}
"""Exit statuses for expected errors."""


@contextmanager
def errors_as_sentences(*more: type[Exception]) -> Iterator[None]:
    """A block whose expected errors end the command with one sentence and their status.

    This includes errors of files, and the types that are named.
    """
    try:
        yield
    except Exception as error:
        if not _is_expected(error, more):
            raise
        typer.echo(f"pbem: {printable(_sentence(error))}", err=True)
        raise typer.Exit(status_of(error)) from error


def status_of(error: Exception) -> ExitStatus:
    """Return the exit status for an error, by its nearest known type."""
    known = (STATUSES[each] for each in type(error).__mro__ if each in STATUSES)
    return next(known, ExitStatus.REFUSED)


def _is_expected(error: Exception, more: tuple[type[Exception], ...]) -> bool:
    """Return whether the error is one of these, or of a file, but not of a connection."""
    if isinstance(error, OSError) and error.filename is not None:
        return True
    return isinstance(error, (*STATUSES, *more))


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return f"{error}"
