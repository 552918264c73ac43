"""When the service was last alive."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select, update

from pbem.adapters.db.session import insert_into, locking, run
from pbem.adapters.db.tables import ServiceRow

BEAT = "beat"
POLL = "poll"


class SqlServiceLog:
    """The port ServiceLog."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def last_beat(self) -> datetime | None:
        """Last heartbeat."""
        return self._at(BEAT)

    def beat(self, at: datetime) -> None:
        """Heartbeat; never goes back."""
        self._put(BEAT, at)

    def last_poll(self) -> datetime | None:
        """Start of the last poll after which all received mail was recorded."""
        return self._at(POLL)

    def polled(self, at: datetime) -> None:
        """A poll that began then has recorded everything; never goes back."""
        self._put(POLL, at)

    def set_back(self, at: datetime) -> None:
        """The clock has gone back: nothing was later than this."""
        later = update(ServiceRow).where(col(ServiceRow.at) > at)
        self._session.exec(later.values(at=at))

    def _at(self, name: str) -> datetime | None:
        # Who is about to write must be the only one to have read: an outage is credited once.
        query = LOCKED_MOMENT if self._session.info["writing"] else MOMENT
        return run(self._session, query, {"its_name": name}).scalar_one_or_none()

    def _put(self, name: str, at: datetime) -> None:
        row = insert_into(self._session, ServiceRow).values(name=name, at=at)
        newer = col(ServiceRow.at) < row.excluded.at
        self._session.exec(
            row.on_conflict_do_update(
                index_elements=["name"], set_={"at": row.excluded.at}, where=newer
            )
        )


MOMENT = select(ServiceRow.at).where(col(ServiceRow.name) == bindparam("its_name"))
LOCKED_MOMENT = locking(MOMENT)
