"""Status lines: the status of a club in words, for directors by email and on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

from pbem.matches.zones import minute
from pbem.ports.inbound import InboundState
from pbem.ports.process import JobTally, Tally
from pbem.service.problems import Problem
from pbem.service.status import IntakeStatus, Status

WAITS: dict[InboundState, str] = {
    InboundState.NEW: "to be processed",
    InboundState.KEPT: "over a limit, processed when the hour is over",
    InboundState.PARKED: "waiting for confirmation",
    InboundState.SHUNTED: "set aside after an error, see pbem shunt list",
}
"""Description of emails that wait, by state."""


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
