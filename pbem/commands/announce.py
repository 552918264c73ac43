"""`announce match 12 TEXT`, `announce club TEXT`: a director writes to many, after a preview."""

from __future__ import annotations

from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    Giver,
    Need,
    Scope,
    Section,
)
from pbem.commands.direct import CannotDecide
from pbem.mail.outgoing.kinds.refusals import RefusedError
from pbem.matches.competitions import SPELLINGS
from pbem.matches.director_actions import DecisionError
from pbem.ports.process import StorageError
from pbem.service.direct.announcing import (
    Recipients,
    announce,
    audiences,
    read_audience,
    readers,
)
from pbem.service.direct.decide import Director
from pbem.service.work import Work


def _announce(asked: CommandContext) -> CommandResult:
    whom, rest = asked.arguments
    try:
        audience, text = read_audience(whom, rest)
        told = readers(asked.work, audience)
    except (DecisionError, StorageError) as error:
        raise RefusedError(CannotDecide(f"announce {whom} {rest}", str(error))) from error
    data = {"whom": str(audience), "count": len(told), "text": text}
    by = Director(asked.player.id)
    send = partial(_send, audience=audience, text=text, by=by)
    return CommandResult(sections=(Section("announced", data),), effects=(send,), asks=True)


def _send(work: Work, audience: Recipients, text: str, by: Director) -> None:
    announce(work, audience, text, by)


COMMANDS = (
    Command(
        "announce",
        "write to the players of a match or competition, or to the whole club",
        _announce,
        Scope.CLUB,
        Need.DIRECTOR,
        Giver.DIRECTOR,
        arguments=(
            Argument(
                "whom",
                among=lambda: (*audiences(), *SPELLINGS),
                help="match, competition, a kind such as set or series, or club",
            ),
            Argument(
                "text",
                below=True,
                help="its number (none for club), then your text, with all lines below",
            ),
        ),
        apart=True,
    ),
)
