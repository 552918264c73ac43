"""Wait for the schema: a long-running process starts once the database has the schema it knows.

It does not stop and restart meanwhile. `pbem upgrade` takes minutes, and some machines may get
the new version of pbem hours after the first.
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
    """Return the schema of the database, which may not exist yet. Raises StorageUnavailable."""
    make_private(config.club.data_dir, config.database_url)
    return schema_at(config.database_url)


def schema_awaited(config: Config, stop: threading.Event) -> bool:
    """Wait for the schema, however long it takes. Return False if the event is set first.

    Raises StorageUnavailable, and SchemaDiffers if another pbem was installed meanwhile.
    """
    trouble = _trouble(config)
    return not trouble or _Waiting(config, trouble).until(stop)


class _Waiting:
    """A process that cannot start yet, and says why."""

    def __init__(self, config: Config, trouble: str) -> None:
        self._config = config
        self._trouble = trouble
        self._installed = revision_files()

    def until(self, stop: threading.Event) -> bool:
        """Return whether it may start before the event is set."""
        self._tell()
        with systemd_notified(stop, unwell=lambda: "", doing=lambda: f"waiting: {self._trouble}"):
            while not stop.wait(LOOK_SECONDS):
                if self._is_over():
                    return True
        return False

    def _is_over(self) -> bool:
        if revision_files() != self._installed:
            raise SchemaDiffers("another version of pbem was installed here, so this process stops")
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
