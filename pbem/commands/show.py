"""`show`, `history`, `legal`: the current board of a match, its turns and the legal moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pbem.commands.api import Command, CommandContext, CommandResult, HelpGroup
from pbem.mail.outgoing.kinds.refusals import MatchHasEnded, RefusedError
from pbem.mail.outgoing.match_view import MOST_COUNTED
from pbem.mail.outgoing.typeset.page import Figure
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.matches.match import Match, RecordedAction
from pbem.matches.score import turn_lines


def _show(asked: CommandContext) -> CommandResult:
    return CommandResult.answered("show")


def _history(asked: CommandContext) -> CommandResult:
    recorded = asked.work.matches.all_recorded(asked.match.id)
    stand = _in_columns(asked.match, [each for each in recorded if not each.undone])
    taken_back = _in_columns(asked.match, [each for each in recorded if each.undone])
    return CommandResult.answered("history", turns=stand, taken_back=taken_back)


def _in_columns(match: Match, actions: Sequence[RecordedAction]) -> Figure:
    lines = turn_lines(match.game, tuple(match.seats), actions)
    return in_columns(str(line) for line in lines)


def _legal(asked: CommandContext) -> CommandResult:
    match = asked.match
    if match.result is not None:
        raise RefusedError(MatchHasEnded())
    actions = islice(match.game.legal_actions(match.position), MOST_COUNTED)
    texts = [match.game.format(match.position, action) for action in actions]
    return CommandResult.answered(
        "legal", actions=in_columns(texts, gap=2), whole=len(texts) < MOST_COUNTED
    )


COMMANDS = (
    Command("show", "show the current board", _show, group=HelpGroup.LOOK),
    Command("history", "show all turns from the start", _history, group=HelpGroup.LOOK),
    Command("legal", "list all legal moves", _legal),
)
