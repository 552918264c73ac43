"""Received mail, every one of it that is kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Row,
    bindparam,
    func,
    or_,
    select as columns_only,
    text,
)
from sqlmodel import Session, col, select, update

from pbem.adapters.db.mail_list import WITHOUT_BYTES, newest_mails
from pbem.adapters.db.provenance import ANSWERED_BY_SENDER, COPIES, COUNT_BY_TOPIC, provenance_of
from pbem.adapters.db.session import (
    DIALECTS,
    attempt,
    locking,
    others_write,
    possible,
    require_writing,
    run,
    table_of,
)
from pbem.adapters.db.tables import InboundRow
from pbem.adapters.db.types import key_of
from pbem.adapters.db.uids import highest_uid, known_uids
from pbem.mail.topic import TopicKey
from pbem.ports.inbound import (
    AHEAD,
    ANSWERED,
    CHANGED,
    CONFIRMED,
    HELD,
    InboundKey,
    InboundMail,
    InboundState,
    KeptMail,
    KeyedMail,
    MailboxState,
    MailFilter,
    Provenance,
    ReceivedMail,
    RecordedMail,
    Waiting,
    Whose,
    in_line,
)
from pbem.ports.process import StorageError

TURN_LOCK = 7_236_501
"""Advisory locks of PostgreSQL: the mails of one person are read one after the other."""
TURN = text("""
    SELECT pg_advisory_xact_lock(:lock, hashtext(coalesce(
        (SELECT CAST(player_id AS TEXT) FROM addresses WHERE address_key = :whose), :whose)))
""")


class SqlInbound:
    """The port Inbound."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, mail: ReceivedMail, key: InboundKey, at: datetime) -> int | None:
        return self.add_all([KeyedMail(mail, key)], at)[0]

    def add_all(self, mails: Sequence[KeyedMail], at: datetime) -> list[int | None]:
        if not mails:
            return []
        once = NEW[self._session.get_bind().dialect.name]
        added = run(self._session, once, [_columns_of(each, at) for each in mails])
        ids = {(row.folder, row.uidvalidity, row.uid): row.id for row in added}
        return [ids.pop((mail.folder, mail.uidvalidity, mail.uid), None) for mail, _ in mails]

    def known(self, state: MailboxState, uids: Collection[int]) -> set[int]:
        return known_uids(self._session, state, uids)

    def highest(self, state: MailboxState, before: datetime | None) -> int:
        return highest_uid(self._session, state, before)

    def pending(self) -> list[int]:
        return in_line(Waiting(row.id, row.ahead) for row in run(self._session, PENDING))

    def ahead(self, sender: str, since: datetime) -> int:
        values = {"key": key_of(sender), "since": since}
        return int(run(self._session, COUNT_AHEAD, values).scalar_one())

    def waiting_since(self) -> datetime | None:
        found: datetime | None = run(self._session, WAITING_SINCE).scalar_one_or_none()
        return found

    def get(self, inbound_id: int) -> InboundMail:
        return self._one(inbound_id, MAIL)

    def lock(self, inbound_id: int) -> InboundMail:
        require_writing(self._session)
        return self._one(inbound_id, LOCKED_MAIL)

    def take_turns(self, key: str) -> None:
        """Nobody else takes turns for the same key, or address of one person.

        SQLite has one writer at a time as it is.
        """
        if others_write(self._session):
            run(self._session, TURN, {"lock": TURN_LOCK, "whose": key_of(key)})

    def close(
        self, inbound_id: int, state: InboundState, reason: str = "", whose: Whose | None = None
    ) -> None:
        """What has become of a mail, and whose it is, as far as that is told now."""
        row = {"its_id": inbound_id, "state": state, "reason": reason}
        if whose is not None:
            row |= {"player_id": whose.player, "topic": whose.topic, "proven": whose.proven}
        unknown = f"there is no received mail {inbound_id}, or not its player"
        if attempt(self._session, THIS, row, unknown).rowcount == 0:
            raise StorageError(_missing(inbound_id))

    def shorten(self, inbound_id: int, raw: bytes) -> None:
        run(self._session, THIS, {"its_id": inbound_id, "raw": raw})

    def copies(self, mail: RecordedMail) -> list[RecordedMail]:
        """Earlier mails with the same digest, oldest first."""
        rows = run(self._session, COPIES, {"its_digest": mail.digest, "its_id": mail.id})
        return list(map(_recorded, rows))

    def provenance(self, mail: RecordedMail, since: datetime) -> Provenance:
        return provenance_of(self._session, mail, since)

    def count_about(self, topic: TopicKey, before_id: int, since: datetime, *, proven: bool) -> int:
        """How many mails about a topic were recorded since then, and before the one of an id."""
        values = {"key": topic, "since": since, "proven": proven, "its_id": before_id}
        return int(run(self._session, COUNT_BY_TOPIC, values).scalar_one())

    def reopen(self, recorded_until: datetime) -> list[int]:
        """Make emails NEW that were KEPT at a moment or before. Return their ids, oldest first."""
        return sorted(run(self._session, REOPEN, {"until": recorded_until}).scalars())

    def kept_for(self, reason: str) -> list[KeptMail]:
        rows = run(self._session, KEPT_FOR, {"begins": reason})
        return [
            KeptMail(row.id, row.sender, row.reason, row.recorded_at, row.player_id) for row in rows
        ]

    def in_vain(self, address: str, before_id: int, since: datetime, *, proven: bool) -> int:
        """How many mails of a sender were answered and changed nothing, before the one of an id."""
        values = {"key": key_of(address), "since": since, "proven": proven, "its_id": before_id}
        reasons = run(self._session, ANSWERED_BY_SENDER, values).scalars().all()
        in_vain = takewhile(lambda reason: reason != CHANGED, reasons)
        return sum(reason != CONFIRMED for reason in in_vain)

    def heard(self, addresses: Collection[str], since: datetime) -> bool:
        """Whether a person at one of some addresses has written since then, and proved it."""
        query = select(InboundRow.id).where(
            col(InboundRow.sender_key).in_(map(key_of, addresses)),
            col(InboundRow.proven).is_(True),
            col(InboundRow.recorded_at) >= since,
            col(InboundRow.state).in_(ANSWERED),
        )
        return self._session.exec(query.limit(1)).one_or_none() is not None

    def recorded_since(self, moment: datetime) -> list[RecordedMail]:
        """Emails that were recorded at that moment or later, oldest first."""
        return self._those(col(InboundRow.recorded_at) >= moment)

    def in_state(self, state: InboundState) -> list[RecordedMail]:
        """All emails in a state, oldest first."""
        return self._those(col(InboundRow.state) == state)

    def _those(self, condition: ColumnElement[bool]) -> list[RecordedMail]:
        query = WITHOUT_BYTES.where(condition).order_by(col(InboundRow.id))
        return list(map(_recorded, run(self._session, query)))

    def newest(self, wanted: MailFilter, limit: int) -> list[RecordedMail]:
        return list(map(_recorded, newest_mails(self._session, wanted, limit)))

    def _one(self, inbound_id: int, query: Executable) -> InboundMail:
        this = {"its_id": inbound_id}
        row = run(self._session, query, this).one_or_none() if possible(inbound_id) else None
        if row is None:
            raise StorageError(self._missing(inbound_id))
        return InboundMail(**_known(row), raw=row.raw)

    def _missing(self, inbound_id: int) -> str:
        """Why a mail is not there, in words."""
        if not possible(inbound_id):
            return _missing(inbound_id)
        later = select(InboundRow.id).where(col(InboundRow.id) > inbound_id).limit(1)
        gone = self._session.exec(later).first() is not None
        return f"received mail {inbound_id} is kept no longer" if gone else _missing(inbound_id)


_IS_THIS = col(InboundRow.id) == bindparam("its_id")

_NUMBERED = (
    *(col(InboundRow.id), col(InboundRow.folder)),
    *(col(InboundRow.uidvalidity), col(InboundRow.uid)),
)

NEW = {
    name: dialect.insert(InboundRow)
    .on_conflict_do_nothing(index_elements=["folder", "uidvalidity", "uid"])
    .returning(*_NUMBERED)
    for name, dialect in DIALECTS.items()
}
THIS = update(InboundRow).where(_IS_THIS)
MAIL = columns_only(*table_of(InboundRow).c).where(_IS_THIS)
LOCKED_MAIL = locking(MAIL)
REOPEN = (
    update(InboundRow)
    .where(
        col(InboundRow.state) == InboundState.KEPT,
        col(InboundRow.recorded_at) <= bindparam("until"),
        ~col(InboundRow.reason).startswith(HELD),
    )
    .values(state=InboundState.NEW, reason="")
    .returning(col(InboundRow.id))
)
KEPT_FOR = (
    columns_only(
        *(col(InboundRow.id), col(InboundRow.sender), col(InboundRow.reason)),
        *(col(InboundRow.recorded_at), col(InboundRow.player_id)),
    )
    .where(
        col(InboundRow.state) == InboundState.KEPT,
        col(InboundRow.reason).startswith(bindparam("begins")),
    )
    .order_by(col(InboundRow.id).desc())
)
_GOES_AHEAD = col(InboundRow.reason) == AHEAD
PENDING = columns_only(col(InboundRow.id), _GOES_AHEAD.label("ahead")).where(
    col(InboundRow.state) == InboundState.NEW
)
COUNT_AHEAD = columns_only(func.count()).where(
    col(InboundRow.sender_key) == bindparam("key"),
    col(InboundRow.proven).in_((True, False)),  # for the index
    col(InboundRow.recorded_at) >= bindparam("since"),
    or_(col(InboundRow.proven), _GOES_AHEAD),
)
WAITING_SINCE = columns_only(func.min(col(InboundRow.received_at))).where(
    col(InboundRow.state) == InboundState.NEW
)


def _columns_of(new: KeyedMail, at: datetime) -> dict[str, Any]:
    mail, key = new
    return {
        "folder": mail.folder,
        "uidvalidity": mail.uidvalidity,
        "uid": mail.uid,
        "received_at": mail.received_at,
        "recorded_at": at,
        "digest": key.digest,
        "state": InboundState.NEW,
        "sender": key.sender,
        "sender_key": key_of(key.sender),
        "message_id": key.message_id,
        "reason": AHEAD if key.ahead else "",
        "proven": False,
        "raw": mail.raw,
    }


def _recorded(row: Row[Any]) -> RecordedMail:
    return RecordedMail(**_known(row))


def _known(row: Row[Any]) -> dict[str, Any]:
    return {
        "id": row.id,
        "received_at": row.received_at,
        "recorded_at": row.recorded_at,
        "message_id": row.message_id,
        "digest": row.digest,
        "sender": row.sender,
        "state": InboundState(row.state),
        "reason": row.reason,
        "player": row.player_id,
        "topic": row.topic,
        "proven": row.proven,
    }


def _missing(inbound_id: int) -> str:
    return f"there is no received mail {inbound_id}"
