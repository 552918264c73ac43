"""Questions of the club that wait for an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from sqlmodel import Session, col, delete, select, update
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.moments import move
from pbem.adapters.db.session import by_id, change, refused_as
from pbem.adapters.db.tables import QuestionRow
from pbem.adapters.db.types import key_of
from pbem.mail.topic import Holder, TopicKey
from pbem.ports.people import Question
from pbem.ports.process import StorageError


class SqlQuestions:
    """The port Questions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def ask(self, question: Question) -> Question:
        """Stores a question and gives it its id; raises StorageError."""
        row = _row_of(question)
        with refused_as(self._session, "its mail waits already, or who was asked is not stored"):
            self._session.add(row)
            self._session.flush()
        assert row.id is not None
        return replace(question, id=row.id)

    def get(self, question_id: int) -> Question:
        row = by_id(self._session, select(QuestionRow), col(QuestionRow.id), question_id)
        if row is None:
            raise StorageError(_missing(question_id))
        return _question_of(row)

    def waiting(
        self, holder: Holder, now: datetime, about: TopicKey | None = None
    ) -> list[Question]:
        open_ones = _asked_of(holder).where(col(QuestionRow.expires_at) > now)
        if about is not None:
            open_ones = open_ones.where(col(QuestionRow.about) == about)
        rows = self._session.exec(open_ones.order_by(col(QuestionRow.id)))
        return [_question_of(row) for row in rows]

    def of_kind(self, kind: str, now: datetime) -> list[Question]:
        query = select(QuestionRow).where(
            col(QuestionRow.kind) == kind, col(QuestionRow.expires_at) > now
        )
        rows = self._session.exec(query.order_by(col(QuestionRow.id)))
        return [_question_of(row) for row in rows]

    def asked_by(self, message_id: str) -> Question | None:
        query = select(QuestionRow).where(col(QuestionRow.asked_by) == message_id)
        row = self._session.exec(query).first() if message_id else None
        return None if row is None else _question_of(row)

    def asked(self, question_id: int, message_id: str) -> None:
        """A mail with that Message-ID asks it now; raises StorageError if it does not wait."""
        this = update(QuestionRow).where(col(QuestionRow.id) == question_id)
        change(self._session, this.values(asked_by=message_id), _missing(question_id))

    def postpone(self, by: timedelta, after: datetime) -> None:
        move(self._session, QuestionRow, "expires_at", by, col(QuestionRow.expires_at) > after)

    def drop_expired(self, now: datetime) -> int:
        """Deletes what has expired; returns how many."""
        gone = delete(QuestionRow).where(col(QuestionRow.expires_at) <= now)
        return self._session.exec(gone).rowcount

    def settle(self, question_id: int) -> None:
        """It does not wait any more; raises StorageError if it did not, so it happens once."""
        gone = delete(QuestionRow).where(col(QuestionRow.id) == question_id)
        if self._session.exec(gone).rowcount == 0:
            raise StorageError(_missing(question_id))


def _asked_of(holder: Holder) -> SelectOfScalar[QuestionRow]:
    if isinstance(holder, int):
        return select(QuestionRow).where(col(QuestionRow.player_id) == holder)
    return select(QuestionRow).where(col(QuestionRow.address_key) == key_of(holder))


def _row_of(question: Question) -> QuestionRow:
    stranger = question.holder if isinstance(question.holder, str) else None
    return QuestionRow(
        kind=question.kind,
        player_id=question.holder if isinstance(question.holder, int) else None,
        address=stranger,
        address_key=None if stranger is None else key_of(stranger),
        about=question.about,
        expires_at=question.expires_at,
        asked_by=question.asked_by,
        inbound_id=question.inbound_id,
        data=dict(question.data),
    )


def _question_of(row: QuestionRow) -> Question:
    assert row.id is not None
    return Question(
        id=row.id,
        kind=row.kind,
        holder=row.address if row.address is not None else cast("int", row.player_id),
        about=row.about,
        expires_at=row.expires_at,
        asked_by=row.asked_by,
        inbound_id=row.inbound_id,
        data=cast("Mapping[str, object]", row.data),
    )


def _missing(question_id: int) -> str:
    return f"there is no question {question_id} that waits"
