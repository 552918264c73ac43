"""The order in which emails wait to be sent, their stored form, and tallies of sent emails."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Column,
    ColumnElement,
    Executable,
    Integer,
    MetaData,
    Row,
    Select,
    SmallInteger,
    String,
    Table,
    and_,
    bindparam,
    false,
    func,
    insert,
    or_,
    select,
    text,
    union_all,
)
from sqlmodel import Session, col, update

from pbem.adapters.db.session import locking, run, table_of
from pbem.adapters.db.tables import InboundRow, MatchRow, OutboxRow, PlayerRow
from pbem.adapters.db.types import Moment, WordsColumn, key_of
from pbem.mail.outgoing.letter import Attachment, Letter, Urgency
from pbem.mail.topic import Holder, TopicKey, match_of
from pbem.ports.inbound import InboundState
from pbem.ports.outbox import SPACING, NewMail, OutgoingMail, PostedMail
from pbem.ports.process import UNFINISHED, JobQueue, JobTally, Tally


def waiting() -> ColumnElement[bool]:
    """Return the condition that an email has neither gone nor failed."""
    return col(OutboxRow.closed_at).is_(None)


def _due_and_free() -> ColumnElement[bool]:
    held_until = col(OutboxRow.claimed_until)
    now: BindParameter[datetime] = bindparam("now")
    free = or_(held_until.is_(None), held_until <= now)
    return and_(waiting(), col(OutboxRow.next_attempt_at) <= now, free)


def _due() -> Executable:
    """Return a query for the first emails of each urgency, each found in the index on its own."""
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
    """Return a statement that claims emails and returns them."""
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


# As text, since compiling the statement for each email would take longer than SQLite runs it.
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
    bindparam("its_reader", type_=WordsColumn),
    bindparam("its_match", type_=WordsColumn),
)
"""Place after those of its urgency that wait for the same reader or are about the same match."""

TURN_LOCK = 7_236_502
"""A number that no other advisory lock of this database uses."""
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
    """Return the columns of an email queued now, with what decides its place."""
    mail, failure, not_before = new
    return {
        **letter_columns(mail.letter),
        "kind": mail.kind,
        "player_id": mail.player,
        "topic": mail.topic,
        "turn": mail.turn,
        "received_at": mail.received_at,
        "allowance": mail.allowance,
        "writer_id": mail.writer,
        "queued_at": at,
        "next_attempt_at": not_before or at,
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


Asked = Mapping[type, Select[Any]]
"""A query for emails of a topic, by the type of its holder."""


def delayed_mails(session: Session, topic: TopicKey, now: datetime) -> list[PostedMail]:
    """Return the untried emails on a topic that may be sent only after a moment, oldest first."""
    rows = run(session, DELAYED, {"its_topic": topic, "now": now})
    return [found for row in rows if (found := _posted(row)) is not None]


def posted_with(session: Session, query: Executable, key: str) -> PostedMail | None:
    """Return the email with a key, None if there is none."""
    return _posted(run(session, query, {"its_key": key}).one_or_none())


def newest_posted(session: Session, topic: TopicKey, holder: Holder) -> PostedMail | None:
    """Return the newest email of a topic to a holder, None if there is none."""
    return _posted(run(session, NEWEST[type(holder)], _whose(topic, holder)).one_or_none())


def newest_of(
    session: Session, asked: Asked, topic: TopicKey, holder: Holder, **values: object
) -> Any:
    """Return a column of the newest email of a topic to a holder, None if there is none."""
    of_topic = _whose(topic, holder)
    return run(session, asked[type(holder)], {**of_topic, **values}).scalar_one_or_none()


def recipients_of(
    session: Session, topic: TopicKey, holder: Holder, turn: int
) -> Mapping[str, datetime]:
    """Return the addresses that got a holder's emails of a topic and turn, with the first time.

    Includes emails without a turn.
    """
    rows = run(session, RECIPIENTS[type(holder)], {**_whose(topic, holder), "its_turn": turn})
    sent: dict[str, datetime] = {}
    for row in rows:
        sent.setdefault(row.recipient, row.queued_at)
    return sent


def mail_of(row: Row[Any]) -> OutgoingMail:
    """Return the email of a row."""
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
        writer=row.writer_id,
    )


def _posted(row: Row[Any] | None) -> PostedMail | None:
    if row is None:
        return None
    closed = row.closed_at is not None
    return PostedMail(row.id, mail_of(row), row.queued_at, closed, row.failed, row.bounces)


def key_of_holder(holder: Holder) -> Holder:
    """Return a holder as stored in a row."""
    return key_of(holder) if isinstance(holder, str) else holder


def to_holder(kind: type[Holder], holder: BindParameter[Any]) -> ColumnElement[bool]:
    """Return the condition that an email is to a player, or to an address of nobody."""
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

DELAYED = _MAILS.where(
    col(OutboxRow.topic) == bindparam("its_topic"),
    waiting(),
    col(OutboxRow.tried_at).is_(None),
    col(OutboxRow.next_attempt_at) > bindparam("now", type_=Moment),
).order_by(col(OutboxRow.id))
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


def letter_columns(letter: Letter) -> dict[str, Any]:
    """Return the columns of an email's content."""
    return {
        "message_id": letter.message_id,
        "recipient": letter.to_address,
        "recipient_key": key_of(letter.to_address),
        "to_name": letter.to_name,
        "from_name": letter.from_name,
        "from_address": letter.from_address,
        "subject": letter.subject,
        "text": letter.text,
        "written_at": letter.written_at,
        "thread": list(letter.references),
        "answers": letter.answers,
        "html": letter.html,
        "picture": letter.picture,
        "reply_to": letter.reply_to,
        "list_id": letter.list_id,
        "unsubscribe": letter.unsubscribe,
        "attachments": json.dumps(letter.attachments) if letter.attachments else "",
    }


def letter_of(row: OutboxRow | Row[Any]) -> Letter:
    """Return the content of an email from its row."""
    return Letter(
        message_id=row.message_id,
        from_name=row.from_name,
        from_address=row.from_address,
        to_name=row.to_name,
        to_address=row.recipient,
        subject=row.subject,
        text=row.text,
        written_at=row.written_at,
        references=tuple(row.thread),
        answers=row.answers,
        html=row.html,
        picture=row.picture,
        reply_to=row.reply_to,
        list_id=row.list_id,
        unsubscribe=row.unsubscribe,
        attachments=_attachments(row.attachments),
    )


def _attachments(stored: str) -> tuple[Attachment, ...]:
    return tuple(Attachment(*each) for each in json.loads(stored)) if stored else ()


class SqlTallies:
    """Tallies in SQL. Satisfies the port Tallies."""

    def __init__(self, session: Session, jobs: JobQueue | None = None) -> None:
        self._session = session
        self._jobs = jobs

    def unfinished(self) -> Mapping[InboundState, Tally]:
        rows = run(self._session, BY_STATE, {"states": list(UNFINISHED)})
        found = {InboundState(row.state): Tally(row.mails, row.since) for row in rows}
        return {state: found.get(state, Tally()) for state in UNFINISHED}

    def put_off(self, now: datetime) -> Tally:
        return Tally(*run(self._session, PUT_OFF, {"now": now}).one())

    def failed(self, since: datetime) -> int:
        return int(run(self._session, FAILED, {"since": since}).scalar_one())

    def playing(self) -> Counter[str]:
        return Counter({row.game_key: row.matches for row in run(self._session, PLAYING)})

    def members(self) -> int:
        return int(run(self._session, MEMBERS).scalar_one())

    def jobs(self) -> JobTally | None:
        if self._jobs is None:
            return None
        return self._jobs.tally(self._session.connection().connection.driver_connection)

    def schema(self) -> str:
        return str(run(self._session, REVISION).scalar_one())


BY_STATE = (
    select(
        col(InboundRow.state),
        func.count().label("mails"),
        func.min(col(InboundRow.received_at), type_=Moment).label("since"),
    )
    .where(col(InboundRow.state).in_(bindparam("states", expanding=True)))
    .group_by(col(InboundRow.state))
)
PUT_OFF = select(func.count(), func.min(col(OutboxRow.queued_at), type_=Moment)).where(
    waiting(), col(OutboxRow.next_attempt_at) > bindparam("now", type_=Moment)
)
FAILED = select(func.count()).where(
    col(OutboxRow.tried_at) > bindparam("since", type_=Moment), col(OutboxRow.failed)
)
PLAYING = (
    select(col(MatchRow.game_key), func.count().label("matches"))
    .where(col(MatchRow.ended_at).is_(None))
    .group_by(col(MatchRow.game_key))
)
MEMBERS = select(func.count()).where(
    and_(col(PlayerRow.bot) == "", col(PlayerRow.former) == false())
)
REVISION = select(Table("alembic_version", MetaData(), Column("version_num", String)).c.version_num)
