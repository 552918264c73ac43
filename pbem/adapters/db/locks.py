"""Locks of PostgreSQL, waited for in one order by whoever can begin anew.

A lock that comes before one that is held is taken only if it is free. So whoever waits holds
nothing but what comes before: no two wait for each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from zlib import crc32

from sqlalchemy import Executable, Select, bindparam, select as columns_only, text
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col

from pbem.adapters.db.session import run
from pbem.adapters.db.tables import CompetitionRow, InboundRow, MatchRow, OfferRow, PlayerRow, Row
from pbem.service.ports import Lock, LockKind, OutOfOrder

TURN_LOCK = 7_236_501
"""Advisory locks of PostgreSQL: the mails of one person are read one after the other."""
TURN = text("SELECT pg_advisory_xact_lock(:lock, :whose)")
TURN_IF_FREE = text("SELECT pg_try_advisory_xact_lock(:lock, :whose)")
NOT_AVAILABLE = "55P03"
HELD = "pbem_locks"


class SqlLocks:
    """The port Locks."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def keep_order(self, first: Collection[Lock] = ()) -> None:
        """Takes some locks in order; after that OutOfOrder is raised rather than wait for one that
        comes before another that is held."""
        if self._session.get_bind().dialect.name != "postgresql":
            return
        held: set[Lock] = self._session.info.setdefault(HELD, set())
        for kind, locks in groupby(sorted(first), key=lambda lock: lock.kind):
            numbers = [lock.number for lock in locks]
            if kind is LockKind.SENDER:
                for number in numbers:
                    take_turn(self._session, number)
            else:
                run(self._session, ROWS[kind], {"numbers": numbers}).all()
        held.update(first)


def turn_of(key: str) -> int:
    """The number by which somebody's turn is known; two may share one, and wait then."""
    return crc32(key.encode()) - 2**31


def take_turn(session: Session, number: int) -> None:
    """Waits for the turn of somebody."""
    run(session, TURN, {"lock": TURN_LOCK, "whose": number})


def keeps_order(session: Session) -> bool:
    """Whether a unit of work waits in order, and is begun anew where it cannot."""
    return HELD in session.info


def in_order(session: Session, kind: LockKind, numbers: Iterable[int]) -> None:
    """To be asked before locks are waited for; raises OutOfOrder.

    Of a unit of work that does not keep the order, nothing is known and nothing asked.
    """
    if not keeps_order(session):
        return
    held: set[Lock] = session.info[HELD]
    wanted = {Lock(kind, number) for number in numbers} - held
    if wanted and held and min(wanted) < max(held) and not _are_free(session, kind, wanted):
        raise OutOfOrder(held | wanted)
    held |= wanted


def _are_free(session: Session, kind: LockKind, wanted: Collection[Lock]) -> bool:
    """Whether locks could be had at once; they are held then."""
    numbers = sorted(lock.number for lock in wanted)
    if kind is LockKind.SENDER:
        tried = ({"lock": TURN_LOCK, "whose": number} for number in numbers)
        return all(run(session, TURN_IF_FREE, each).scalar_one() for each in tried)
    try:
        run(session, ROWS_IF_FREE[kind], {"numbers": numbers}).all()
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", "") == NOT_AVAILABLE:
            return False
        raise
    return True


def _rows_of(row: type[Row]) -> Select[tuple[int]]:
    ids = col(getattr(row, "id"))  # noqa: B009  every one of these tables has one
    return columns_only(ids).where(ids.in_(bindparam("numbers", expanding=True))).order_by(ids)


TABLES: Mapping[LockKind, type[Row]] = {
    LockKind.MAIL: InboundRow,
    LockKind.OFFER: OfferRow,
    LockKind.MATCH: MatchRow,
    LockKind.COMPETITION: CompetitionRow,
    LockKind.PLAYER: PlayerRow,
}
ROWS: Mapping[LockKind, Executable] = {
    kind: _rows_of(row).with_for_update(key_share=True) for kind, row in TABLES.items()
}
ROWS_IF_FREE: Mapping[LockKind, Executable] = {
    kind: _rows_of(row).with_for_update(key_share=True, nowait=True) for kind, row in TABLES.items()
}
