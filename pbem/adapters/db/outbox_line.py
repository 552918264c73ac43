"""The line in which mail waits to go: where a new one stands, and which are next."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Executable,
    Integer,
    SmallInteger,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    text,
    union_all,
)
from sqlmodel import col, update

from pbem.adapters.db.letter_mapping import letter_columns
from pbem.adapters.db.session import locking, table_of
from pbem.adapters.db.tables import OutboxRow
from pbem.adapters.db.types import Moment, Words, key_of
from pbem.mail.outgoing.urgency import Urgency
from pbem.mail.topic import match_of
from pbem.service.ports import SPACING, NewMail, OutgoingMail


def waiting() -> ColumnElement[bool]:
    """Whether a mail has neither gone nor failed."""
    return col(OutboxRow.closed_at).is_(None)


def _due_and_free() -> ColumnElement[bool]:
    held_until = col(OutboxRow.claimed_until)
    now: BindParameter[datetime] = bindparam("now")
    free = or_(held_until.is_(None), held_until <= now)
    return and_(waiting(), col(OutboxRow.next_attempt_at) <= now, free)


def _due() -> Executable:
    """The first in line of each urgency; each is found in the index by itself."""
    columns = (OutboxRow.urgency, OutboxRow.line, OutboxRow.id, OutboxRow.domain)
    due = select(*map(col, columns)).where(
        _due_and_free(), col(OutboxRow.domain).not_in(bindparam("without", expanding=True))
    )
    in_line = due.order_by(col(OutboxRow.line), col(OutboxRow.id)).limit(bindparam("most"))
    firsts = (
        locking(in_line.where(col(OutboxRow.urgency) == urgency), skip_locked=True).subquery(
            f"first_{urgency.name.lower()}"
        )
        for urgency in Urgency
    )
    together = union_all(*(select(first) for first in firsts))
    return together.order_by("urgency", "line", "id")


def _claim() -> Executable:
    """Marks mails, and gives them back."""
    some = update(OutboxRow).where(col(OutboxRow.id).in_(bindparam("ids", expanding=True)))
    marked = some.values(
        claimed_until=bindparam("until"),
        claimed_by=bindparam("holder"),
        tried_at=bindparam("tried"),
    )
    return marked.returning(*table_of(OutboxRow).c)


def _lines() -> Executable:
    of = (col(OutboxRow.urgency), col(OutboxRow.domain))
    since = func.min(col(OutboxRow.queued_at), type_=Moment)
    lines = select(*of, func.count().label("mails"), since.label("since"))
    return lines.where(_due_and_free()).group_by(*of).order_by(*of)


# As text: to look through a statement anew for each mail takes longer than SQLite needs to run it.
PLACE = text(
    """(
    SELECT max(line) FROM (
        SELECT CAST(:its_moment AS BIGINT) AS line
        UNION ALL
        SELECT max(line) + :spacing FROM outbox
        WHERE closed_at IS NULL AND urgency = :its_urgency AND recipient_key = :its_reader
        UNION ALL
        SELECT max(line) + :spacing FROM outbox
        WHERE closed_at IS NULL AND urgency = :its_urgency AND topic = :its_match
    ) AS places
    )"""
).bindparams(
    bindparam("spacing", SPACING.seconds, Integer),
    bindparam("its_moment", type_=BigInteger),
    bindparam("its_urgency", type_=SmallInteger),
    bindparam("its_reader", type_=Words),
    bindparam("its_match", type_=Words),
)
"""Behind those of its urgency that wait for the same reader, or about the same match."""

TURN_LOCK = 7_236_502
"""Any number that no other advisory lock of this database has."""
TURN = text("SELECT pg_advisory_xact_lock(:lock)")
TRIED = (
    select(col(OutboxRow.domain), func.count().label("mails"))
    .where(col(OutboxRow.tried_at) > bindparam("since"))
    .group_by(col(OutboxRow.domain))
)
NEW = insert(OutboxRow).values(line=PLACE)
DUE = _due()
LINES = _lines()
CLAIM = _claim()


def new_columns(new: NewMail, at: datetime) -> dict[str, Any]:
    """Columns of a mail that is queued now, and what decides how late it goes."""
    mail, failure = new
    return {
        **letter_columns(mail.letter),
        "kind": mail.kind,
        "player_id": mail.player,
        "topic": mail.topic,
        "turn": mail.turn,
        "received_at": mail.received_at,
        "allowance": mail.allowance,
        "queued_at": at,
        "next_attempt_at": at,
        "attempts": 0,
        "closed_at": at if failure else None,
        "failed": bool(failure),
        "reply": failure,
        "bounces": 0,
        "bounce_key": mail.bounce_key,
        "urgency": mail.urgency,
        "domain": mail.domain,
        **_place_in_line(mail, at),
    }


def _place_in_line(mail: OutgoingMail, at: datetime) -> dict[str, Any]:
    return {
        "its_urgency": mail.urgency,
        "its_moment": int(at.timestamp()),
        "its_reader": key_of(mail.recipient),
        "its_match": None if match_of(mail.topic) is None else mail.topic,
    }
