"""`retry 31`, `drop 31`, `answer 31 TEXT`: a director handles a shunted or kept email."""

from __future__ import annotations

from collections.abc import Callable
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
from pbem.commands.direct import CannotDecide, numbered
from pbem.mail.outgoing.kinds.refusals import RefusedError
from pbem.matches.director_actions import DecisionError
from pbem.ports.process import StorageError
from pbem.service.direct import set_aside
from pbem.service.direct.decide import Director
from pbem.service.work import Work


def _done(asked: CommandContext, word: str, effect: Callable[[Work], None]) -> CommandResult:
    number = numbered(asked.arguments[0])
    try:
        set_aside.require_aside(asked.work, number)
    except (DecisionError, StorageError) as error:
        raise RefusedError(CannotDecide(f"{word} {number}", str(error))) from error
    return CommandResult(
        sections=(Section("seen_to", {"line": f"{word} {number}"}),), effects=(effect,)
    )


def _retry(asked: CommandContext) -> CommandResult:
    number, by = numbered(asked.arguments[0]), Director(asked.player.id)
    return _done(asked, "retry", partial(set_aside.retry, number=number, by=by))


def _drop(asked: CommandContext) -> CommandResult:
    number, by = numbered(asked.arguments[0]), Director(asked.player.id)
    return _done(asked, "drop", partial(set_aside.drop, number=number, by=by))


def _answer(asked: CommandContext) -> CommandResult:
    number, text = asked.arguments
    by = Director(asked.player.id)
    return _done(
        asked, "answer", partial(set_aside.answer, number=numbered(number), text=text, by=by)
    )


def _of(
    word: str, summary: str, run: Callable[[CommandContext], CommandResult], *arguments: Argument
) -> Command:
    mail = Argument("mail", number=True, help="the number of the email, from its report")
    return Command(
        word,
        summary,
        run,
        Scope.CLUB,
        Need.DIRECTOR,
        Giver.DIRECTOR,
        arguments=(mail, *arguments),
        apart=True,
    )


COMMANDS = (
    _of("retry", "process again an email that was set aside", _retry),
    _of("drop", "ignore an email that was set aside", _drop),
    _of(
        "answer",
        "write to the sender of an email that was set aside",
        _answer,
        Argument("text", below=True, help="your text, with all lines below"),
    ),
)
