"""How much there is of what goes on, counted in the indexes of what waits and what is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Column, MetaData, String, Table, and_, bindparam, false, func, select
from sqlmodel import Session, col

from pbem.adapters.db.outbox_line import waiting
from pbem.adapters.db.session import run
from pbem.adapters.db.tables import InboundRow, MatchRow, OutboxRow, PlayerRow
from pbem.adapters.db.types import Moment
from pbem.ports.inbound import InboundState
from pbem.ports.process import UNFINISHED, JobQueue, JobTally, Tally


class SqlTallies:
    """The port Tallies."""

    def __init__(self, session: Session, jobs: JobQueue | None = None) -> None:
        self._session = session
        self._jobs = jobs

    def unfinished(self) -> Mapping[InboundState, Tally]:
        rows = run(self._session, BY_STATE, {"states": list(UNFINISHED)})
        found = {InboundState(row.state): Tally(row.mails, row.since) for row in rows}
        return {state: found.get(state, Tally()) for state in UNFINISHED}

    def put_off(self, now: datetime) -> Tally:
        return Tally(*run(self._session, PUT_OFF, {"now": now}).one())

    def failed(self, since: datetime) -> int:
        return int(run(self._session, FAILED, {"since": since}).scalar_one())

    def playing(self) -> Counter[str]:
        return Counter({row.game_key: row.matches for row in run(self._session, PLAYING)})

    def members(self) -> int:
        return int(run(self._session, MEMBERS).scalar_one())

    def jobs(self) -> JobTally | None:
        if self._jobs is None:
            return None
        return self._jobs.tally(self._session.connection().connection.driver_connection)

    def schema(self) -> str:
        return str(run(self._session, REVISION).scalar_one())


BY_STATE = (
    select(
        col(InboundRow.state),
        func.count().label("mails"),
        func.min(col(InboundRow.received_at), type_=Moment).label("since"),
    )
    .where(col(InboundRow.state).in_(bindparam("states", expanding=True)))
    .group_by(col(InboundRow.state))
)
PUT_OFF = select(func.count(), func.min(col(OutboxRow.queued_at), type_=Moment)).where(
    waiting(), col(OutboxRow.next_attempt_at) > bindparam("now", type_=Moment)
)
FAILED = select(func.count()).where(
    col(OutboxRow.tried_at) > bindparam("since", type_=Moment), col(OutboxRow.failed)
)
PLAYING = (
    select(col(MatchRow.game_key), func.count().label("matches"))
    .where(col(MatchRow.ended_at).is_(None))
    .group_by(col(MatchRow.game_key))
)
MEMBERS = select(func.count()).where(
    and_(col(PlayerRow.bot) == "", col(PlayerRow.former) == false())
)
REVISION = select(Table("alembic_version", MetaData(), Column("version_num", String)).c.version_num)
