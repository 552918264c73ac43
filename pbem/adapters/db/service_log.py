"""When the service was last alive, and the stored times that move with outages."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import ColumnElement, bindparam
from sqlmodel import Session, col, delete, select, update

from pbem.adapters.db.session import (
    insert_into,
    locked,
    locking,
    others_write,
    require_writing,
    run,
    table_of,
)
from pbem.adapters.db.tables import (
    AbsenceRow,
    AddressRow,
    DatabaseRow,
    DigestRow,
    InboundRow,
    MatchRow,
    OfferRow,
    OutboxRow,
    PauseRow,
    PlayerRow,
    QuestionRow,
    ServiceRow,
    WaitingNewsRow,
)
from pbem.matches.clock import OUTAGE
from pbem.ports.storage import FIRST_INTAKE, FailedBot, Failures

BEAT = "beat"
POLL = "poll"
BACKUP = "backup"
BACKUP_TEST = "backup test"
HELD = "held"
WEBHOOK = "webhook"
KEPT = "kept"
TEMPLATE = "template "
BOT_FIRST, BOT_LAST = "bot first ", "bot last "


class SqlServiceLog:
    """The service log in SQL. Satisfies the port ServiceLog."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._alone = not session.info["writing"] or not others_write(session)
        self._moments: Mapping[str, datetime] | None = None
        """All of them, if nobody else can change them during this transaction."""

    def last_beat(self) -> datetime | None:
        return self._at(BEAT)

    def lock(self) -> datetime | None:
        require_writing(self._session)
        return run(self._session, LOCKED_MOMENT, {"its_name": BEAT}).scalar_one_or_none()

    def beat(self, at: datetime) -> None:
        self._put(BEAT, at)

    def last_poll(self, intakes: Collection[str] = (FIRST_INTAKE,)) -> datetime | None:
        moments = [self._at(_poll_of(each)) for each in intakes]
        known = [each for each in moments if each is not None]
        return min(known) if known and len(known) == len(moments) else None

    def polled(self, at: datetime, intake: str = FIRST_INTAKE) -> None:
        self._put(_poll_of(intake), at)

    def last_backup(self) -> datetime | None:
        return self._at(BACKUP)

    def backed_up(self, at: datetime) -> None:
        self._put(BACKUP, at)

    def last_backup_test(self) -> datetime | None:
        return self._at(BACKUP_TEST)

    def backup_tested(self, at: datetime) -> None:
        self._put(BACKUP_TEST, at)

    def kept_from(self) -> datetime | None:
        return self._at(KEPT)

    def keep_from(self, at: datetime) -> None:
        self._put(KEPT, at)

    def template_failed(self, template: str, at: datetime) -> None:
        self._put(TEMPLATE + template, at)

    def failed_templates(self, since: datetime) -> Mapping[str, datetime]:
        named = col(ServiceRow.name).startswith(TEMPLATE, autoescape=True)
        rows = self._session.exec(
            select(ServiceRow)
            .where(named, col(ServiceRow.at) >= since)
            .order_by(col(ServiceRow.name))
        )
        return {row.name.removeprefix(TEMPLATE): row.at for row in rows}

    def bot_failed(self, bot: str, match_id: int, at: datetime) -> None:
        named = f"{match_id} {bot}"
        if self._at(BOT_FIRST + named) is None:
            self._put(BOT_FIRST + named, at)
        self._put(BOT_LAST + named, at)

    def failed_bots(self) -> Mapping[FailedBot, Failures]:
        moments, failed = self._all(), dict[FailedBot, Failures]()
        for name in sorted(moments):
            if name.startswith(BOT_FIRST):
                match_id, _, bot = (named := name.removeprefix(BOT_FIRST)).partition(" ")
                times = Failures(moments[name], moments[BOT_LAST + named])
                failed[FailedBot(bot, int(match_id))] = times
        return failed

    def bot_works(self, bot: str, match_id: int) -> None:
        self._moments = None
        names = [f"{each}{match_id} {bot}" for each in (BOT_FIRST, BOT_LAST)]
        self._session.exec(delete(ServiceRow).where(col(ServiceRow.name).in_(names)))

    def webhook_fails_since(self) -> datetime | None:
        return self._at(WEBHOOK)

    def webhook_failed(self, at: datetime) -> None:
        if self._at(WEBHOOK) is None:
            self._put(WEBHOOK, at)

    def webhook_works(self) -> None:
        self._moments = None
        self._session.exec(delete(ServiceRow).where(col(ServiceRow.name) == WEBHOOK))

    def held_since(self) -> datetime | None:
        return self._at(HELD)

    def hold(self, at: datetime) -> None:
        self._put(HELD, at)

    def go_on(self) -> None:
        self._moments = None
        self._session.exec(delete(ServiceRow).where(col(ServiceRow.name) == HELD))

    def set_back(self, by: timedelta, now: datetime) -> None:
        self._moments = None
        set_back(self._session, by, now)
        beat = update(ServiceRow).where(col(ServiceRow.name) == BEAT, col(ServiceRow.at) > now)
        self._session.exec(beat.values(at=now))

    def _at(self, name: str) -> datetime | None:
        return self._all().get(name)

    def _all(self) -> Mapping[str, datetime]:
        moments = self._moments
        if moments is None:
            moments = {row.name: row.at for row in run(self._session, MOMENTS)}
            if self._alone:
                self._moments = moments
        return moments

    def _put(self, name: str, at: datetime) -> None:
        self._moments = None
        row = insert_into(self._session, ServiceRow).values(name=name, at=at)
        newer = col(ServiceRow.at) < row.excluded.at
        self._session.exec(
            row.on_conflict_do_update(
                index_elements=["name"], set_={"at": row.excluded.at}, where=newer
            )
        )


def _poll_of(intake: str) -> str:
    return f"{POLL} {intake}".strip()


MOMENTS = sa.select(col(ServiceRow.name), col(ServiceRow.at))
LOCKED_MOMENT = locking(
    sa.select(col(ServiceRow.at)).where(col(ServiceRow.name) == bindparam("its_name"))
)


LATEST = datetime.max.replace(tzinfo=UTC)


def move(
    session: Session,
    row: type[DatabaseRow],
    column: str,
    by: timedelta,
    *conditions: ColumnElement[bool],
    latest: datetime = LATEST,
) -> int:
    """Move the times in a column, at most to `latest`. Return how many.

    Works row by row, since SQLite has no arithmetic for times, and in a fixed order, so that two
    transactions never deadlock.
    """
    table = table_of(row)
    keys = [each for each in table.c if each.primary_key]
    query = sa.select(*keys, table.c[column].label("moment")).where(
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
    """Move every open time back, except in clocks, and cap those that must not be in the future.

    Later ones come from an unnoticed clock jump. Waiting emails are due at once in any case. The
    tables are in the usual order of locking: emails, matches, then the rest.
    """
    waits, soon = col(OutboxRow.closed_at).is_(None), now + OUTAGE
    for row, column, latest, conditions in (
        (InboundRow, "recorded_at", now, (col(InboundRow.recorded_at) > now,)),
        (QuestionRow, "expires_at", LATEST, ()),
        (OfferRow, "expires_at", LATEST, (col(OfferRow.state) == "stands",)),
        (MatchRow, "turn_started_at", now, (col(MatchRow.ended_at).is_(None),)),
        (OutboxRow, "queued_at", now, (col(OutboxRow.queued_at) > now,)),
        (OutboxRow, "next_attempt_at", now, (waits, col(OutboxRow.next_attempt_at) > now)),
        # Claims made since then end before this.
        (OutboxRow, "claimed_until", soon, (waits, col(OutboxRow.claimed_until) > soon)),
        (OutboxRow, "tried_at", now, (col(OutboxRow.tried_at) > now,)),
        (PlayerRow, "joined_at", now, (col(PlayerRow.joined_at) > now,)),
        (AddressRow, "failed_at", now, (col(AddressRow.failed_at) > now,)),
        (AddressRow, "works_since", now, (col(AddressRow.works_since) > now,)),
        (AddressRow, "added_at", now, (col(AddressRow.added_at) > now,)),
        (AbsenceRow, "at", now, (col(AbsenceRow.at) > now,)),
        (PauseRow, "start", now, (col(PauseRow.start) > now,)),
        (DigestRow, "at", now, (col(DigestRow.at) > now,)),
        (WaitingNewsRow, "due_at", LATEST, ()),
        (WaitingNewsRow, "safe_until", LATEST, ()),
        (ServiceRow, "at", now, (col(ServiceRow.name) != "beat",)),
    ):
        move(session, row, column, -by, *conditions, latest=latest)
    ahead = update(OutboxRow).where(waits, col(OutboxRow.line) > int(now.timestamp()))
    session.exec(ahead.values(line=int(now.timestamp())))
