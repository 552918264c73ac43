"""Moments: what is stored of time, moved as a whole where the clock has gone back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, bindparam, select
from sqlmodel import Session, col, update

from pbem.adapters.db.session import locked, table_of
from pbem.adapters.db.tables import (
    AbsenceRow,
    AddressRow,
    InboundRow,
    MatchRow,
    OfferRow,
    OutboxRow,
    PauseRow,
    QuestionRow,
    Row,
    ServiceRow,
)
from pbem.matches.outage import OUTAGE

LATEST = datetime.max.replace(tzinfo=UTC)


def move(
    session: Session,
    row: type[Row],
    column: str,
    by: timedelta,
    *conditions: ColumnElement[bool],
    latest: datetime = LATEST,
) -> int:
    """Moves the moments of a column, none past the latest that can be; returns how many.

    Row by row, since SQLite has no arithmetic for moments, and always in one order, lest two wait
    for each other.
    """
    table = table_of(row)
    keys = [each for each in table.c if each.primary_key]
    query = select(*keys, table.c[column].label("moment")).where(
        table.c[column].is_not(None), *conditions
    )
    found = session.connection().execute(locked(session, query.order_by(*keys))).all()
    if found:
        this = (each == bindparam(f"its_{each.name}") for each in keys)
        moved = update(row).where(*this).values({column: bindparam("then")})
        names = [f"its_{each.name}" for each in keys]
        session.connection().execute(
            moved,
            [
                {**dict(zip(names, each, strict=False)), "then": min(each.moment + by, latest)}
                for each in found
            ],
        )
    return len(found)


def set_back(session: Session, by: timedelta, now: datetime) -> None:
    """Takes every moment of what goes on back, clocks aside, and what has been later than now.

    What is still later then was dated in a jump ahead that nobody has noticed; waiting mail is due
    at once in any case.
    In the order in which everybody locks: mails, matches, what hangs on them.
    """
    waits, soon = col(OutboxRow.closed_at).is_(None), now + OUTAGE
    for row, column, latest, conditions in (
        (InboundRow, "recorded_at", now, (col(InboundRow.recorded_at) > now,)),
        (QuestionRow, "expires_at", LATEST, ()),
        (OfferRow, "expires_at", LATEST, (col(OfferRow.state) == "stands",)),
        (MatchRow, "turn_started_at", now, (col(MatchRow.ended_at).is_(None),)),
        (OutboxRow, "queued_at", now, (col(OutboxRow.queued_at) > now,)),
        (OutboxRow, "next_attempt_at", now, (waits, col(OutboxRow.next_attempt_at) > now)),
        # What was claimed since is held for less than that.
        (OutboxRow, "claimed_until", soon, (waits, col(OutboxRow.claimed_until) > soon)),
        (OutboxRow, "tried_at", now, (col(OutboxRow.tried_at) > now,)),
        (AddressRow, "failed_at", now, (col(AddressRow.failed_at) > now,)),
        (AddressRow, "works_since", now, (col(AddressRow.works_since) > now,)),
        (AddressRow, "added_at", now, (col(AddressRow.added_at) > now,)),
        (AbsenceRow, "at", now, (col(AbsenceRow.at) > now,)),
        (PauseRow, "start", now, (col(PauseRow.start) > now,)),
        (ServiceRow, "at", now, (col(ServiceRow.name) != "beat",)),
    ):
        move(session, row, column, -by, *conditions, latest=latest)
    ahead = update(OutboxRow).where(waits, col(OutboxRow.line) > int(now.timestamp()))
    session.exec(ahead.values(line=int(now.timestamp())))
