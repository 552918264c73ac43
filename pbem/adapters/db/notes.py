"""Notes: for everybody to read, and those that were not mailed to somebody yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import BindParameter, bindparam, delete, insert, select as columns_only
from sqlmodel import Session, col, select

from pbem.adapters.db.session import attempt, refused_as, run, table_of
from pbem.adapters.db.tables import NoteRow, WaitingNoteRow
from pbem.archive.site.values import Note
from pbem.matches.match import PlayerId


class SqlNotes:
    """The port Notes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, match_id: int, note: Note) -> None:
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
        theirs = select(NoteRow).where(col(NoteRow.match_id) == match_id).order_by(col(NoteRow.id))
        rows = self._session.exec(theirs)
        return [Note(row.turn, row.player_id, row.text, row.at) for row in rows]


class SqlWaitingNotes:
    """The port WaitingNotes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, match_id: int, reader: PlayerId, note: Note) -> None:
        row = {
            "match_id": match_id,
            "reader_id": reader,
            "turn": note.turn,
            "player_id": note.author,
            "text": note.text,
            "at": note.at,
        }
        refusal = f"there is no match {match_id}, or not its author or reader"
        attempt(self._session, KEEP, row, refusal)

    def of(self, match_id: int) -> Mapping[PlayerId, Sequence[Note]]:
        waiting = defaultdict(list)
        for row in run(self._session, WAITING_NOTES, {"its_match": match_id}):
            waiting[row.reader_id].append(Note(row.turn, row.player_id, row.text, row.at))
        return waiting

    def told(self, match_id: int, reader: PlayerId, held: Collection[PlayerId] = ()) -> None:
        named = {"its_match": match_id, "its_reader": reader, "held": list(held) or [NOBODY]}
        run(self._session, TOLD, named)


def _number(name: str) -> BindParameter[int]:
    return bindparam(name)


NOBODY = 0
"""No player has this number; a list of nobody makes another query."""
_ITS = col(WaitingNoteRow.match_id) == _number("its_match")
KEEP = insert(WaitingNoteRow)
WAITING_NOTES = (
    columns_only(*table_of(WaitingNoteRow).c).where(_ITS).order_by(col(WaitingNoteRow.id))
)
TOLD = delete(WaitingNoteRow).where(
    _ITS,
    col(WaitingNoteRow.reader_id) == _number("its_reader"),
    col(WaitingNoteRow.player_id).not_in(bindparam("held", expanding=True)),
)
