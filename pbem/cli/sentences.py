"""Errors as sentences: what went wrong as expected is said in one, and never by a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from pbem.adapters.folder_lock import AlreadyServed
from pbem.adapters.lmtp_server import PlaceTaken
from pbem.config import ConfigError
from pbem.games.api import ActionError, OptionError
from pbem.mail.dates.day import DateError
from pbem.matches.directing import DecisionError
from pbem.matches.leave import LeaveError
from pbem.matches.offer_terms import OfferError
from pbem.service.ports import (
    MailboxError,
    SchemaDiffers,
    StorageError,
    StorageUnavailable,
    TransportError,
)
from pbem.settings.api import SettingError

EXPECTED = (
    AlreadyServed,
    ActionError,
    ConfigError,
    OfferError,
    DateError,
    DecisionError,
    LeaveError,
    OptionError,
    PlaceTaken,
    SettingError,
    StorageError,
    StorageUnavailable,
    MailboxError,
    TransportError,
)

SCHEMA = 76
"""Exit status where the schema of the database is not the one of this pbem."""


@contextmanager
def errors_as_sentences(*more: type[Exception]) -> Iterator[None]:
    """A block whose expected errors end the command with one sentence and status 1."""
    try:
        yield
    except EXPECTED + more as error:
        sentence = f"{error}"
        if isinstance(error, OSError) and error.filename:
            sentence = f"{error.filename}: {error.strerror}"
        typer.echo(f"pbem: {sentence}", err=True)
        raise typer.Exit(SCHEMA if isinstance(error, SchemaDiffers) else 1) from error
    except OSError as error:
        if error.filename is None:  # of a connection or a stream: not what the user can mend
            raise
        typer.echo(f"pbem: {error.filename}: {error.strerror}", err=True)
        raise typer.Exit(1) from error
