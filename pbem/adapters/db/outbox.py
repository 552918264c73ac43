"""Mail waiting to go, and what has gone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, or_
from sqlmodel import Session, col, select, update

from pbem.adapters.db.session import locked, refused_as
from pbem.adapters.db.tables import OutboxRow
from pbem.adapters.db.types import key_of
from pbem.matches.match import PlayerId
from pbem.service.ports import OutgoingMail, QueuedMail

LAST_REFERENCES = 9
"""How many of the newest mails of a thread are named beside its first."""


class SqlOutbox:
    """The port Outbox."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, mail: OutgoingMail, at: datetime) -> None:
        """Queues a mail; raises StorageError if its Message-ID is taken."""
        with refused_as(self._session, f"{mail.message_id} is queued, or its match not stored"):
            self._session.add(
                OutboxRow(
                    message_id=mail.message_id,
                    kind=mail.kind,
                    recipient=mail.recipient,
                    recipient_key=key_of(mail.recipient),
                    player_id=mail.player,
                    match_id=mail.match_id,
                    turn=mail.turn,
                    queued_at=at,
                    next_attempt_at=at,
                    raw=mail.raw,
                )
            )

    def claim(self, now: datetime, until: datetime, limit: int) -> list[QueuedMail]:
        """Takes up to `limit` due mails that nobody holds, oldest first; a claim ends at `until`.

        SKIP LOCKED: on PostgreSQL workers that claim at the same time do not wait for each other.
        """
        held_until = col(OutboxRow.claimed_until)
        free = or_(held_until.is_(None), held_until <= now)
        due = select(OutboxRow).where(_waiting(), col(OutboxRow.next_attempt_at) <= now, free)
        oldest = due.order_by(col(OutboxRow.id)).limit(limit)
        rows = self._session.exec(locked(self._session, oldest, skip_locked=True)).all()
        for row in rows:
            row.claimed_until = until
        self._session.flush()
        return [_queued(row) for row in rows]

    def sent(self, queued_id: int, at: datetime) -> None:
        """It has gone."""
        this = update(OutboxRow).where(col(OutboxRow.id) == queued_id)
        self._session.exec(this.values(closed_at=at, failed=False, claimed_until=None))

    def failed(self, queued_id: int, reply: str, at: datetime) -> None:
        """It will never go, unless another worker's claim has sent it meanwhile."""
        self._set_waiting(queued_id, closed_at=at, failed=True, claimed_until=None, reply=reply)

    def retry(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """It could not go now; one that has gone by another worker's claim stays so."""
        self._set_waiting(
            queued_id,
            next_attempt_at=next_attempt_at,
            claimed_until=None,
            reply=reply,
            attempts=col(OutboxRow.attempts) + 1,
        )

    def release(self, queued_id: int) -> None:
        """Gives a claim back; the mail has not been tried."""
        self._set_waiting(queued_id, claimed_until=None)

    def thread(self, match_id: int, player: PlayerId) -> list[str]:
        """Message-IDs of the mails of a match to a player, oldest first: the first, the last 9."""
        mails = select(OutboxRow.message_id).where(*_to(match_id, player))
        first = self._session.exec(mails.order_by(col(OutboxRow.id)).limit(1)).all()
        newest = mails.order_by(col(OutboxRow.id).desc()).limit(LAST_REFERENCES)
        last = list(reversed(self._session.exec(newest).all()))
        return [*(each for each in first if each not in last), *last]

    def latest_turn(self, match_id: int, player: PlayerId) -> int | None:
        """Turn in the newest mail of a match to a player; None before the first."""
        turns = select(OutboxRow.turn).where(*_to(match_id, player))
        told = turns.where(col(OutboxRow.turn).is_not(None))
        return self._session.exec(told.order_by(col(OutboxRow.id).desc()).limit(1)).first()

    def count(self, recipient: str, kind: str, since: datetime) -> int:
        """How many mails of a kind were queued for an address (case-folded) since then."""
        query = select(func.count()).where(
            col(OutboxRow.recipient_key) == key_of(recipient),
            col(OutboxRow.kind) == kind,
            col(OutboxRow.queued_at) >= since,
        )
        return self._session.exec(query).one()

    def unsent(self) -> int:
        """How many wait."""
        return self._session.exec(select(func.count()).where(_waiting())).one()

    def _set_waiting(self, queued_id: int, **values: Any) -> None:
        this = update(OutboxRow).where(col(OutboxRow.id) == queued_id, _waiting())
        self._session.exec(this.values(**values))


def _waiting() -> ColumnElement[bool]:
    return col(OutboxRow.closed_at).is_(None)


def _to(match_id: int, player: PlayerId) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(OutboxRow.match_id) == match_id, col(OutboxRow.player_id) == player


def _queued(row: OutboxRow) -> QueuedMail:
    assert row.id is not None
    mail = OutgoingMail(
        message_id=row.message_id,
        recipient=row.recipient,
        raw=row.raw,
        kind=row.kind,
        player=row.player_id,
        match_id=row.match_id,
        turn=row.turn,
    )
    return QueuedMail(row.id, mail, row.attempts)
