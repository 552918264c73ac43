"""Received emails, how far each mailbox was read, and what is known of an email's origin."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any

import sqlalchemy as sa
from sqlalchemy import (
    ColumnElement,
    Executable,
    Label,
    Row,
    SelectBase,
    String,
    bindparam,
    exists,
    func,
    or_,
    select as columns_only,
    text,
)
from sqlmodel import Session, col, select, update
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.people import BY_ADDRESS, player_at
from pbem.adapters.db.session import (
    attempt,
    insert_into,
    locking,
    others_write,
    possible,
    require_writing,
    run,
    table_of,
)
from pbem.adapters.db.tables import AddressRow, FingerprintRow, InboundRow, ReadUntilRow
from pbem.adapters.db.types import key_of
from pbem.mail.topic import TopicKey
from pbem.ports.inbound import (
    AHEAD,
    ANSWERED,
    CHANGED,
    HELD,
    NOT_IN_VAIN,
    Attribution,
    InboundKey,
    InboundMail,
    InboundState,
    KeptMail,
    KeyedMail,
    MailboxState,
    MailFilter,
    NewEmail,
    Provenance,
    ReceivedMail,
    RecordedMail,
    in_line,
)
from pbem.ports.process import StorageError

TURN_LOCK = 7_236_501
"""Class of PostgreSQL's advisory locks that read one person's emails one after the other."""
TURN = text("""
    SELECT pg_advisory_xact_lock(:lock, hashtext(coalesce(
        (SELECT CAST(player_id AS TEXT) FROM addresses WHERE address_key = :whose), :whose)))
""")


class SqlInbound:
    """Received emails in SQL. Satisfies the port Inbound."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, mail: ReceivedMail, key: InboundKey, at: datetime) -> int | None:
        return self.add_all([KeyedMail(mail, key)], at)[0]

    def add_all(self, mails: Sequence[KeyedMail], at: datetime) -> list[int | None]:
        if not mails:
            return []
        once = (
            insert_into(self._session, InboundRow)
            .on_conflict_do_nothing(index_elements=["folder", "uidvalidity", "uid"])
            .returning(*_NUMBERED)
        )
        added = run(self._session, once, [_columns_of(each, at) for each in mails])
        ids = {(row.folder, row.uidvalidity, row.uid): row.id for row in added}
        return [ids.pop((mail.folder, mail.uidvalidity, mail.uid), None) for mail, _ in mails]

    def known(self, state: MailboxState, uids: Collection[int]) -> set[int]:
        return known_uids(self._session, state, uids)

    def highest(self, state: MailboxState, before: datetime | None) -> int:
        return highest_uid(self._session, state, before)

    def pending(self) -> list[int]:
        return in_line(NewEmail(row.id, row.ahead) for row in run(self._session, PENDING))

    def ahead(self, senders: Collection[str], since: datetime) -> Mapping[str, int]:
        keys = {each: key_of(each) for each in senders}
        if not keys:
            return {}
        rows = run(self._session, COUNT_AHEAD, {"keys": sorted(keys.values()), "since": since})
        counts = {row.sender_key: row.number for row in rows}
        return {each: counts.get(key, 0) for each, key in keys.items()}

    def waiting_since(self) -> datetime | None:
        found: datetime | None = run(self._session, WAITING_SINCE).scalar_one_or_none()
        return found

    def get(self, inbound_id: int) -> InboundMail:
        return self._one(inbound_id, MAIL)

    def lock(self, inbound_id: int) -> InboundMail:
        require_writing(self._session)
        return self._one(inbound_id, LOCKED_MAIL)

    def take_turns(self, key: str) -> None:
        if others_write(self._session):
            run(self._session, TURN, {"lock": TURN_LOCK, "whose": key_of(key)})

    def close(
        self,
        inbound_id: int,
        state: InboundState,
        reason: str = "",
        whose: Attribution | None = None,
    ) -> None:
        row = {"its_id": inbound_id, "state": state, "reason": reason}
        if whose is not None:
            row |= {"player_id": whose.player, "topic": whose.topic, "proven": whose.proven}
        unknown = f"there is no received mail {inbound_id}, or not its player"
        if attempt(self._session, THIS, row, unknown).rowcount == 0:
            raise StorageError(_missing(inbound_id))

    def shorten(self, inbound_id: int, raw: bytes) -> None:
        run(self._session, THIS, {"its_id": inbound_id, "raw": raw})

    def copies(self, mail: RecordedMail) -> list[RecordedMail]:
        rows = run(self._session, COPIES, {"its_digest": mail.digest, "its_id": mail.id})
        return list(map(_recorded, rows))

    def provenance(self, mail: RecordedMail, since: datetime) -> Provenance:
        return provenance_of(self._session, mail, since)

    def count_about(self, topic: TopicKey, before_id: int, since: datetime, *, proven: bool) -> int:
        values = {"key": topic, "since": since, "proven": proven, "its_id": before_id}
        return int(run(self._session, COUNT_BY_TOPIC, values).scalar_one())

    def reopen(self, recorded_until: datetime) -> list[int]:
        return sorted(run(self._session, REOPEN, {"until": recorded_until}).scalars())

    def kept_for(self, reason: str) -> list[KeptMail]:
        rows = run(self._session, KEPT_FOR, {"begins": reason})
        return [
            KeptMail(row.id, row.sender, row.reason, row.recorded_at, row.player_id) for row in rows
        ]

    def in_vain(self, address: str, before_id: int, since: datetime, *, proven: bool) -> int:
        values = {"key": key_of(address), "since": since, "proven": proven, "its_id": before_id}
        reasons = run(self._session, ANSWERED_BY_SENDER, values).scalars().all()
        in_vain = takewhile(lambda reason: reason != CHANGED, reasons)
        return sum(reason not in NOT_IN_VAIN for reason in in_vain)

    def heard(self, addresses: Collection[str], since: datetime) -> bool:
        query = select(InboundRow.id).where(
            col(InboundRow.sender_key).in_(map(key_of, addresses)),
            col(InboundRow.proven).is_(True),
            col(InboundRow.recorded_at) >= since,
            col(InboundRow.state).in_(ANSWERED),
        )
        return self._session.exec(query.limit(1)).one_or_none() is not None

    def recorded_since(self, moment: datetime) -> list[RecordedMail]:
        return self._those(col(InboundRow.recorded_at) >= moment)

    def in_state(self, state: InboundState) -> list[RecordedMail]:
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
        """Explain why an email does not exist."""
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
COUNT_AHEAD = (
    columns_only(col(InboundRow.sender_key), func.count().label("number"))
    .where(
        col(InboundRow.sender_key).in_(bindparam("keys", expanding=True)),
        col(InboundRow.proven).in_((True, False)),  # for the index
        col(InboundRow.recorded_at) >= bindparam("since"),
        or_(col(InboundRow.proven), _GOES_AHEAD),
    )
    .group_by(col(InboundRow.sender_key))
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


NONE_READ = -1
"""Bots' emails are numbered from 0, as the histories of their matches are."""
AT_ONCE = 500
"""UIDs per query, since databases limit the parameters of a statement."""


def known_uids(session: Session, state: MailboxState, uids: Collection[int]) -> set[int]:
    """Return the UIDs that are recorded, or that are not above a pruned one."""
    until = _read_until(session, state)
    found = {uid for uid in uids if 0 < uid <= until}
    newer = [uid for uid in uids if uid not in found]
    for start in range(0, len(newer), AT_ONCE):
        some = col(InboundRow.uid).in_(newer[start : start + AT_ONCE])
        found.update(session.exec(_uids_recorded(state).where(some)))
    return found


def highest_uid(session: Session, state: MailboxState, before: datetime | None) -> int:
    """Return the largest UID recorded before a moment, 0 if there is none."""
    pruned = max(0, _read_until(session, state))
    if before is None:
        return pruned
    earlier = _uids_recorded(state).where(col(InboundRow.recorded_at) < before)
    last = earlier.order_by(col(InboundRow.uid).desc()).limit(1)
    return max(session.exec(last).first() or 0, pruned)


def forget_uids(session: Session, highest: Mapping[MailboxState, int]) -> None:
    """Remember the highest pruned UID of each folder, so that pruned emails stay known."""
    for (folder, uidvalidity), uid in highest.items():
        row = insert_into(session, ReadUntilRow).values(
            folder=folder, uidvalidity=uidvalidity, uid=uid
        )
        larger = col(ReadUntilRow.uid) < row.excluded.uid
        session.exec(
            row.on_conflict_do_update(
                index_elements=["folder", "uidvalidity"],
                set_={"uid": row.excluded.uid},
                where=larger,
            )
        )


def _read_until(session: Session, state: MailboxState) -> int:
    place = {"its_folder": state.folder, "its_uidvalidity": state.uidvalidity}
    found: int | None = run(session, READ_UNTIL, place).scalar_one_or_none()
    return NONE_READ if found is None else found


def _uids_recorded(state: MailboxState) -> SelectOfScalar[int]:
    return select(InboundRow.uid).where(
        col(InboundRow.folder) == state.folder, col(InboundRow.uidvalidity) == state.uidvalidity
    )


READ_UNTIL = columns_only(col(ReadUntilRow.uid)).where(
    col(ReadUntilRow.folder) == bindparam("its_folder"),
    col(ReadUntilRow.uidvalidity) == bindparam("its_uidvalidity"),
)


WITHOUT_BYTES = sa.select(*(each for each in table_of(InboundRow).c if each.name != "raw"))
"""All columns but the bytes, which would fill the memory if there are many emails."""


def newest_mails(session: Session, wanted: MailFilter, limit: int) -> Iterable[Row[Any]]:
    """Return the rows of the emails that match a filter, newest first."""
    query = WITHOUT_BYTES.where(*_conditions(wanted))
    return session.connection().execute(query.order_by(col(InboundRow.id).desc()).limit(limit))


def _conditions(wanted: MailFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.player is not None:
        keys = [key_of(address) for address in wanted.player.addresses]
        conditions.append(
            or_(
                col(InboundRow.player_id) == wanted.player.id,
                col(InboundRow.sender_key).in_(keys),
            )
        )
    if wanted.topic is not None:
        conditions.append(col(InboundRow.topic) == wanted.topic)
    if wanted.state is not None:
        conditions.append(col(InboundRow.state) == wanted.state)
    if wanted.since is not None:
        conditions.append(col(InboundRow.received_at) >= wanted.since)
    return conditions


def provenance_of(session: Session, mail: RecordedMail, since: datetime) -> Provenance:
    """Return the owner of an email's address, and the counts of earlier emails."""
    values = {
        "its_id": mail.id,
        "its_digest": mail.digest,
        "its_fingerprint": fingerprint_of(mail.message_id, mail.digest),
        "its_address": key_of(mail.sender),
        "since": since,
    }
    addresses = run(session, OF_MEMBER, values).all()
    player = player_at(mail.sender, addresses)
    found = addresses[0] if player else run(session, OF_STRANGER, values).one()
    return Provenance(player, found.pruned, found.copied, found.mails_proven, found.mails_unproven)


_IS_OLDER = col(InboundRow.id) < bindparam("its_id")
_IS_COPY = col(InboundRow.digest) == bindparam("its_digest")
_COUNT = sa.select(func.count()).where(
    col(InboundRow.recorded_at) >= bindparam("since"),
    col(InboundRow.state) != InboundState.DUPLICATE,  # read twice and not answered
    col(InboundRow.reason) != CHANGED,
    _IS_OLDER,
)
_SENDER = sa.select(bindparam("its_address", type_=String))
_SAME_PERSON = sa.select(col(AddressRow.address_key)).where(
    col(AddressRow.player_id)
    == sa.select(col(AddressRow.player_id))
    .where(col(AddressRow.address_key) == bindparam("its_address"))
    .scalar_subquery()
)


def _before(senders: SelectBase) -> Iterator[Label[Any]]:
    """Yield columns for earlier copies, and counts of the senders' earlier emails."""
    known = exists().where(col(FingerprintRow.fingerprint) == bindparam("its_fingerprint"))
    yield known.label("pruned")
    yield exists().where(_IS_COPY, _IS_OLDER).label("copied")
    for name, proven, of in (("mails_proven", True, senders), ("mails_unproven", False, _SENDER)):
        theirs = col(InboundRow.proven).is_(proven), col(InboundRow.sender_key).in_(of)
        yield _COUNT.where(*theirs).scalar_subquery().label(name)


OF_MEMBER = BY_ADDRESS.add_columns(*_before(_SAME_PERSON))
"""One row for each address of the player."""
OF_STRANGER = sa.select(*_before(_SENDER))
COPIES = WITHOUT_BYTES.where(_IS_COPY, _IS_OLDER).order_by(col(InboundRow.id))
COUNT_BY_TOPIC = _COUNT.where(
    col(InboundRow.topic) == bindparam("key"), col(InboundRow.proven) == bindparam("proven")
)
ANSWERED_BY_SENDER = (
    sa.select(col(InboundRow.reason))
    .where(
        col(InboundRow.sender_key) == bindparam("key"),
        col(InboundRow.proven) == bindparam("proven"),
        col(InboundRow.recorded_at) >= bindparam("since"),
        col(InboundRow.state).in_(ANSWERED),
        _IS_OLDER,
    )
    .order_by(col(InboundRow.id).desc())
)


BYTES = 8


def fingerprint_of(message_id: str, digest: str) -> int:
    """Return the fingerprint of an email: a signed 64-bit number, as databases store it."""
    hashed = hashlib.sha256(f"{message_id}\0{digest}".encode(errors="replace")).digest()
    return int.from_bytes(hashed[:BYTES], signed=True)
