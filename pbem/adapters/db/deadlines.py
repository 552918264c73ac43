"""What is due in the turns being played: an index of the clocks of the matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Executable, and_, bindparam, delete
from sqlmodel import Session, col, select

from pbem.adapters.db.clock_mapping import kind_of
from pbem.adapters.db.session import DIALECTS, Insert, run
from pbem.adapters.db.tables import DeadlineRow, MatchRow, SeatRow
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.time_control import FLAG, OVER, Due
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


def index(session: Session, matches: Sequence[MatchSummary]) -> None:
    """Puts what the clocks of matches say in place of what was due in them.

    Whoever does so holds the rows of the matches.
    """
    if matches:
        run(session, CLEAR, [{"its_match_id": match.id} for match in matches])
        _put(session, [row for match in matches for row in _rows(match, match.clock.dues)])


def index_again(session: Session, before: MatchSummary, after: MatchSummary) -> None:
    """The same for a match of which is known what was due in it."""
    was, due = before.clock.dues, after.clock.dues
    if {each.kind for each in was} <= {each.kind for each in due}:
        _put(session, _rows(after, [each for each in due if each not in was]))
    else:
        index(session, [after])


def _rows(match: MatchSummary, dues: Iterable[Due]) -> list[dict[str, Any]]:
    return [{"match_id": match.id, "kind": str(each.kind), "due_at": each.due_at} for each in dues]


def _put(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        run(session, PUT[session.get_bind().dialect.name], rows)


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


def _put_with(dialect: Any) -> Executable:
    row: Insert = dialect.insert(DeadlineRow)
    return row.on_conflict_do_update(
        index_elements=["match_id", "kind"], set_={"due_at": row.excluded.due_at}
    )


PUT = {name: _put_with(dialect) for name, dialect in DIALECTS.items()}
