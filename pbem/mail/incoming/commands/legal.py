"""`legal`: what the seat to act may do."""

from itertools import islice

from pbem.mail.incoming.commands.command import Command
from pbem.mail.incoming.refusals import MatchHasEnded, Refused
from pbem.mail.incoming.table import Table
from pbem.mail.outgoing.match_view import MOST_COUNTED, columns


def _run(table: Table, argument: str) -> Table:
    match = table.match
    if match.result is not None:
        raise Refused(MatchHasEnded())
    actions = islice(match.game.legal_actions(table.position), MOST_COUNTED)
    texts = [match.game.format(table.position, action) for action in actions]
    return table.answered("legal", actions=columns(texts, gap=2), whole=len(texts) < MOST_COUNTED)


COMMAND = Command("legal", "every move that is legal now", _run)
