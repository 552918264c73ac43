"""`rules`: the rules of the game, or of another one."""

from pbem.games import game_of, keys
from pbem.games.api import OptionError
from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.refusals import Refused, WhichRules
from pbem.mail.incoming.table import Table


def _run(table: Table, argument: str) -> Table:
    if not argument and table.match_or_none is None:
        raise Refused(WhichRules(keys()))
    try:
        game = game_of(argument or table.match.game_key)
    except OptionError as error:
        raise Refused(WhichRules(keys())) from error
    return table.answered("rules", title=game.info.title, rules=game.rules())


COMMAND = Command("rules", "the rules of the game, in full", _run, argument="game")
