"""Storage: transactions over all repositories, and the clock of the database server."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from threading import Condition, get_ident

from sqlalchemy import Connection, Engine, func, select
from sqlmodel import Session

from pbem.adapters.db.competitions import (
    SqlBlocks,
    SqlCompetitions,
    SqlDeadlines,
    SqlDecisions,
    SqlMutes,
    SqlOffers,
)
from pbem.adapters.db.digests import SqlDigests, SqlWaitingNews
from pbem.adapters.db.engine import (
    LOCK_WAIT,
    explained,
    file_of,
    lost,
    mark,
    open_engine,
    readers,
    traces,
    unusable,
    wiped,
    writers,
)
from pbem.adapters.db.erasures import SqlErasures
from pbem.adapters.db.imported import SqlImported
from pbem.adapters.db.inbound import SqlInbound
from pbem.adapters.db.matches import SqlMatches, SqlNotes, SqlPauses, SqlSnapshots, SqlWaitingNotes
from pbem.adapters.db.migrate import MovedFile, upgrade
from pbem.adapters.db.outbox import SqlOutbox
from pbem.adapters.db.outbox_line import SqlTallies
from pbem.adapters.db.people import (
    SqlAbsences,
    SqlInvitedMailboxes,
    SqlLeaves,
    SqlPlayers,
    SqlQuestions,
)
from pbem.adapters.db.plans import SqlPlans
from pbem.adapters.db.ratings import SqlRatings
from pbem.adapters.db.retention import SqlExposures, SqlRetention
from pbem.adapters.db.room import SqlShownMatches, SqlStalePages
from pbem.adapters.db.schema import KnownSchema, schema_of
from pbem.adapters.db.service_log import SqlServiceLog
from pbem.adapters.db.watches import SqlAnnouncements, SqlWatches
from pbem.ports.process import JobQueue, Jobs, WantedJob
from pbem.ports.storage import UnitOfWork


def unit_of_work(session: Session, queue: JobQueue | None = None) -> UnitOfWork:
    """Return the repositories of one transaction."""
    players = SqlPlayers(session)
    return UnitOfWork(
        players=players,
        absences=SqlAbsences(session),
        leaves=SqlLeaves(session),
        matches=SqlMatches(session, players),
        competitions=SqlCompetitions(session),
        offers=SqlOffers(session),
        blocks=SqlBlocks(session),
        mutes=SqlMutes(session),
        invited=SqlInvitedMailboxes(session),
        inbound=SqlInbound(session),
        outbox=SqlOutbox(session),
        questions=SqlQuestions(session),
        exposures=SqlExposures(session),
        erasures=SqlErasures(session, players.look_again),
        retention=SqlRetention(session),
        deadlines=SqlDeadlines(session),
        decisions=SqlDecisions(session),
        pauses=SqlPauses(session),
        plans=SqlPlans(session),
        digests=SqlDigests(session),
        waiting_news=SqlWaitingNews(session),
        snapshots=SqlSnapshots(session),
        notes=SqlNotes(session),
        waiting_notes=SqlWaitingNotes(session),
        imported=SqlImported(session),
        ratings=SqlRatings(session),
        shown=SqlShownMatches(session),
        stale=SqlStalePages(session),
        watches=SqlWatches(session),
        announcements=SqlAnnouncements(session),
        service=SqlServiceLog(session),
        tallies=SqlTallies(session, queue),
        jobs=Jobs(queued=queue is not None),
    )


class SqlStorage:
    """Storage in SQL. Satisfies the port Storage."""

    def __init__(
        self, engine: Engine, jobs: JobQueue | None = None, schema: KnownSchema | None = None
    ) -> None:
        self._engine = engine
        self._jobs = jobs
        self._schema = schema
        self._wake: Callable[[str], None] = lambda job: None
        self._writers = writers(engine)
        self._readers = readers(engine)
        # A server allows many writers at once and detects deadlocks.
        self._in_turn = OneByOne().turn if engine.dialect.name == "sqlite" else nullcontext

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        with (
            explained(),
            self._in_turn(),
            _session(self._writers, writing=True) as session,
            session.begin(),
        ):
            # Begins here, so that SQLite's write lock is held before anything is read.
            self._require_schema(session.connection())
            uow = unit_of_work(session, self._jobs)
            yield uow
            self._queue(session, uow.jobs.wanted)
        uow.jobs.tell(self._wake)

    @contextmanager
    def reading(self) -> Iterator[UnitOfWork]:
        with explained(), _session(self._readers, writing=False) as session:
            self._require_schema(session.connection(), one_moment=True)
            yield unit_of_work(session, self._jobs)

    def _require_schema(self, connection: Connection, *, one_moment: bool = False) -> None:
        if self._schema is not None:
            self._schema.require(connection, one_moment=one_moment)

    def _queue(self, session: Session, jobs: Sequence[WantedJob]) -> None:
        if self._jobs is not None and jobs:
            self._jobs.put(session.connection().connection.driver_connection, jobs)

    def wake_by(self, wake: Callable[[str], None]) -> None:
        self._wake = wake

    @property
    def clock(self) -> DatabaseClock:
        """Return the clock of the database server. Only PostgreSQL has one."""
        return DatabaseClock(self._readers)

    def wipe(self) -> bool:
        if self._engine.dialect.name != "sqlite":
            return True
        with explained():
            return wiped(self._writers)

    def close(self) -> None:
        self._engine.dispose()


def _session(engine: Engine, *, writing: bool) -> Session:
    return Session(
        engine,
        info={"writing": writing},
        # Re-read what other workers may have changed before a lock was obtained.
        execution_options={"populate_existing": True, "synchronize_session": False},
    )


def open_storage(url: str, records: Path | None = None, jobs: JobQueue | None = None) -> SqlStorage:
    """Open the storage of a URL. Raises StorageUnavailable, SchemaDiffers if the schema differs.

    Jobs go into a queue in the same database, if there is one. An empty database gets the schema,
    unless records or other files show that there was one before.
    """
    engine, path = open_engine(url), file_of(url)
    try:
        if path is not None:
            MovedFile(path).require_unmoved()
        schema = schema_of(engine)
        schema.require_known()
        if schema.is_empty:
            # Another process may be creating it right now. Then there are traces, but it is not
            # empty.
            if (left := traces(path, records)) and schema_of(engine).is_empty:
                raise lost(path, left)
            upgrade(engine)
        if path is not None:
            mark(path)
    except BaseException:
        engine.dispose()
        raise
    return SqlStorage(engine, jobs, KnownSchema(schema.known))


class OneByOne:
    """A queue of threads, of which only the first may write."""

    def __init__(self) -> None:
        self._line: deque[int] = deque()
        self._moved = Condition()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Open a block for one thread at a time. Raises StorageUnavailable."""
        me = get_ident()
        self._line.append(me)
        try:
            with self._moved:
                if not self._moved.wait_for(lambda: self._line[0] == me, LOCK_WAIT):
                    raise unusable("database is locked")
            yield
        finally:
            with self._moved:
                self._line.remove(me)
                self._moved.notify_all()


class DatabaseClock:
    """PostgreSQL's current time. Satisfies `ports.Clock`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def now(self) -> datetime:
        with explained(), self._engine.connect() as connection:
            now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
        return now.astimezone(UTC)
