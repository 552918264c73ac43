"""When players are on leave."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, delete, select
from sqlmodel import Session, col

from pbem.adapters.db.session import refused_as, run
from pbem.adapters.db.tables import LeaveRow
from pbem.matches.leave import Leave
from pbem.matches.match import PlayerId


class SqlLeaves:
    """The port Leaves."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, player: PlayerId, since: datetime) -> list[Leave]:
        rows = run(self._session, LEAVES, {"its_player": player, "since": since})
        return [
            Leave(row.first_day, row.last_day, row.start_at, row.end_at, row.auto) for row in rows
        ]

    def put(self, player: PlayerId, leaves: Iterable[Leave], since: datetime) -> None:
        run(self._session, GONE, {"its_player": player, "since": since})
        with refused_as(self._session, f"there is no player {player}"):
            self._session.add_all(_leave_row(player, each) for each in leaves)


_ENDING = (
    col(LeaveRow.player_id) == bindparam("its_player"),
    col(LeaveRow.end_at) > bindparam("since"),
)
LEAVES = (
    select(
        *(col(LeaveRow.first_day), col(LeaveRow.last_day)),
        *(col(LeaveRow.start_at), col(LeaveRow.end_at), col(LeaveRow.auto)),
    )
    .where(*_ENDING)
    .order_by(col(LeaveRow.start_at))
)
GONE = delete(LeaveRow).where(*_ENDING)


def _leave_row(player: PlayerId, leave: Leave) -> LeaveRow:
    return LeaveRow(
        player_id=player,
        first_day=leave.first,
        last_day=leave.last,
        start_at=leave.start,
        end_at=leave.end,
        auto=leave.auto,
    )
