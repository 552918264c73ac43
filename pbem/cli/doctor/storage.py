"""Checks of the data folder and the database."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.accounts import own_name
from pbem.adapters.db import file_of, without_password
from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.config import Config
from pbem.ports.process import SchemaDiffers


def look(examined: Examined) -> Iterator[Finding]:
    """Which they are: that they can be used, somebody has found out who read the status."""
    folder = examined.config.club.data_dir
    yield Finding("data", note=f"{folder} is closed to all but {own_name()}")
    yield Finding("database", note=f"{_place(examined.config)}; schema {examined.status.schema}")


def _place(config: Config) -> str:
    """Where it is, as it may be shown."""
    return f"{file_of(config.database_url) or without_password(config.database_url)}"


def away(error: Exception) -> Finding:
    """Of a database that cannot be used."""
    if isinstance(error, SchemaDiffers):  # which says what to do
        return Finding("database", f"{error}.")
    return Finding("database", f"{error}. Look at url in [database] and data_dir in [club].")
