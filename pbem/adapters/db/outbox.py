"""Mail waiting to go, and what has gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select as columns_only,
)
from sqlmodel import Session, col, select, update

from pbem.adapters.db.outbox_line import (
    BY_BOUNCE_KEY,
    BY_MESSAGE_ID,
    CLAIM,
    DUE,
    LATEST_TURN,
    LINES,
    NEW,
    QUEUED_AT,
    TRIED,
    TURN,
    TURN_LOCK,
    mail_of,
    new_columns,
    newest_of,
    newest_posted,
    posted_with,
    recipients_of,
    waiting,
)
from pbem.adapters.db.session import attempt, others_write, require_writing, run
from pbem.adapters.db.tables import OutboxRow
from pbem.adapters.db.threads import threads_of
from pbem.adapters.db.types import key_of
from pbem.mail.outgoing.urgency import Urgency
from pbem.mail.topic import Holder, TopicKey
from pbem.matches.match import PlayerId
from pbem.ports.outbox import (
    DueMail,
    Line,
    NewMail,
    OutgoingMail,
    PostedMail,
    QueuedMail,
    TroubledMail,
    Unrequested,
    WaitingMail,
)


class SqlOutbox:
    """The port Outbox."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, mail: OutgoingMail, at: datetime, *, failure: str = "") -> None:
        """Queues a mail, or records one that cannot go.

        Raises StorageError if its Message-ID or bounce key is taken.
        """
        self.add_all([NewMail(mail, failure)], at)

    def add_all(self, mails: Sequence[NewMail], at: datetime) -> None:
        if mails:
            ids = ", ".join(each.mail.message_id for each in mails)
            refusal = f"{ids}: one is queued already, or its player not stored"
            attempt(self._session, NEW, [new_columns(each, at) for each in mails], refusal)

    def take_turns(self) -> None:
        """Nobody else who takes turns claims mail until this unit of work ends.

        SQLite has one writer at a time as it is.
        """
        if others_write(self._session):
            run(self._session, TURN, {"lock": TURN_LOCK})

    def tried(self, since: datetime) -> Counter[str]:
        rows = run(self._session, TRIED, {"since": since})
        return Counter({row.domain: row.mails for row in rows})

    def due(self, now: datetime, most: int, without: Collection[str] = ()) -> list[DueMail]:
        """The first `most` of each urgency that are due and nobody holds, in the order to go.

        SKIP LOCKED: on PostgreSQL workers that claim at the same time do not wait for each other.
        """
        require_writing(self._session)
        values = {"now": now, "most": most, "without": list(without)}
        rows = run(self._session, DUE, values)
        return [DueMail(row.id, Urgency(row.urgency), row.domain) for row in rows]

    def claim(
        self, ids: Collection[int], now: datetime, until: datetime, holder: str = ""
    ) -> list[QueuedMail]:
        """Takes mails that are due; a claim ends at `until`."""
        values = {"ids": list(ids), "tried": now, "until": until, "holder": holder}
        return [_queued(row) for row in run(self._session, CLAIM, values)]

    def sent(self, queued_ids: Collection[int], at: datetime) -> None:
        run(self._session, SENT, {"ids": list(queued_ids), "closed": at})

    def failed(self, queued_id: int, reply: str, at: datetime) -> None:
        """It will never go, unless another worker's claim has sent it meanwhile."""
        self._set_waiting(queued_id, closed_at=at, failed=True, claimed_until=None, reply=reply)

    def drop(self, queued_id: int) -> None:
        """Nothing is kept of it."""
        run(self._session, DROP, {"its_id": queued_id})

    def retry(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """It could not go now; one that has gone by another worker's claim stays so."""
        self._set_waiting(
            queued_id,
            next_attempt_at=next_attempt_at,
            claimed_until=None,
            reply=reply,
            attempts=col(OutboxRow.attempts) + 1,
        )

    def release(self, queued_id: int, due_at: datetime | None = None) -> None:
        due = {} if due_at is None else {"next_attempt_at": due_at}
        self._set_waiting(queued_id, claimed_until=None, tried_at=None, **due)

    def holders(self) -> list[str]:
        """Names of those who hold mail."""
        named = (_held(), col(OutboxRow.claimed_by) != "")
        found = self._session.exec(select(OutboxRow.claimed_by).where(*named).distinct())
        return sorted(found)

    def release_of(self, holder: str) -> int:
        held = update(OutboxRow).where(_held(), col(OutboxRow.claimed_by) == holder)
        return self._session.exec(held.values(claimed_until=None)).rowcount

    def by_bounce_key(self, key: str) -> PostedMail | None:
        return posted_with(self._session, BY_BOUNCE_KEY, key)

    def by_message_id(self, message_id: str) -> PostedMail | None:
        return posted_with(self._session, BY_MESSAGE_ID, message_id)

    def latest(self, topic: TopicKey, holder: Holder) -> PostedMail | None:
        return newest_posted(self._session, topic, holder)

    def bounced(self, queued_id: int, reply: str, at: datetime) -> None:
        """It came back for good; one that waits to be tried again does not go either."""
        this = update(OutboxRow).where(col(OutboxRow.id) == queued_id)
        values = {"closed_at": at, "failed": True, "claimed_until": None, "reply": reply}
        self._session.exec(this.values(**values))

    def bounced_for_now(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """It came back, and waits again."""
        this = update(OutboxRow).where(col(OutboxRow.id) == queued_id)
        self._session.exec(
            this.values(
                closed_at=None,
                failed=False,
                next_attempt_at=next_attempt_at,
                reply=reply,
                bounces=col(OutboxRow.bounces) + 1,
                received_at=None,
            )
        )

    def threads(self, topic: TopicKey, holders: Sequence[Holder]) -> dict[Holder, list[str]]:
        return threads_of(self._session, topic, holders)

    def thread(self, topic: TopicKey, holder: Holder) -> list[str]:
        return threads_of(self._session, topic, [holder])[holder]

    def queued_at(self, topic: TopicKey, holder: Holder, turn: int) -> datetime | None:
        found: datetime | None = newest_of(self._session, QUEUED_AT, topic, holder, its_turn=turn)
        return found

    def sent_to(self, topic: TopicKey, holder: Holder, turn: int) -> Mapping[str, datetime]:
        return recipients_of(self._session, topic, holder, turn)

    def latest_turn(self, topic: TopicKey, holder: Holder) -> int | None:
        turn: int | None = newest_of(self._session, LATEST_TURN, topic, holder)
        return turn

    def count(self, recipient: str, kind: str, since: datetime) -> int:
        query = select(func.count()).where(
            col(OutboxRow.recipient_key) == key_of(recipient), col(OutboxRow.queued_at) >= since
        )
        of_kind = query.where(col(OutboxRow.kind) == kind) if kind else query
        return self._session.exec(of_kind).one()

    def unrequested(self, allowance: str, since: datetime) -> list[Unrequested]:
        rows = run(self._session, UNREQUESTED, {"its_allowance": allowance, "since": since})
        return [Unrequested(row.queued_at, row.player_id, row.kind) for row in rows]

    def to_strangers(self, since: datetime, allowances: str) -> list[Unrequested]:
        """Return the unrequested emails to nobody's address queued since then, oldest first."""
        rows = run(self._session, TO_STRANGERS, {"since": since, "begins": allowances})
        return [Unrequested(row.queued_at, row.player_id, row.kind) for row in rows]

    def troubled(
        self, since: datetime, limit: int, player: PlayerId | None = None
    ) -> list[TroubledMail]:
        """Mails queued since then, to anybody or a player, that have failed or are tried again."""
        put_off = and_(waiting(), col(OutboxRow.reply) != "")
        query = select(OutboxRow).where(
            col(OutboxRow.queued_at) >= since, or_(col(OutboxRow.failed), put_off)
        )
        if player is not None:
            query = query.where(col(OutboxRow.player_id) == player)
        rows = self._session.exec(query.order_by(col(OutboxRow.id).desc()).limit(limit))
        return [_troubled(row) for row in rows]

    def unsent(self) -> int:
        return self._session.exec(select(func.count()).where(waiting())).one()

    def waiting(self) -> list[WaitingMail]:
        # sorted here: SQLite would read the whole table in that order
        return sorted(map(_waits, run(self._session, WAITING)), key=lambda mail: mail.id)

    def withhold(self, queued_id: int, why: str, at: datetime) -> None:
        """It does not go, and need not."""
        self._set_waiting(queued_id, closed_at=at, claimed_until=None, reply=why)

    def lines(self, now: datetime) -> list[Line]:
        rows = run(self._session, LINES, {"now": now})
        return [Line(Urgency(row.urgency), row.domain, row.mails, row.since) for row in rows]

    def _set_waiting(self, queued_id: int, **values: Any) -> None:
        this = update(OutboxRow).where(col(OutboxRow.id) == queued_id, waiting())
        self._session.exec(this.values(**values))


def _held() -> ColumnElement[bool]:
    return and_(waiting(), col(OutboxRow.claimed_until).is_not(None))


SENT = (
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(bindparam("ids", expanding=True)))
    .values(closed_at=bindparam("closed"), failed=False, claimed_until=None)
)
WAITING = columns_only(
    *(col(OutboxRow.id), col(OutboxRow.message_id), col(OutboxRow.recipient)),
    *(col(OutboxRow.kind), col(OutboxRow.player_id), col(OutboxRow.topic)),
    *(col(OutboxRow.queued_at), col(OutboxRow.received_at)),
).where(waiting())
_UNREQUESTED = (
    columns_only(col(OutboxRow.queued_at), col(OutboxRow.player_id), col(OutboxRow.kind))
    .where(col(OutboxRow.queued_at) >= bindparam("since"))
    .order_by(col(OutboxRow.queued_at))
)
UNREQUESTED = _UNREQUESTED.where(col(OutboxRow.allowance) == bindparam("its_allowance"))
TO_STRANGERS = _UNREQUESTED.where(
    col(OutboxRow.allowance).is_not(None),
    col(OutboxRow.allowance).startswith(bindparam("begins")),
    col(OutboxRow.player_id).is_(None),
)
DROP = delete(OutboxRow).where(col(OutboxRow.id) == bindparam("its_id"))


def _queued(row: Row[Any]) -> QueuedMail:
    return QueuedMail(row.id, mail_of(row), row.attempts)


def _waits(row: Row[Any]) -> WaitingMail:
    return WaitingMail(
        id=row.id,
        message_id=row.message_id,
        recipient=row.recipient,
        kind=row.kind,
        player=row.player_id,
        topic=row.topic,
        queued_at=row.queued_at,
        received_at=row.received_at,
    )


def _troubled(row: OutboxRow) -> TroubledMail:
    assert row.id is not None
    return TroubledMail(
        id=row.id,
        recipient=row.recipient,
        kind=row.kind,
        player=row.player_id,
        topic=row.topic,
        queued_at=row.queued_at,
        failed_at=row.closed_at,
        reply=row.reply,
    )
