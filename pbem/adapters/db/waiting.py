"""Waiting: ask once whether plans, notes or news wait in a match, since in most nothing does."""

from __future__ import annotations

from sqlalchemy import bindparam, exists, select
from sqlmodel import Session, col

from pbem.adapters.db.session import run
from pbem.adapters.db.tables import PlanRow, WaitingNewsRow, WaitingNoteRow

Waiting = type[PlanRow] | type[WaitingNoteRow] | type[WaitingNewsRow]
TABLES: tuple[Waiting, ...] = (PlanRow, WaitingNoteRow, WaitingNewsRow)
ANY = select(*(exists().where(col(row.match_id) == bindparam("its_match")) for row in TABLES))


def may_wait(session: Session, table: Waiting, match_id: int) -> bool:
    """Return whether a table may have rows of a match. The first table asked answers for all."""
    known = _known(session)
    if match_id not in known:
        found = run(session, ANY, {"its_match": match_id}).one()
        known[match_id] = {row for row, is_there in zip(TABLES, found, strict=True) if is_there}
    return table in known[match_id]


def note_waiting(session: Session, table: Waiting, match_id: int) -> None:
    """Note that this transaction adds a row."""
    if match_id in _known(session):
        _known(session)[match_id].add(table)


def ask_again(session: Session, match_id: int) -> None:
    """Forget what is known of a match that is locked now, since others may have added before."""
    _known(session).pop(match_id, None)


def _known(session: Session) -> dict[int, set[Waiting]]:
    known: dict[int, set[Waiting]] = session.info.setdefault(ANY, {})
    return known
