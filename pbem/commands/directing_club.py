"""`status`, `log`: a director looks at the club and at the decisions so far."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    Giver,
    Need,
    Scope,
)
from pbem.commands.direct import CannotDecide, numbered
from pbem.mail.outgoing.kinds.refusals import RefusedError
from pbem.ports.inbound import InboundState
from pbem.ports.process import StorageError, Tally
from pbem.service.direct.logbook import MOST_SHOWN, log_entries
from pbem.service.problems import problems_of, status_facts
from pbem.service.status import Status, status_in


def _status(asked: CommandContext) -> CommandResult:
    status = _without_this_email(status_in(asked.work, pairs=True))
    problems = problems_of(status, asked.work.club.policy.poll_seconds)
    return CommandResult.answered("status", **status_facts(status, problems))


def _without_this_email(status: Status) -> Status:
    """Return the status without the email that asks for it, which is still being processed."""
    new = status.mails.get(InboundState.NEW, Tally())
    left = Tally(new.number - 1, new.since) if new.number > 1 else Tally()
    return replace(status, mails={**status.mails, InboundState.NEW: left})


def _log(asked: CommandContext) -> CommandResult:
    match = numbered(asked.arguments[0]) if asked.arguments else None
    if match is not None:
        try:
            asked.work.matches.get(match)
        except StorageError as error:
            raise RefusedError(CannotDecide(f"log {match}", str(error))) from error
    entries = [str(each) for each in log_entries(asked.work, match)]
    return CommandResult.answered("log", lines=entries, match_id=match, most=MOST_SHOWN)


COMMANDS = (
    Command(
        "status",
        "see the club's status, queues and problems",
        _status,
        Scope.CLUB,
        Need.DIRECTOR,
        Giver.DIRECTOR,
    ),
    Command(
        "log",
        f"list the last {MOST_SHOWN} decisions of directors, or those about a match",
        _log,
        Scope.CLUB,
        Need.DIRECTOR,
        Giver.DIRECTOR,
        (Argument("match", required=False, number=True, help="the number of a match, such as 12"),),
    ),
)
