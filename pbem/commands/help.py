"""`help`, `rules`: what can be written, and how; the rules of the game, or of another one."""

from __future__ import annotations

from pbem.commands.api import Argument, Asked, Command, Done, Giver, Scope
from pbem.games import game_of, keys
from pbem.games.api import OptionError
from pbem.mail.refusals import Refused, WhichRules


def _help(asked: Asked) -> Done:
    from pbem.commands import all_commands  # which finds this module

    commands = [each for each in all_commands() if _may(asked, each)]
    return Done.answered("help", commands=commands, match=asked.about)


def _may(asked: Asked, command: Command) -> bool:
    """Whether who asks may give a command."""
    return command.giver is not Giver.DIRECTOR or asked.by_director


def _rules(asked: Asked) -> Done:
    if asked.arguments:
        key = asked.arguments[0].casefold()
    elif asked.about is not None:
        key = asked.about.game_key
    else:
        raise Refused(WhichRules(keys()))
    try:
        game = game_of(key)
    except OptionError as error:
        raise Refused(WhichRules(keys())) from error
    return Done.answered("rules", title=game.info.title, rules=game.rules(asked.language))


COMMANDS = (
    Command("help", "this page", _help, Scope.EITHER),
    Command(
        "rules",
        "the rules of the game, in full",
        _rules,
        Scope.EITHER,
        arguments=(Argument("game", required=False),),
    ),
)
