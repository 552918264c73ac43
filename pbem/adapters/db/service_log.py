"""When the service was last alive."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Executable, bindparam
from sqlmodel import Session, col, select, update

from pbem.adapters.db.moments import set_back
from pbem.adapters.db.session import insert_into, locking, require_writing, run
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

    def lock(self) -> datetime | None:
        """Last heartbeat; who is to write must be the only one to have read it.

        So an outage is credited once.
        """
        require_writing(self._session)
        return self._at(BEAT, LOCKED_MOMENT)

    def beat(self, at: datetime) -> None:
        """Heartbeat; never goes back."""
        self._put(BEAT, at)

    def last_poll(self) -> datetime | None:
        """Start of the last poll after which all received mail was recorded."""
        return self._at(POLL)

    def polled(self, at: datetime) -> None:
        """A poll that began then has recorded everything; never goes back."""
        self._put(POLL, at)

    def set_back(self, by: timedelta, now: datetime) -> None:
        """The clock has gone back, and everything that goes on goes back with it."""
        set_back(self._session, by, now)
        beat = update(ServiceRow).where(col(ServiceRow.name) == BEAT, col(ServiceRow.at) > now)
        self._session.exec(beat.values(at=now))

    def _at(self, name: str, query: Executable | None = None) -> datetime | None:
        found = run(self._session, MOMENT if query is None else query, {"its_name": name})
        return found.scalar_one_or_none()

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
