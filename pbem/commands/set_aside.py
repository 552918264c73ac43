"""`retry 31`, `drop 31`, `answer 31 TEXT`: what becomes of a mail that was set aside or is kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pbem.commands.api import Argument, Asked, Command, Done, Giver, Need, Scope, Section
from pbem.commands.direct import CannotDecide, numbered
from pbem.mail.refusals import Refused
from pbem.matches.directing import DecisionError
from pbem.ports.process import StorageError
from pbem.service.direct import set_aside
from pbem.service.direct.decide import Director
from pbem.service.work import Work


def _done(asked: Asked, word: str, effect: Callable[[Work], None]) -> Done:
    number = numbered(asked.arguments[0])
    try:
        set_aside.require_aside(asked.work, number)
    except (DecisionError, StorageError) as error:
        raise Refused(CannotDecide(f"{word} {number}", str(error))) from error
    return Done(sections=(Section("seen_to", {"line": f"{word} {number}"}),), effects=(effect,))


def _retry(asked: Asked) -> Done:
    number, by = numbered(asked.arguments[0]), Director(asked.player.id)
    return _done(asked, "retry", partial(set_aside.retry, number=number, by=by))


def _drop(asked: Asked) -> Done:
    number, by = numbered(asked.arguments[0]), Director(asked.player.id)
    return _done(asked, "drop", partial(set_aside.drop, number=number, by=by))


def _answer(asked: Asked) -> Done:
    number, text = asked.arguments
    by = Director(asked.player.id)
    return _done(
        asked, "answer", partial(set_aside.answer, number=numbered(number), text=text, by=by)
    )


def _of(word: str, summary: str, run: Callable[[Asked], Done], *arguments: Argument) -> Command:
    mail = Argument("mail", number=True, help="the number of the mail, as its report tells it")
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
    _of("retry", "read a mail again that was set aside", _retry),
    _of("drop", "do nothing with it", _drop),
    _of(
        "answer",
        "write to its sender",
        _answer,
        Argument("text", below=True, help="what you write, all lines below included"),
    ),
)
