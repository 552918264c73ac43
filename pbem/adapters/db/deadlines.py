"""What is due in the turns being played: an index of the clocks of the matches."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, insert
from sqlmodel import Session, col, select

from pbem.adapters.db.clock_mapping import kind_of
from pbem.adapters.db.session import run
from pbem.adapters.db.tables import DeadlineRow, MatchRow, SeatRow
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.time_control import FLAG, OVER
from pbem.service.ports import Deadline


class SqlDeadlines:
    """The port Deadlines."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def due(self, until: datetime) -> list[Deadline]:
        """What is due at or before a moment, oldest first."""
        rows = run(self._session, DUE, {"until": until})
        return [Deadline(row.match_id, kind_of(row.kind), row.due_at) for row in rows]

    def reminded(self, until: datetime) -> list[PlayerId]:
        """Players to act to whom a reminder is due at or before a moment, in order."""
        return list(run(self._session, REMINDED, {"until": until}).scalars())

    def of_player(self, player: PlayerId, until: datetime) -> list[int]:
        """Ids of matches where a player is to act and something is due by then, in order."""
        return list(run(self._session, THEIRS, {"player": player, "until": until}).scalars())


def index(session: Session, matches: Iterable[MatchSummary]) -> None:
    """Puts what the clocks of matches say in place of what was due in them.

    Whoever does so holds the rows of the matches.
    """
    cleared = [{"its_match_id": match.id} for match in matches]
    rows = [
        {"match_id": match.id, "kind": str(kind), "due_at": due_at}
        for match in matches
        for kind, due_at in match.clock.dues()
    ]
    if cleared:
        run(session, CLEAR, cleared)
    if rows:
        run(session, NEW, rows)


DUE = (
    select(DeadlineRow.match_id, DeadlineRow.kind, DeadlineRow.due_at)
    .where(col(DeadlineRow.due_at) <= bindparam("until"))
    .order_by(col(DeadlineRow.due_at), col(DeadlineRow.match_id))
)
_TO_ACT = and_(
    col(SeatRow.match_id) == col(DeadlineRow.match_id),
    col(SeatRow.seat) == col(MatchRow.to_act),
)
_BY_THEN = col(DeadlineRow.due_at) <= bindparam("until")
REMINDED = (
    select(SeatRow.player_id)
    .distinct()
    .join(DeadlineRow, col(SeatRow.match_id) == col(DeadlineRow.match_id))
    .join(MatchRow, and_(col(MatchRow.id) == col(DeadlineRow.match_id), _TO_ACT))
    .where(_BY_THEN, col(DeadlineRow.kind).not_in([FLAG, OVER]))
    .order_by(col(SeatRow.player_id))
)
THEIRS = (
    select(DeadlineRow.match_id)
    .distinct()
    .join(MatchRow, col(MatchRow.id) == col(DeadlineRow.match_id))
    .join(SeatRow, _TO_ACT)
    .where(col(SeatRow.player_id) == bindparam("player"), col(SeatRow.playing).is_(True), _BY_THEN)
    .order_by(col(DeadlineRow.match_id))
)
CLEAR = delete(DeadlineRow).where(col(DeadlineRow.match_id) == bindparam("its_match_id"))
NEW = insert(DeadlineRow)
