"""The job queue: jobs commit with their work, keep their order, and are never lost."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from queue import Empty, Queue

import psycopg
import pytest
import structlog

from pbem.adapters.db.engine import connection_words
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.adapters.job_queue import KINDS, QUEUES, JobRunner, ProcrastinateQueue, runner
from pbem.cli.logs import log_to_stderr
from pbem.ports.process import JobTally, WantedJob
from tests.support.stored import T0

pytestmark = pytest.mark.servers

PATIENCE_S = 60.0
OWN = ("stalled", "forgotten")
"""Periodic jobs of the queue itself."""


class Workshop:
    """A worker whose jobs report when they are done. Jobs of held rows wait to be released."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.done: Queue[tuple[str, int | None, int]] = Queue()
        self.begun: Queue[int] = Queue()
        self.looked: Queue[str] = Queue()
        self.held: dict[int, threading.Event] = {}
        self.trouble: dict[int, Exception] = {}
        self.in_line: Queue[set[int]] = Queue()

    @contextmanager
    def at_work(self, concurrency: int = 2, queues: Collection[str] = QUEUES) -> Iterator[None]:
        """Run the worker during a block."""
        stop = threading.Event()
        jobs = {name: self._job(name) for name in KINDS if name not in OWN}
        words = connection_words(self.url)
        worker = JobRunner(words, jobs, self._forgotten, list(queues), concurrency)
        thread = threading.Thread(target=worker.run_until, args=(stop,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            for event in self.held.values():
                event.set()
            stop.set()
            thread.join(PATIENCE_S)
            assert not thread.is_alive()

    def _job(self, name: str) -> Callable[[int | None, int], None]:
        def run(row: int | None, deaths: int) -> None:
            if row is None:
                self.looked.put(name)
                return
            self.begun.put(row)
            if row in self.trouble:
                raise self.trouble[row]
            if row in self.held:
                self.held[row].wait(PATIENCE_S)
            self.done.put((name, row, deaths))

        return run

    def _forgotten(self, rows: Collection[int]) -> None:
        self.in_line.put(set(rows))

    def rows_done(self, count: int) -> list[int | None]:
        """Return the next rows that are done."""
        return [self.done.get(timeout=PATIENCE_S)[1] for _ in range(count)]


@pytest.fixture
def storage(postgresql_url: str) -> Iterator[SqlStorage]:
    """The club's database, with its queue."""
    with closing(open_storage(postgresql_url, jobs=ProcrastinateQueue())) as storage:
        yield storage


@pytest.fixture
def workshop(postgresql_url: str) -> Workshop:
    """A workshop whose worker is not running yet."""
    return Workshop(postgresql_url)


def jobs(url: str) -> list[tuple[str, str, str | None]]:
    """Return each waiting job: name, queue and lock."""
    with psycopg.connect(url) as connection:
        query = "SELECT task_name, queue_name, lock FROM procrastinate_jobs ORDER BY id"
        return connection.execute(query).fetchall()


def enqueue(storage: SqlStorage, *wanted: tuple[int, str]) -> None:
    with storage.writing() as uow:
        for row, lock in wanted:
            uow.jobs.enqueue("process", row, lock)


def test_job_is_committed_with_its_work_or_not_at_all(
    storage: SqlStorage, postgresql_url: str
) -> None:
    with suppress(ZeroDivisionError), storage.writing() as uow:
        uow.service.beat(T0)
        uow.jobs.enqueue("deliver")
        raise ZeroDivisionError
    assert jobs(postgresql_url) == []
    with storage.writing() as uow:
        uow.jobs.enqueue("process", 1, "match 7")
        uow.jobs.enqueue("deliver")
        uow.jobs.enqueue("publish", 7)
        uow.jobs.enqueue("deliver")
    assert jobs(postgresql_url) == [
        ("process", "process", "match 7"),
        ("deliver", "deliver", None),
        ("publish", "publish", "publish"),
    ]


def test_one_delivery_serves_all_who_asked_before(storage: SqlStorage, workshop: Workshop) -> None:
    for _ in range(9):
        with storage.writing() as uow:
            uow.jobs.enqueue("deliver")
    enqueue(storage, (1, "match 7"))
    with workshop.at_work(concurrency=1):
        assert workshop.rows_done(1) == [1]
    # The queue's own periodic jobs may appear too.
    assert workshop.looked.queue.count("deliver") in range(1, 4)


def test_waiting_jobs_are_counted_by_queue_with_workers(
    storage: SqlStorage, workshop: Workshop
) -> None:
    def tally() -> JobTally:
        with storage.reading() as uow:
            found = uow.tallies.jobs()
        assert found is not None
        return found

    assert tally() == JobTally((), None, 0)
    before = datetime.now(UTC)
    workshop.held[1] = threading.Event()
    enqueue(storage, (1, "match 7"), (2, "match 7"))
    with storage.writing() as uow:
        uow.jobs.enqueue("publish", 7)
    with workshop.at_work(queues=["process"]):
        workshop.begun.get(timeout=PATIENCE_S)
        found = tally()
    # The queue's own periodic jobs may appear too.
    process, publish = (each for each in found.queues if each.queue in ("process", "publish"))
    assert process.doing >= 1
    assert publish.waiting >= 1
    assert publish[2:4] == (0, 0), "nobody takes jobs of that queue"
    assert process.waiting >= 1
    for each in (process, publish):
        assert each.since is not None
        assert before - timedelta(seconds=2) <= each.since <= datetime.now(UTC)
    assert found.workers == 1
    assert found.last_seen is not None


def test_jobs_with_one_lock_run_in_order_while_others_pass(
    storage: SqlStorage, workshop: Workshop
) -> None:
    workshop.held[1] = threading.Event()
    enqueue(storage, (1, "match 7"), (2, "match 7"), (3, "match 8"), (4, "match 7"))
    with workshop.at_work(concurrency=3):
        assert workshop.rows_done(1) == [3]
        assert {workshop.begun.get(timeout=1) for _ in range(2)} == {1, 3}
        workshop.held[1].set()
        assert workshop.rows_done(3) == [1, 2, 4]


def test_bot_jobs_run_after_waiting_emails(storage: SqlStorage, workshop: Workshop) -> None:
    with storage.writing() as uow:
        uow.jobs.enqueue("bots", 1)
    enqueue(storage, (2, "match 1"), (3, "match 2"))
    with workshop.at_work(concurrency=1):
        assert workshop.rows_done(3) == [2, 3, 1]


def test_job_finished_by_another_worker_causes_no_error(
    storage: SqlStorage,
    workshop: Workshop,
    postgresql_url: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    workshop.held[1] = threading.Event()
    enqueue(storage, (1, "match 7"))
    with workshop.at_work():
        assert workshop.begun.get(timeout=PATIENCE_S) == 1
        with psycopg.connect(postgresql_url) as connection:
            connection.execute("DELETE FROM procrastinate_jobs WHERE lock = 'match 7'")
        workshop.held[1].set()
        enqueue(storage, (2, "match 7"))
        assert workshop.rows_done(2) == [1, 2]
    gc.collect()
    assert [record for record in caplog.records if record.name == "asyncio"] == []


class Told:
    """A log that records its warnings."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tried: Queue[str] = Queue()

    def info(self, line: str, **_: object) -> None:
        self.lines.append(line)

    warning = info

    def debug(self, line: str, **_: object) -> None:
        self.tried.put(line)


def test_read_only_server_is_reported_once_and_waited_for(
    storage: SqlStorage,
    workshop: Workshop,
    postgresql_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = Told()
    monkeypatch.setattr(runner, "log", told)
    monkeypatch.setattr(runner, "AGAIN_SECONDS", 0.1)
    enqueue(storage, (1, "match 7"))
    storage.close()
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        name = connection.info.dbname
        only_reads = f"ALTER DATABASE {name} SET default_transaction_read_only ="
        connection.execute(f"{only_reads} on".encode())
        with workshop.at_work():
            for _ in range(3):
                told.tried.get(timeout=PATIENCE_S)
            connection.execute(f"{only_reads} off".encode())
            assert workshop.rows_done(1) == [1]
    assert told.lines == ["queue of jobs not reached", "queue of jobs reached again"]


def test_two_workers_do_each_job_once(storage: SqlStorage, workshop: Workshop) -> None:
    enqueue(storage, *((row, f"match {row % 5}") for row in range(40)))
    with workshop.at_work(), workshop.at_work():
        done = workshop.rows_done(40)
    assert sorted(row for row in done if row is not None) == list(range(40))
    assert workshop.done.empty()
    for match in range(5):
        of_match = [row for row in done if row is not None and row % 5 == match]
        assert of_match == sorted(of_match)


def test_worker_does_only_jobs_of_its_queues(
    storage: SqlStorage, workshop: Workshop, postgresql_url: str
) -> None:
    with storage.writing() as uow:
        uow.jobs.enqueue("process", 1, "match 7")
        uow.jobs.enqueue("publish", 7)
    with workshop.at_work(queues=("publish",)):
        assert workshop.done.get(timeout=PATIENCE_S) == ("publish", 7, 0)
    assert ("process", "process", "match 7") in jobs(postgresql_url)


def test_job_of_dead_worker_is_done_before_later_ones(
    storage: SqlStorage, workshop: Workshop, postgresql_url: str
) -> None:
    enqueue(storage, (1, "match 7"), (2, "match 7"))
    with psycopg.connect(postgresql_url) as connection:
        # One worker has taken the first job, and another has found that it is dead.
        connection.execute("SELECT procrastinate_fetch_job_v2(NULL, NULL)")
    with workshop.at_work():
        assert workshop.done.get(timeout=PATIENCE_S) == ("process", 1, 1)
        assert workshop.done.get(timeout=PATIENCE_S) == ("process", 2, 0)


def test_job_that_kills_workers_spares_other_jobs_next_time(
    storage: SqlStorage, workshop: Workshop, postgresql_url: str
) -> None:
    """Two jobs that died together twice start one after the other."""
    workshop.held[1] = threading.Event()
    enqueue(storage, (1, "match 7"), (2, "match 8"))
    with psycopg.connect(postgresql_url) as connection:
        connection.execute("UPDATE procrastinate_jobs SET status = 'doing', attempts = 1")
    with workshop.at_work():
        assert workshop.begun.get(timeout=PATIENCE_S) == 1
        with pytest.raises(Empty):
            workshop.begun.get(timeout=1)
        workshop.held[1].set()
        assert workshop.rows_done(2) == [1, 2]


def test_shared_jobs_of_dead_workers_block_nobody(
    storage: SqlStorage, workshop: Workshop, postgresql_url: str
) -> None:
    """The dead were collecting stalled jobs and delivering. Delivery is queued again already."""
    queue = storage._jobs
    assert queue is not None
    with psycopg.connect(postgresql_url) as connection:
        queue.put(connection, [WantedJob("stalled"), WantedJob("deliver")])
        connection.execute("UPDATE procrastinate_jobs SET queueing_lock = task_name")
        for _ in range(2):
            connection.execute("SELECT procrastinate_fetch_job_v2(NULL, NULL)")
        queue.put(connection, [WantedJob("deliver")])
        connection.execute(
            "UPDATE procrastinate_jobs SET queueing_lock = task_name WHERE status = 'todo'"
        )
    enqueue(storage, (1, "match 7"))
    with psycopg.connect(postgresql_url) as connection:
        connection.execute("UPDATE procrastinate_jobs SET status = 'doing' WHERE lock = 'match 7'")
    with workshop.at_work():
        assert workshop.done.get(timeout=PATIENCE_S) == ("process", 1, 1)


UNHEARD = """
ALTER FUNCTION procrastinate_finish_job_v1 RENAME TO finished;
CREATE SEQUENCE tries;
CREATE FUNCTION procrastinate_finish_job_v1(
    job_id bigint, end_status procrastinate_job_status, delete_job boolean
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM procrastinate_jobs WHERE id = job_id AND task_name = 'process') THEN
        IF nextval('tries') = 1 THEN
            PERFORM pg_terminate_backend(pg_backend_pid());
        END IF;
    END IF;
    PERFORM finished(job_id, end_status, delete_job);
END $$
"""
"""The end of the first processed email never reaches the queue, since the connection breaks."""


def test_job_with_unreported_end_blocks_nobody(
    storage: SqlStorage, workshop: Workshop, postgresql_url: str
) -> None:
    with psycopg.connect(postgresql_url) as connection:
        connection.execute(UNHEARD)
    enqueue(storage, (1, "match 7"), (2, "match 7"))
    with workshop.at_work():
        assert workshop.rows_done(3) == [1, 1, 2]


def test_password_that_only_libpq_cannot_parse_works_in_url(
    storage: SqlStorage, postgresql_url: str
) -> None:
    """libpq would show the whole URL in its error."""
    workshop = Workshop(postgresql_url.replace("@", ":a%zz@", 1))
    enqueue(storage, (1, "match 7"))
    with workshop.at_work():
        assert workshop.rows_done(1) == [1]


def test_log_shows_where_a_job_failed_but_no_values(
    storage: SqlStorage, workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    log_to_stderr()
    workshop.trouble[1] = ValueError("what Anna has written")
    enqueue(storage, (1, "match 7"), (2, "match 8"))
    with workshop.at_work(concurrency=1):
        assert workshop.rows_done(1) == [2]
    structlog.reset_defaults()
    logged = capsys.readouterr().err
    assert "ValueError" in logged
    assert "test_job_queue.py" in logged
    assert "Anna" not in logged


class Log:
    """A log that records each text and its level."""

    def __init__(self) -> None:
        self.said: Queue[tuple[str, str]] = Queue()

    def __getattr__(self, level: str) -> Callable[..., None]:
        return lambda event, **_: self.said.put((level, event))


def allow_connections(url: str, allowed: bool) -> None:
    """Allow or refuse connections to a database."""
    with psycopg.connect(url, dbname="postgres", autocommit=True) as connection:
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}".encode())


def test_database_outage_is_logged_once_and_so_is_its_end(
    storage: SqlStorage,
    workshop: Workshop,
    postgresql_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, runner = Log(), "pbem.adapters.job_queue.runner"
    monkeypatch.setattr(f"{runner}.log", log)
    monkeypatch.setattr("pbem.adapters.job_queue.connector.CONNECT_SECONDS", 0.4)
    monkeypatch.setattr(f"{runner}.AGAIN_SECONDS", 0.1)
    enqueue(storage, (1, "match 7"))
    allow_connections(postgresql_url, False)
    with workshop.at_work():
        told = [log.said.get(timeout=PATIENCE_S) for _ in range(2)]
        allow_connections(postgresql_url, True)
        assert workshop.rows_done(1) == [1]
    told += log.said.queue
    assert [each for each in told if each[0] != "debug"] == [
        ("warning", "queue of jobs not reached"),
        ("info", "queue of jobs reached again"),
    ]


def test_server_clock_is_right(storage: SqlStorage) -> None:
    assert abs(storage.clock.now() - datetime.now(UTC)) < timedelta(minutes=1)


def test_search_for_forgotten_emails_gets_rows_in_line(
    storage: SqlStorage, workshop: Workshop
) -> None:
    workshop.held[1] = threading.Event()
    enqueue(storage, (1, "match 7"), (2, "match 7"))
    with workshop.at_work(concurrency=3):
        assert workshop.in_line.get(timeout=PATIENCE_S) == {1, 2}
