"""Waiting for the schema: what runs for long begins when the database is as it knows it.

It does not end and begin again meanwhile: `pbem upgrade` takes minutes, and a machine may have its
new pbem hours after the first one had it.
"""

from __future__ import annotations

import threading

import structlog

from pbem.adapters.db import Schema, revision_files, schema_at
from pbem.adapters.private_folder import make_private
from pbem.config import Config
from pbem.service.ports import SchemaDiffers

log = structlog.get_logger(__name__)

LOOK_SECONDS = 5.0


def schema_of_club(config: Config) -> Schema:
    """The schema of the club's database, which may not be there yet; raises StorageUnavailable."""
    make_private(config.club.data_dir, config.database_url)
    return schema_at(config.database_url)


def schema_awaited(config: Config, stop: threading.Event) -> bool:
    """Whether the schema is there, after however long; not if it is to end before that.

    Raises StorageUnavailable; SchemaDiffers where another pbem has been installed meanwhile.
    """
    installed, told = revision_files(), ""
    while not stop.is_set():
        trouble = _trouble(config)
        if not trouble:
            return True
        if trouble != told:
            log.warning("waiting for the schema", reason=trouble)
            told = trouble
        stop.wait(LOOK_SECONDS)
        if revision_files() != installed:
            raise SchemaDiffers("another pbem has been installed here: this process ends for it")
    return False


def _trouble(config: Config) -> str:
    """Why the club cannot be opened yet; empty if it can."""
    try:
        schema_of_club(config).require_known()
    except SchemaDiffers as error:
        return str(error)
    return ""
