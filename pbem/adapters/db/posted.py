"""What was put into the outbox, whatever has become of it: found by its keys, topic and reader."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Executable,
    Row,
    Select,
    and_,
    bindparam,
    or_,
    select,
)
from sqlmodel import Session, col

from pbem.adapters.db.letter_mapping import letter_of
from pbem.adapters.db.session import run, table_of
from pbem.adapters.db.tables import OutboxRow
from pbem.adapters.db.types import key_of
from pbem.mail.outgoing.urgency import Urgency
from pbem.mail.topic import Holder, TopicKey
from pbem.service.ports import OutgoingMail, PostedMail

Asked = Mapping[type, Select[Any]]
"""A question about the mails of a topic, by the type of whom they are for."""


def posted_with(session: Session, query: Executable, key: str) -> PostedMail | None:
    """The mail that has a key."""
    return _posted(run(session, query, {"its_key": key}).one_or_none())


def newest_posted(session: Session, topic: TopicKey, holder: Holder) -> PostedMail | None:
    """Newest mail of a topic to somebody."""
    return _posted(run(session, NEWEST[type(holder)], _whose(topic, holder)).one_or_none())


def newest_of(
    session: Session, asked: Asked, topic: TopicKey, holder: Holder, **values: object
) -> Any:
    """A column of the newest mail of a topic to somebody; None without one."""
    of_topic = _whose(topic, holder)
    return run(session, asked[type(holder)], {**of_topic, **values}).scalar_one_or_none()


def recipients_of(
    session: Session, topic: TopicKey, holder: Holder, turn: int
) -> Mapping[str, datetime]:
    """Addresses to which mails of a topic and turn (or none) to somebody went; when first."""
    rows = run(session, RECIPIENTS[type(holder)], {**_whose(topic, holder), "its_turn": turn})
    sent: dict[str, datetime] = {}
    for row in rows:
        sent.setdefault(row.recipient, row.queued_at)
    return sent


def mail_of(row: Row[Any]) -> OutgoingMail:
    """The mail of a row of the outbox."""
    return OutgoingMail(
        letter=letter_of(row),
        kind=row.kind,
        player=row.player_id,
        topic=row.topic,
        turn=row.turn,
        bounce_key=row.bounce_key,
        urgency=Urgency(row.urgency),
        received_at=row.received_at,
        allowance=row.allowance,
    )


def _posted(row: Row[Any] | None) -> PostedMail | None:
    if row is None:
        return None
    closed = row.closed_at is not None
    return PostedMail(row.id, mail_of(row), row.queued_at, closed, row.failed, row.bounces)


def key_of_holder(holder: Holder) -> Holder:
    """How somebody stands in a row."""
    return key_of(holder) if isinstance(holder, str) else holder


def to_holder(kind: type[Holder], holder: BindParameter[Any]) -> ColumnElement[bool]:
    """Whether a mail is to somebody: a player, or an address of nobody."""
    if kind is int:
        return col(OutboxRow.player_id) == holder
    return and_(col(OutboxRow.player_id).is_(None), col(OutboxRow.recipient_key) == holder)


def _whose(topic: TopicKey, holder: Holder) -> dict[str, object]:
    return {"its_topic": topic, "its_holder": key_of_holder(holder)}


def _to_either(asked: Select[Any]) -> Asked:
    of_topic = asked.where(col(OutboxRow.topic) == bindparam("its_topic"))
    return {kind: of_topic.where(to_holder(kind, bindparam("its_holder"))) for kind in (int, str)}


_NEWEST_FIRST = col(OutboxRow.id).desc()
_MAILS = select(*table_of(OutboxRow).c)

BY_BOUNCE_KEY = _MAILS.where(col(OutboxRow.bounce_key) == bindparam("its_key"))
BY_MESSAGE_ID = _MAILS.where(col(OutboxRow.message_id) == bindparam("its_key"))
NEWEST = _to_either(_MAILS.order_by(_NEWEST_FIRST).limit(1))
LATEST_TURN = _to_either(
    select(col(OutboxRow.turn))
    .where(col(OutboxRow.turn).is_not(None))
    .order_by(_NEWEST_FIRST)
    .limit(1)
)
QUEUED_AT = _to_either(
    select(col(OutboxRow.queued_at))
    .where(col(OutboxRow.turn) == bindparam("its_turn"))
    .order_by(_NEWEST_FIRST)
    .limit(1)
)
_SENT = select(*(table_of(OutboxRow).c[name] for name in ("recipient", "queued_at")))
RECIPIENTS = _to_either(
    _SENT.where(
        or_(col(OutboxRow.turn) == bindparam("its_turn"), col(OutboxRow.turn).is_(None))
    ).order_by(col(OutboxRow.id))
)
