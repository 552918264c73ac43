"""When the service was last alive."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from sqlalchemy import Executable, bindparam
from sqlmodel import Session, col, delete, select, update

from pbem.adapters.db.moments import set_back
from pbem.adapters.db.session import insert_into, locking, require_writing, run
from pbem.adapters.db.tables import ServiceRow
from pbem.ports.storage import FIRST_INTAKE

BEAT = "beat"
POLL = "poll"
BACKUP = "backup"
HELD = "held"
KEPT = "kept"
TEMPLATE = "template "


class SqlServiceLog:
    """The port ServiceLog."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def last_beat(self) -> datetime | None:
        return self._at(BEAT)

    def lock(self) -> datetime | None:
        """Last heartbeat; who is to write must be the only one to have read it.

        So an outage is credited once.
        """
        require_writing(self._session)
        return self._at(BEAT, LOCKED_MOMENT)

    def beat(self, at: datetime) -> None:
        self._put(BEAT, at)

    def last_poll(self, intakes: Collection[str] = (FIRST_INTAKE,)) -> datetime | None:
        named = {"names": [_poll_of(each) for each in intakes]}
        moments = run(self._session, MOMENTS, named).scalars().all()
        return min(moments) if moments and len(moments) == len(intakes) else None

    def polled(self, at: datetime, intake: str = FIRST_INTAKE) -> None:
        """All that came by an intake until then is recorded; never goes back."""
        self._put(_poll_of(intake), at)

    def last_backup(self) -> datetime | None:
        """Which moment the newest backup is of."""
        return self._at(BACKUP)

    def backed_up(self, at: datetime) -> None:
        self._put(BACKUP, at)

    def kept_from(self) -> datetime | None:
        """Since when mails are kept."""
        return self._at(KEPT)

    def keep_from(self, at: datetime) -> None:
        self._put(KEPT, at)

    def template_failed(self, template: str, at: datetime) -> None:
        self._put(TEMPLATE + template, at)

    def failed_templates(self, since: datetime) -> Mapping[str, datetime]:
        named = col(ServiceRow.name).startswith(TEMPLATE, autoescape=True)
        rows = self._session.exec(
            select(ServiceRow)
            .where(named, col(ServiceRow.at) >= since)
            .order_by(col(ServiceRow.name))
        )
        return {row.name.removeprefix(TEMPLATE): row.at for row in rows}

    def held_since(self) -> datetime | None:
        """When the club was restored, if its mail is held since."""
        return self._at(HELD)

    def hold(self, at: datetime) -> None:
        """No mail goes and no time counts."""
        self._put(HELD, at)

    def go_on(self) -> None:
        self._session.exec(delete(ServiceRow).where(col(ServiceRow.name) == HELD))

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


def _poll_of(intake: str) -> str:
    return f"{POLL} {intake}".strip()


MOMENTS = select(ServiceRow.at).where(col(ServiceRow.name).in_(bindparam("names", expanding=True)))
MOMENT = select(ServiceRow.at).where(col(ServiceRow.name) == bindparam("its_name"))
LOCKED_MOMENT = locking(MOMENT)
