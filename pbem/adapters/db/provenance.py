"""Where an email comes from: whose address, what came before it, and its fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Label, SelectBase, String, bindparam, exists, func, select
from sqlmodel import Session, col

from pbem.adapters.db.mail_list import WITHOUT_BYTES
from pbem.adapters.db.players import BY_ADDRESS, player_at
from pbem.adapters.db.session import run
from pbem.adapters.db.tables import AddressRow, FingerprintRow, InboundRow
from pbem.adapters.db.types import key_of
from pbem.ports.inbound import ANSWERED, CHANGED, InboundState, Provenance, RecordedMail


def provenance_of(session: Session, mail: RecordedMail, since: datetime) -> Provenance:
    """Whose address a mail came from, and what came before it."""
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
_COUNT = select(func.count()).where(
    col(InboundRow.recorded_at) >= bindparam("since"),
    col(InboundRow.state) != InboundState.DUPLICATE,  # handed out again, and not answered
    col(InboundRow.reason) != CHANGED,
    _IS_OLDER,
)
_SENDER = select(bindparam("its_address", type_=String))
_SAME_PERSON = select(col(AddressRow.address_key)).where(
    col(AddressRow.player_id)
    == select(col(AddressRow.player_id))
    .where(col(AddressRow.address_key) == bindparam("its_address"))
    .scalar_subquery()
)


def _before(senders: SelectBase) -> Iterator[Label[Any]]:
    """Columns with what came before, and how many proven mails of some senders."""
    known = exists().where(col(FingerprintRow.fingerprint) == bindparam("its_fingerprint"))
    yield known.label("pruned")
    yield exists().where(_IS_COPY, _IS_OLDER).label("copied")
    for name, proven, of in (("mails_proven", True, senders), ("mails_unproven", False, _SENDER)):
        theirs = col(InboundRow.proven).is_(proven), col(InboundRow.sender_key).in_(of)
        yield _COUNT.where(*theirs).scalar_subquery().label(name)


OF_MEMBER = BY_ADDRESS.add_columns(*_before(_SAME_PERSON))
"""A row for each address of the player."""
OF_STRANGER = select(*_before(_SENDER))
COPIES = WITHOUT_BYTES.where(_IS_COPY, _IS_OLDER).order_by(col(InboundRow.id))
COUNT_BY_TOPIC = _COUNT.where(
    col(InboundRow.topic) == bindparam("key"), col(InboundRow.proven) == bindparam("proven")
)
ANSWERED_BY_SENDER = (
    select(col(InboundRow.reason))
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
    """That of a mail; a signed number, as databases have them."""
    hashed = hashlib.sha256(f"{message_id}\0{digest}".encode(errors="replace")).digest()
    return int.from_bytes(hashed[:BYTES], signed=True)
