"""The log of what directors did."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session, col, select

from pbem.adapters.db.session import refused_as
from pbem.adapters.db.tables import DecisionRow
from pbem.service.ports import LoggedDecision


class SqlDecisions:
    """The port Decisions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, decision: LoggedDecision) -> None:
        """Logs it; raises StorageError if a member or a match is not stored."""
        row = DecisionRow(
            at=decision.at,
            by_id=decision.by,
            match_id=decision.match_id,
            line=decision.line,
            reason=decision.reason,
        )
        with refused_as(self._session, "the member or the match is not stored"):
            self._session.add(row)
            self._session.flush()

    def newest(self, limit: int, match_id: int | None = None) -> Sequence[LoggedDecision]:
        """The last so many, newest first; of one match, if it is named."""
        wanted = select(DecisionRow).order_by(col(DecisionRow.id).desc()).limit(limit)
        if match_id is not None:
            wanted = wanted.where(DecisionRow.match_id == match_id)
        return [_decision_of(row) for row in self._session.exec(wanted)]


def _decision_of(row: DecisionRow) -> LoggedDecision:
    assert row.id is not None, "it is stored"
    return LoggedDecision(row.at, row.by_id, row.match_id, row.line, row.reason, row.id)
