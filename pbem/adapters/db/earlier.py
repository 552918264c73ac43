"""What came before a mail: all that is asked of it for each mail, in one statement."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String, bindparam, exists, func, select
from sqlmodel import Session, col

from pbem.adapters.db.fingerprints import fingerprint_of
from pbem.adapters.db.session import run, table_of
from pbem.adapters.db.tables import AddressRow, FingerprintRow, InboundRow
from pbem.adapters.db.types import key_of
from pbem.matches.match import PlayerId
from pbem.service.ports import ANSWERED, CHANGED, Earlier, InboundMail, InboundState


def earlier_than(
    session: Session, mail: InboundMail, player: PlayerId | None, since: datetime
) -> Earlier:
    """What came before a mail from an address of a player, or of nobody."""
    values = {
        "its_id": mail.id,
        "its_digest": mail.digest,
        "its_fingerprint": fingerprint_of(mail.message_id, mail.digest),
        "its_sender": key_of(mail.sender),
        "its_player": player,
        "since": since,
    }
    found = run(session, EARLIER, values).one()
    return Earlier(found.pruned, found.copied, found.proven_before, found.unproven_before)


_IS_OLDER = col(InboundRow.id) < bindparam("its_id")
_IS_COPY = col(InboundRow.digest) == bindparam("its_digest")
_COUNT = select(func.count()).where(
    col(InboundRow.recorded_at) >= bindparam("since"),
    col(InboundRow.state) != InboundState.DUPLICATE,  # handed out again, and not answered
    col(InboundRow.reason) != CHANGED,
    _IS_OLDER,
)
_SENDER = select(bindparam("its_sender", type_=String))
_THEIRS = select(col(AddressRow.address_key)).where(
    col(AddressRow.player_id) == bindparam("its_player")
)
_PROVEN = col(InboundRow.proven).is_(True), col(InboundRow.sender_key).in_(_SENDER.union(_THEIRS))
_UNPROVEN = col(InboundRow.proven).is_(False), col(InboundRow.sender_key).in_(_SENDER)

EARLIER = select(
    exists().where(col(FingerprintRow.fingerprint) == bindparam("its_fingerprint")).label("pruned"),
    exists().where(_IS_COPY, _IS_OLDER).label("copied"),
    _COUNT.where(*_PROVEN).scalar_subquery().label("proven_before"),
    _COUNT.where(*_UNPROVEN).scalar_subquery().label("unproven_before"),
)
COPIES = select(*table_of(InboundRow).c).where(_IS_COPY, _IS_OLDER).order_by(col(InboundRow.id))
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
