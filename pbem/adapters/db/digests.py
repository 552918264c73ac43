"""Digests that were sent, and news that waits for one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, bindparam, delete, insert, or_, select, update
from sqlmodel import Session, col

from pbem.adapters.db.session import (
    attempt,
    insert_into,
    locked,
    possible,
    run,
    table_of,
)
from pbem.adapters.db.tables import DeadlineRow, DigestRow, MatchRow, SeatRow, WaitingNewsRow
from pbem.adapters.db.waiting import may_wait, note_waiting
from pbem.matches.match import PlayerId
from pbem.matches.time_control import FLAG
from pbem.ports.play import Digest, Unseen


class SqlDigests:
    """Sent digests in SQL. Satisfies the port Digests."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, digest: Digest) -> Digest:
        turns = {str(match): turn for match, turn in digest.turns.items()}
        row = {"player_id": digest.player, "at": digest.at, "turns": turns}
        added = attempt(self._session, ADD, row, f"there is no player {digest.player}")
        return replace(digest, id=(added.inserted_primary_key or (0,))[0])

    def of(self, digest_id: int) -> Digest | None:
        if not possible(digest_id):
            return None
        this = select(*table_of(DigestRow).c).where(col(DigestRow.id) == digest_id)
        row = run(self._session, this).one_or_none()
        return None if row is None else _digest(row)

    def showing(self, reader: PlayerId, match_id: int) -> list[Digest]:
        rows = run(self._session, OF_READER, {"its_reader": reader})
        return [_digest(row) for row in rows if str(match_id) in row.turns]


def _digest(row: Row[Any]) -> Digest:
    turns = {int(match): turn for match, turn in row.turns.items()}
    return Digest(row.player_id, row.at, turns, row.id)


class SqlWaitingNews:
    """News that waits, in SQL. Satisfies the port WaitingNews."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, news: Unseen) -> None:
        values = {
            "turn": news.turn,
            "due_at": news.due_at,
            "safe_until": news.safe_until,
            "said": list(news.said),
        }
        key = {"match_id": news.match_id, "reader_id": news.reader}
        note_waiting(self._session, WaitingNewsRow, news.match_id)
        row = insert_into(self._session, WaitingNewsRow).values(**key, **values)
        put = row.on_conflict_do_update(index_elements=list(key), set_=values)
        attempt(self._session, put, {}, f"there is no match {news.match_id}, or not its reader")

    def in_match(self, match_id: int, *, lock: bool = False) -> Mapping[PlayerId, Unseen]:
        if not may_wait(self._session, WaitingNewsRow, match_id):
            return {}
        news = locked(self._session, IN_MATCH) if lock else IN_MATCH
        rows = run(self._session, news, {"its_match": match_id})
        return {row.reader_id: _unseen(row) for row in rows}

    def of(self, reader: PlayerId, *, lock: bool = False) -> Sequence[Unseen]:
        theirs = locked(self._session, THEIRS) if lock else THEIRS
        return [_unseen(row) for row in run(self._session, theirs, {"its_reader": reader})]

    def due(self, until: datetime) -> list[PlayerId]:
        return list(run(self._session, READERS, {"until": until}).scalars())

    def reschedule(self, reader: PlayerId, due_at: datetime, safe_until: datetime) -> None:
        theirs = update(WaitingNewsRow).where(col(WaitingNewsRow.reader_id) == reader)
        run(self._session, theirs.values(due_at=due_at, safe_until=safe_until))

    def told(self, reader: PlayerId, matches: Collection[int]) -> None:
        theirs = delete(WaitingNewsRow).where(
            col(WaitingNewsRow.reader_id) == reader, col(WaitingNewsRow.match_id).in_(matches)
        )
        run(self._session, theirs)


ADD = insert(DigestRow)
OF_READER = (
    select(*table_of(DigestRow).c)
    .where(col(DigestRow.player_id) == bindparam("its_reader"))
    .order_by(col(DigestRow.id).desc())
)
_ALL = select(*table_of(WaitingNewsRow).c)
IN_MATCH = _ALL.where(col(WaitingNewsRow.match_id) == bindparam("its_match"))
THEIRS = _ALL.where(col(WaitingNewsRow.reader_id) == bindparam("its_reader")).order_by(
    col(WaitingNewsRow.match_id)
)
_URGENT = (
    select(col(DeadlineRow.match_id))
    .join(MatchRow, col(MatchRow.id) == col(DeadlineRow.match_id))
    .join(
        SeatRow,
        and_(
            col(SeatRow.match_id) == col(DeadlineRow.match_id),
            col(SeatRow.seat) == col(MatchRow.to_act),
        ),
    )
    .where(
        col(DeadlineRow.match_id) == col(WaitingNewsRow.match_id),
        col(DeadlineRow.kind) == FLAG,
        col(DeadlineRow.due_at) < col(WaitingNewsRow.safe_until),
        col(SeatRow.player_id) == col(WaitingNewsRow.reader_id),
    )
    .exists()
)
READERS = (
    select(col(WaitingNewsRow.reader_id))
    .distinct()
    .where(or_(col(WaitingNewsRow.due_at) <= bindparam("until"), _URGENT))
    .order_by(col(WaitingNewsRow.reader_id))
)


def _unseen(row: Row[Any]) -> Unseen:
    said = tuple(row.said)
    return Unseen(row.match_id, row.reader_id, row.turn, row.due_at, row.safe_until, said)
