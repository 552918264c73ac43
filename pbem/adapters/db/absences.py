"""What automatic answers of players said."""

from __future__ import annotations

from sqlmodel import Session, col, select

from pbem.adapters.db.session import refused_as
from pbem.adapters.db.tables import AbsenceRow
from pbem.matches.match import PlayerId
from pbem.service.ports import AbsenceNotice


class SqlAbsences:
    """The port Absences."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, notice: AbsenceNotice) -> None:
        """Keeps a notice; raises StorageError if its player or match is not stored."""
        with refused_as(self._session, f"there is no player {notice.player}, or not that match"):
            self._session.add(
                AbsenceRow(
                    player_id=notice.player,
                    match_id=notice.match_id,
                    at=notice.at,
                    subject=notice.subject,
                    text=notice.text,
                )
            )

    def of(self, player: PlayerId, limit: int) -> list[AbsenceNotice]:
        """A player's notices, newest first."""
        theirs = select(AbsenceRow).where(col(AbsenceRow.player_id) == player)
        newest = theirs.order_by(col(AbsenceRow.at).desc(), col(AbsenceRow.id).desc()).limit(limit)
        return [_notice(row) for row in self._session.exec(newest)]


def _notice(row: AbsenceRow) -> AbsenceNotice:
    return AbsenceNotice(row.player_id, row.match_id, row.at, row.subject, row.text)
