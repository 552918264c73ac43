"""UIDs of received mails: which a folder has given us, kept or not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import bindparam, select as columns_only
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.session import insert_into, run
from pbem.adapters.db.tables import InboundRow, ReadUntilRow
from pbem.ports.inbound import MailboxState

NONE_READ = -1
"""Mails of bots are numbered from 0, as their matches' histories are."""
AT_ONCE = 500
"""UIDs in one query: databases limit the parameters of a statement."""


def known_uids(session: Session, state: MailboxState, uids: Collection[int]) -> set[int]:
    """Those of the UIDs that are recorded, or are not above one that was pruned."""
    until = _read_until(session, state)
    found = {uid for uid in uids if 0 < uid <= until}
    newer = [uid for uid in uids if uid not in found]
    for start in range(0, len(newer), AT_ONCE):
        some = col(InboundRow.uid).in_(newer[start : start + AT_ONCE])
        found.update(session.exec(_recorded(state).where(some)))
    return found


def highest_uid(session: Session, state: MailboxState, before: datetime | None) -> int:
    """Return the largest UID that was recorded before a moment, 0 if there is none."""
    pruned = max(0, _read_until(session, state))
    if before is None:
        return pruned
    earlier = _recorded(state).where(col(InboundRow.recorded_at) < before)
    last = earlier.order_by(col(InboundRow.uid).desc()).limit(1)
    return max(session.exec(last).first() or 0, pruned)


def forget_uids(session: Session, highest: Mapping[MailboxState, int]) -> None:
    """Mails of some folders, up to a UID each, are pruned, and known all the same."""
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


def _recorded(state: MailboxState) -> SelectOfScalar[int]:
    return select(InboundRow.uid).where(
        col(InboundRow.folder) == state.folder, col(InboundRow.uidvalidity) == state.uidvalidity
    )


READ_UNTIL = columns_only(col(ReadUntilRow.uid)).where(
    col(ReadUntilRow.folder) == bindparam("its_folder"),
    col(ReadUntilRow.uidvalidity) == bindparam("its_uidvalidity"),
)
