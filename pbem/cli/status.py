"""`pbem status`: the state of the club from its database, even if nothing is running."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import typer

from pbem.cli.context import ConfigOption, configured, opened
from pbem.cli.error_messages import errors_as_sentences
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.listing import JsonOption, json_of, minute, moment, printable, size
from pbem.ports.inbound import InboundState
from pbem.ports.process import JobTally, Tally
from pbem.service.problems import Problem, problems_of
from pbem.service.status import InLine, IntakeStatus, Status, status_of

WAITS: dict[InboundState, str] = {
    InboundState.NEW: "to be processed",
    InboundState.KEPT: "over a limit, processed when the hour is over",
    InboundState.PARKED: "waiting for confirmation",
    InboundState.SHUNTED: "set aside after an error, see pbem shunt list",
}
"""Description of emails that wait, by state."""


def status(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show the club's status, queues and problems."""
    with errors_as_sentences():
        settings = configured(config)
        with opened(settings) as club:
            found = status_of(club)
        troubles = problems_of(found, settings.policy.poll_seconds)
        folder = settings.club.data_dir
        if as_json:
            typer.echo(json_of({**status_data(found, troubles), "disk": _disk(folder)}))
        else:
            for line in (*status_lines(found, troubles), _disk_line(folder)):
                typer.echo(printable(line))
    if troubles:
        raise typer.Exit(ExitStatus.REFUSED)


def status_data(status: Status, troubles: list[Problem]) -> dict[str, Any]:
    """Return a status for programs."""
    return {
        "now": moment(status.now),
        "version": metadata.version("pbem"),
        "schema": status.schema,
        "troubles": [
            {"part": each.part, "text": each.text, "since": moment(each.since)} for each in troubles
        ],
        "heartbeat": moment(status.last_beat),
        "intakes": [
            {
                "name": each.called,
                "seen_at": moment(each.seen_at),
                "complete_until": moment(each.complete_until),
            }
            for each in status.intakes
        ],
        "held_since": moment(status.held_since),
        "backup": moment(status.backed_up),
        "clock_ahead_seconds": None if status.ahead is None else status.ahead.total_seconds(),
        "inbound": {str(state): _tally_data(tally) for state, tally in status.mails.items()},
        "outbox": {
            "in_line": [_line_data(each) for each in status.lines],
            "put_off": _tally_data(status.put_off),
            "failed_within_a_day": status.failed,
        },
        "jobs": None if status.jobs is None else _jobs_data(status.jobs),
        "matches": dict(sorted(status.playing.items())),
        "members": status.members,
        "failed_templates": {
            name: moment(failed_at) for name, failed_at in status.failed_templates.items()
        },
    }


def _tally_data(tally: Tally) -> dict[str, Any]:
    return {"mails": tally.number, "since": moment(tally.since)}


def _line_data(line: InLine) -> dict[str, Any]:
    urgency = line.urgency.name.lower()
    return {
        "urgency": urgency,
        "limit": line.limit,
        "mails": line.mails,
        "since": moment(line.since),
    }


def _jobs_data(jobs: JobTally) -> dict[str, Any]:
    queues = [{**each._asdict(), "since": moment(each.since)} for each in jobs.queues]
    return {"workers": jobs.workers, "last_seen": moment(jobs.last_seen), "queues": queues}


def status_lines(status: Status, troubles: list[Problem]) -> Iterator[str]:
    """Yield a status for people, problems first."""
    for trouble in troubles:
        yield f"BAD  {trouble}"
    yield f"version: {metadata.version('pbem')}, schema {status.schema}"
    yield f"heartbeat: {'never' if status.last_beat is None else minute(status.last_beat)}"
    for intake in status.intakes:
        yield f"email from {intake.place}: {_seen(intake)}"
    yield from _mails(status)
    if status.jobs is not None:
        yield from _jobs(status.jobs)
    games = ", ".join(f"{count} {game}" for game, count in sorted(status.playing.items()))
    yield f"matches in play: {status.playing.total()}{games and f' ({games})'}"
    yield f"members: {status.members}"
    yield f"backup: {'none yet' if status.backed_up is None else minute(status.backed_up)}"


def _seen(intake: IntakeStatus) -> str:
    if intake.seen_at is None:
        return "never checked"
    complete = intake.complete_until
    if complete is None:
        return f"last accepted {minute(intake.seen_at)}; earlier email may wait at the mail server"
    return f"complete until {minute(complete)}"


def _mails(status: Status) -> Iterator[str]:
    for state, tally in status.mails.items():
        if tally.number:
            yield f"received: {_waiting(tally)} ({WAITS[state]})"
    for line in status.lines:
        held = f", held up by {line.limit} in [smtp]" if line.limit else ""
        name = line.urgency.name.lower()
        yield f"to be sent: {_waiting(Tally(line.mails, line.since))} ({name}){held}"
    if status.put_off.number:
        yield f"to be sent: {_waiting(status.put_off)} (will be tried again)"
    if not any((*(tally.number for tally in status.mails.values()), status.lines)):
        yield "no email is waiting"
    if status.failed:
        yield f"failed in the last day: {status.failed}, see pbem doctor"


def _waiting(tally: Tally) -> str:
    since = "" if tally.since is None else f", the oldest since {minute(tally.since)}"
    return f"{tally.number} waiting{since}"


def _jobs(jobs: JobTally) -> Iterator[str]:
    yield f"workers: {jobs.workers}"
    for each in jobs.queues:
        again = f", {each.again} to be tried again" if each.again else ""
        yield f"jobs, {each.queue}: {_waiting(Tally(each.waiting, each.since))}{again}"


def _disk(folder: Path) -> dict[str, Any]:
    usage = shutil.disk_usage(folder)
    return {"folder": str(folder), "free_bytes": usage.free, "total_bytes": usage.total}


def _disk_line(folder: Path) -> str:
    usage = shutil.disk_usage(folder)
    return f"disk of {folder}: {size(usage.free)} free of {size(usage.total)}"
