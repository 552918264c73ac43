"""Numbers: the club's status as metrics, without anybody's name or address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from pbem.ports.process import JobTally, Number
from pbem.service.problems import ClubPart, Problem
from pbem.service.status import Status

Values = Iterable[tuple[tuple[str, ...], float | None]]


def _number(name: str, about: str, labels: tuple[str, ...], values: Values) -> Number:
    """Return a number without the values that are unknown."""
    known = tuple((labelled, value) for labelled, value in values if value is not None)
    return Number(f"pbem_{name}", about, labels, known)


def _one(name: str, about: str, value: float | None) -> Number:
    return _number(name, about, (), [((), value)])


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


class Process(NamedTuple):
    """State of a process of the club, known without the database."""

    version: str
    healthy: bool
    """Whether all its parts are running."""
    has_database: bool
    """Whether the database could be read at the last attempt."""
    looked_ago: float
    """Seconds since that attempt."""
    disk_free: int
    """Free bytes on the disk of the data folder."""
    disk_size: int


def numbers_of_process(process: Process) -> Iterator[Number]:
    """Yield the numbers of a process."""
    version = [((process.version,), 1)]
    yield _number("build_info", "Version of pbem.", ("version",), version)
    yield _one("healthy", "Whether everything runs in this process.", process.healthy)
    yield _one("database_up", "Whether the database can be read.", process.has_database)
    yield _one(
        "status_age_seconds",
        "Seconds since the last attempt to read the database.",
        process.looked_ago,
    )
    yield _one("data_dir_free_bytes", "Free bytes on the disk of data_dir.", process.disk_free)
    yield _one("data_dir_size_bytes", "Size of that disk in bytes.", process.disk_size)


def numbers_of(status: Status, troubles: Iterable[Problem]) -> Iterator[Number]:
    """Yield the numbers of a club. Moments are in seconds since 1970."""
    found = {each.part for each in troubles}
    yield _number(
        "trouble",
        "Whether this part has a problem that keeps the club from its work.",
        ("part",),
        [((part,), part in found) for part in ClubPart],
    )
    yield _number(
        "schema_info", "Revision of the database.", ("revision",), [((status.schema,), 1)]
    )
    yield _one(
        "heartbeat_timestamp_seconds",
        "When the clocks were last checked.",
        _seconds(status.last_beat),
    )
    yield _one(
        "backup_timestamp_seconds", "When the last backup was made.", _seconds(status.backed_up)
    )
    yield _one(
        "backup_tested_timestamp_seconds",
        "When a backup was last restored as a test.",
        _seconds(status.backup_tested),
    )
    ahead = None if status.ahead is None else status.ahead.total_seconds()
    yield _one(
        "clock_ahead_seconds", "Seconds by which this clock is ahead of the database's.", ahead
    )
    playing = [((game,), count) for game, count in status.playing.items()]
    yield _number("matches_playing", "Matches being played.", ("game",), playing)
    yield _one("members", "Members of the club.", status.members)
    yield from _of_intakes(status)
    yield from _of_inbound(status)
    yield from _of_outbox(status)
    if status.jobs is not None:
        yield from _of_jobs(status.jobs)


def _of_intakes(status: Status) -> Iterator[Number]:
    seen = [((each.called,), _seconds(each.seen_at)) for each in status.intakes]
    complete = [((each.called,), _seconds(each.complete_until)) for each in status.intakes]
    yield _number(
        "intake_seen_timestamp_seconds",
        "When a mailbox was last read, or LMTP listened.",
        ("intake",),
        seen,
    )
    yield _number(
        "intake_complete_timestamp_seconds",
        "Moment up to which all email is recorded.",
        ("intake",),
        complete,
    )


def _of_inbound(status: Status) -> Iterator[Number]:
    mails = [((state.value,), tally.number) for state, tally in status.mails.items()]
    oldest = [((state.value,), _seconds(tally.since)) for state, tally in status.mails.items()]
    yield _number("inbound_mails", "Received emails that are not handled yet.", ("state",), mails)
    yield _number(
        "inbound_oldest_timestamp_seconds",
        "When the oldest of them was received.",
        ("state",),
        oldest,
    )


def _of_outbox(status: Status) -> Iterator[Number]:
    labels = ("urgency", "limit")
    lines = [((each.urgency.name.lower(), each.limit), each) for each in status.lines]
    mails = [(labelled, each.mails) for labelled, each in lines]
    oldest = [(labelled, each.since.timestamp()) for labelled, each in lines]
    yield _number(
        "outbox_mails", "Emails that could go now, and the limit that holds them up.", labels, mails
    )
    yield _number(
        "outbox_oldest_timestamp_seconds", "When the oldest of them was queued.", labels, oldest
    )
    yield _one("outbox_put_off_mails", "Emails to be tried again later.", status.put_off.number)
    yield _one(
        "outbox_failed_mails",
        "Undeliverable emails last tried within a day.",
        status.failed,
    )


def _of_jobs(jobs: JobTally) -> Iterator[Number]:
    yield _one("workers", "Workers seen within the last minute.", jobs.workers)
    states = [
        ((each.queue, state), count)
        for each in jobs.queues
        for state, count in (
            ("waiting", each.waiting),
            ("doing", each.doing),
            ("again", each.again),
        )
    ]
    oldest = [((each.queue,), _seconds(each.since)) for each in jobs.queues]
    yield _number("jobs", "Jobs in the queue.", ("queue", "state"), states)
    yield _number(
        "jobs_oldest_timestamp_seconds",
        "When the oldest waiting job was queued.",
        ("queue",),
        oldest,
    )
