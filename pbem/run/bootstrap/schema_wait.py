"""Waiting for the schema: a long-running process starts once the database fits its version.

It waits instead of exiting. `pbem upgrade` takes minutes, and one machine may get the new pbem
hours after another.
"""

from __future__ import annotations

import threading

from pbem.adapters.db.schema import Schema, revision_files, schema_at
from pbem.adapters.private_folder import make_private
from pbem.log import get_logger
from pbem.ports.process import SchemaDiffers, StorageUnavailable
from pbem.run.config import Config
from pbem.run.systemd_notify import systemd_notified

log = get_logger(__name__)

LOOK_SECONDS = 5.0


def schema_of_club(config: Config) -> Schema:
    """Return the schema of the club's database, perhaps empty. Raises StorageUnavailable."""
    make_private(config.club.data_dir, config.database_url)
    return schema_at(config.database_url)


def schema_awaited(config: Config, stop: threading.Event) -> bool:
    """Wait for the schema. Return whether it is there, False if the process should stop first.

    Raises StorageUnavailable, or SchemaDiffers if another pbem was installed meanwhile.
    """
    trouble = _trouble(config)
    return not trouble or _Waiting(config, trouble).until(stop)


class _Waiting:
    """A process that may not start yet, with the reason."""

    def __init__(self, config: Config, trouble: str) -> None:
        self._config = config
        self._trouble = trouble
        self._installed = revision_files()

    def until(self, stop: threading.Event) -> bool:
        """Wait until the process may start. Return False if the event is set first."""
        self._tell()
        with systemd_notified(stop, unwell=lambda: "", doing=lambda: f"waiting: {self._trouble}"):
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
        except StorageUnavailable as error:  # for example during the upgrade
            log.debug("the schema cannot be looked at", error=str(error))
        if self._trouble not in ("", before):
            self._tell()
        return not self._trouble

    def _tell(self) -> None:
        log.warning("waiting for the schema", reason=self._trouble)


def _trouble(config: Config) -> str:
    """Return why the club cannot be opened yet. Empty if it can."""
    try:
        schema_of_club(config).require_known()
    except SchemaDiffers as error:
        return str(error)
    return ""
