"""Emails that wait to be sent or were sent, and their threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import (
    ColumnElement,
    Executable,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    func,
    literal,
    or_,
    select as columns_only,
    union_all,
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
    delayed_mails,
    key_of_holder,
    mail_of,
    new_columns,
    newest_of,
    newest_posted,
    posted_with,
    recipients_of,
    to_holder,
    waiting,
)
from pbem.adapters.db.session import attempt, others_write, require_writing, run
from pbem.adapters.db.tables import OutboxRow
from pbem.adapters.db.types import key_of
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.topic import Holder, TopicKey
from pbem.matches.match import PlayerId
from pbem.ports.outbox import (
    DueMail,
    NewMail,
    OutboxLine,
    OutgoingMail,
    PostedMail,
    QueuedMail,
    TroubledMail,
    Unrequested,
    WaitingMail,
)


class SqlOutbox:
    """The outbox in SQL. Satisfies the port Outbox."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, mail: OutgoingMail, at: datetime, *, failure: str = "") -> None:
        self.add_all([NewMail(mail, failure)], at)

    def add_all(self, mails: Sequence[NewMail], at: datetime) -> None:
        if mails:
            ids = ", ".join(each.mail.message_id for each in mails)
            refusal = f"{ids}: one is already queued, or its player is not stored"
            attempt(self._session, NEW, [new_columns(each, at) for each in mails], refusal)

    def take_turns(self) -> None:
        if others_write(self._session):
            run(self._session, TURN, {"lock": TURN_LOCK})

    def tried(self, since: datetime) -> Counter[str]:
        rows = run(self._session, TRIED, {"since": since})
        return Counter({row.domain: row.mails for row in rows})

    def due(self, now: datetime, most: int, without: Collection[str] = ()) -> list[DueMail]:
        require_writing(self._session)
        values = {"now": now, "most": most, "without": list(without)}
        rows = run(self._session, DUE, values)
        return [DueMail(row.id, Urgency(row.urgency), row.domain) for row in rows]

    def claim(
        self, ids: Collection[int], now: datetime, until: datetime, holder: str = ""
    ) -> list[QueuedMail]:
        values = {"ids": list(ids), "tried": now, "until": until, "holder": holder}
        return [_queued(row) for row in run(self._session, CLAIM, values)]

    def sent(self, queued_ids: Collection[int], at: datetime) -> None:
        run(self._session, SENT, {"ids": list(queued_ids), "closed": at})

    def failed(self, queued_id: int, reply: str, at: datetime) -> None:
        self._set_waiting(queued_id, closed_at=at, failed=True, claimed_until=None, reply=reply)

    def drop(self, queued_id: int) -> None:
        run(self._session, DROP, {"its_id": queued_id})

    def retry(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
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
        this = update(OutboxRow).where(col(OutboxRow.id) == queued_id)
        values = {"closed_at": at, "failed": True, "claimed_until": None, "reply": reply}
        self._session.exec(this.values(**values))

    def bounced_for_now(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
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
        rows = run(self._session, TO_STRANGERS, {"since": since, "begins": allowances})
        return [Unrequested(row.queued_at, row.player_id, row.kind) for row in rows]

    def troubled(
        self, since: datetime, limit: int, player: PlayerId | None = None
    ) -> list[TroubledMail]:
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
        # sorted here, since SQLite would read the whole table in that order
        return sorted(map(_waits, run(self._session, WAITING)), key=lambda mail: mail.id)

    def delayed(self, topic: TopicKey, now: datetime) -> Sequence[PostedMail]:
        return delayed_mails(self._session, topic, now)

    def withhold(self, queued_id: int, why: str, at: datetime) -> None:
        self._set_waiting(queued_id, closed_at=at, claimed_until=None, reply=why)

    def lines(self, now: datetime) -> list[OutboxLine]:
        rows = run(self._session, LINES, {"now": now})
        return [OutboxLine(Urgency(row.urgency), row.domain, row.mails, row.since) for row in rows]

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


LAST_REFERENCES = 9
"""Number of the newest emails in a thread that are referenced besides the first."""


def threads_of(
    session: Session, topic: TopicKey, holders: Sequence[Holder]
) -> dict[Holder, list[str]]:
    """Return the Message-IDs of a topic's emails to each holder: the first and the last nine.

    Each list is oldest first.
    """
    if not holders:
        return {}
    keys = {f"holder_{n}": key_of_holder(each) for n, each in enumerate(holders)}
    found: list[set[tuple[int, str]]] = [set() for _ in holders]
    asked = _threads(tuple(map(type, holders)))
    for row in run(session, asked, {"its_topic": topic, **keys}):
        found[row.whose].add((row.id, row.message_id))  # the first may also be one of the last
    return {
        holder: [message_id for _, message_id in sorted(mails)]
        for holder, mails in zip(holders, found, strict=True)
    }


@cache
def _threads(kinds: tuple[type[Holder], ...]) -> Executable:
    """Return the query for readers of these kinds. It finds each end of a thread in the index."""
    ends = [end for number, kind in enumerate(kinds) for end in _ends(number, kind)]
    return union_all(*ends)


def _ends(number: int, kind: type[Holder]) -> Iterator[Select[Any]]:
    mails = sa.select(literal(number).label("whose"), col(OutboxRow.id), col(OutboxRow.message_id))
    theirs = mails.where(
        col(OutboxRow.topic) == bindparam("its_topic"),
        to_holder(kind, bindparam(f"holder_{number}")),
    )
    yield sa.select(theirs.order_by(col(OutboxRow.id)).limit(1).subquery("first_mail"))
    newest = theirs.order_by(col(OutboxRow.id).desc()).limit(LAST_REFERENCES)
    yield sa.select(newest.subquery("last_mails"))
