"""Waiting for the schema: what runs for long begins when the database is as it knows it.

It does not end and begin again meanwhile: `pbem upgrade` takes minutes, and a machine may have its
new pbem hours after the first one had it.
"""

from __future__ import annotations

import threading

from pbem.adapters.db.schema import Schema, revision_files, schema_at
from pbem.adapters.private_folder import make_private
from pbem.log import get_logger
from pbem.ports.process import SchemaDiffers, StorageUnavailable
from pbem.run.config import Config
from pbem.run.systemd_notify import attended

log = get_logger(__name__)

LOOK_SECONDS = 5.0


def schema_of_club(config: Config) -> Schema:
    """The schema of the club's database, which may not be there yet; raises StorageUnavailable."""
    make_private(config.club.data_dir, config.database_url)
    return schema_at(config.database_url)


def schema_awaited(config: Config, stop: threading.Event) -> bool:
    """Whether the schema is there, after however long; not if it is to end before that.

    Raises StorageUnavailable; SchemaDiffers where another pbem has been installed meanwhile.
    """
    trouble = _trouble(config)
    return not trouble or _Waiting(config, trouble).until(stop)


class _Waiting:
    """A process that may not begin yet, and says why."""

    def __init__(self, config: Config, trouble: str) -> None:
        self._config = config
        self._trouble = trouble
        self._installed = revision_files()

    def until(self, stop: threading.Event) -> bool:
        """Whether it may begin before the event is set."""
        self._tell()
        with attended(stop, unwell=lambda: "", doing=lambda: f"waiting: {self._trouble}"):
            while not stop.wait(LOOK_SECONDS):
                if self._is_over():
                    return True
        return False

    def _is_over(self) -> bool:
        if revision_files() != self._installed:
            raise SchemaDiffers("another pbem has been installed here: this process ends for it")
        before = self._trouble
        try:
            self._trouble = _trouble(self._config)
        except StorageUnavailable as error:  # as while the upgrade goes on
            log.debug("the schema cannot be looked at", error=str(error))
        if self._trouble not in ("", before):
            self._tell()
        return not self._trouble

    def _tell(self) -> None:
        log.warning("waiting for the schema", reason=self._trouble)


def _trouble(config: Config) -> str:
    """Why the club cannot be opened yet; empty if it can."""
    try:
        schema_of_club(config).require_known()
    except SchemaDiffers as error:
        return str(error)
    return ""
