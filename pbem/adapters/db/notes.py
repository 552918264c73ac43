"""Notes for everybody to read."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session, col, select

from pbem.adapters.db.session import refused_as
from pbem.adapters.db.tables import NoteRow
from pbem.archive.site.values import Note


class SqlNotes:
    """The port Notes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, match_id: int, note: Note) -> None:
        """Keeps a note; raises StorageError if the match or the author is not stored."""
        row = NoteRow(
            match_id=match_id,
            turn=note.turn,
            player_id=note.author,
            text=note.text,
            at=note.at,
        )
        with refused_as(self._session, f"there is no match {match_id}, or not its author"):
            self._session.add(row)

    def of(self, match_id: int) -> Sequence[Note]:
        """Notes of a match, in the order in which they were written."""
        theirs = select(NoteRow).where(col(NoteRow.match_id) == match_id).order_by(col(NoteRow.id))
        rows = self._session.exec(theirs)
        return [Note(row.turn, row.player_id, row.text, row.at) for row in rows]
