"""`pbem status`: the state of the club from its database, even if nothing is running."""

from __future__ import annotations

import shutil
from importlib import metadata
from pathlib import Path
from typing import Any

import typer

from pbem.cli.context import ConfigOption, configured, opened
from pbem.cli.error_messages import errors_as_sentences
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.listing import JsonOption, json_of, moment, printable, size
from pbem.ports.play import Pause
from pbem.ports.process import JobTally, Tally
from pbem.service.problems import Problem, problems_of, status_facts
from pbem.service.status import InLine, Status, status_of


def status(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """Show the club's status, queues and problems."""
    with errors_as_sentences():
        settings = configured(config)
        with opened(settings) as club:
            found = status_of(club, pairs=True)
        troubles = problems_of(found, settings.policy.poll_seconds)
        folder = settings.club.data_dir
        if as_json:
            typer.echo(json_of({**status_data(found, troubles), "disk": _disk(folder)}))
        else:
            # Imported here, since programs that ask for JSON need no templates.
            from pbem.mail.outgoing.render import lines_of

            lines = lines_of("_status.txt.j2", status_facts(found, troubles))
            for line in (*lines, _disk_line(folder)):
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
        "early_pairs": [
            {"members": list(each.names), "matches": each.matches, "won": list(each.won)}
            for each in status.early_pairs
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
        "paused": None if status.paused is None else _pause_data(status.paused),
        "backup": moment(status.backed_up),
        "backup_tested": moment(status.backup_tested),
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
        "failed_bots": [
            {"bot": bot, "match": match, "since": moment(since), "last": moment(last)}
            for (bot, match), (since, last) in status.failed_bots.items()
        ],
    }


def _pause_data(pause: Pause) -> dict[str, Any]:
    return {"since": moment(pause.start), "until": moment(pause.end)}


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


def _disk(folder: Path) -> dict[str, Any]:
    usage = shutil.disk_usage(folder)
    return {"folder": str(folder), "free_bytes": usage.free, "total_bytes": usage.total}


def _disk_line(folder: Path) -> str:
    usage = shutil.disk_usage(folder)
    return f"disk of {folder}: {size(usage.free)} free of {size(usage.total)}"
