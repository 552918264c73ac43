"""`show`, `history`, `legal`: a match as it stands, how it came to that, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pbem.commands.api import Asked, Command, Done, Group
from pbem.mail.outgoing.figure import Figure
from pbem.mail.outgoing.match_view import MOST_COUNTED
from pbem.mail.outgoing.side_by_side import in_columns
from pbem.mail.refusals import MatchHasEnded, Refused
from pbem.matches.match import Match, RecordedAction
from pbem.matches.score import turn_lines


def _show(asked: Asked) -> Done:
    return Done.answered("show")


def _history(asked: Asked) -> Done:
    recorded = asked.work.matches.all_recorded(asked.match.id)
    stand = _in_columns(asked.match, [each for each in recorded if not each.undone])
    taken_back = _in_columns(asked.match, [each for each in recorded if each.undone])
    return Done.answered("history", turns=stand, taken_back=taken_back)


def _in_columns(match: Match, actions: Sequence[RecordedAction]) -> Figure:
    lines = turn_lines(match.game, tuple(match.seats), actions)
    return in_columns(str(line) for line in lines)


def _legal(asked: Asked) -> Done:
    match = asked.match
    if match.result is not None:
        raise Refused(MatchHasEnded())
    actions = islice(match.game.legal_actions(match.position), MOST_COUNTED)
    texts = [match.game.format(match.position, action) for action in actions]
    return Done.answered("legal", actions=in_columns(texts, gap=2), whole=len(texts) < MOST_COUNTED)


COMMANDS = (
    Command("show", "the board as it stands now", _show, group=Group.LOOK),
    Command("history", "all turns from the start", _history, group=Group.LOOK),
    Command("legal", "every move that is legal now", _legal),
)
