"""`preview`: show the board after a line of turns, without playing it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, HelpGroup
from pbem.mail.outgoing.other_position import previewed
from pbem.matches.line import read_line
from pbem.matches.match import Match, RecordedAction
from pbem.matches.score import trails
from pbem.service.play.earlier import after_turn
from pbem.service.post.post import view_of

_FROM = re.compile(r"from\s+#?(\d{1,6})\b[.:;,]*", re.IGNORECASE)
_TURN = re.compile(r"[\[\]\d+*@]|^\S{1,3}[-:>]\S{1,3}$")
"""Signs that one of the first words is an action."""
_ACTIONS = frozenset({"ix", "resign", "."})
FIRST_WORDS = 3


def _is_line(text: str) -> bool:
    """Return whether a text may be a line of turns, unlike the rest of a sentence."""
    words = text.split()[:FIRST_WORDS]
    return any(word.casefold() in _ACTIONS or _TURN.search(word) for word in words)


def _preview(asked: CommandContext) -> CommandResult:
    match, text = asked.match, " ".join(asked.arguments)
    turn, start, before = None, match, _lately(asked, match)
    if found := _FROM.match(text):
        turn, text = int(found[1]), text[found.end() :]
        start, before = after_turn(asked.work, match, turn)
    line = read_line(match.game, tuple(match.seats), start.position, text)
    ways = trails(match.game, [*before, *line.played], match.seats)
    view = replace(view_of(asked.work, match, asked.player), trails=ways)
    return CommandResult.answered("preview", shown=previewed(view, line, turn))


def _lately(asked: CommandContext, match: Match) -> Sequence[RecordedAction]:
    """Return the actions of the last round, whose marks are on the board."""
    return asked.work.matches.recorded(match.id, max(0, match.turn - len(match.seats)))


COMMANDS = (
    Command(
        "preview",
        "see the board after some turns, without playing them",
        _preview,
        arguments=(
            Argument(
                "turns",
                required=False,
                rest=True,
                fits=_is_line,
                turns=True,
                help='your move, then everybody\'s; or "from 17" and what might follow turn 17',
            ),
        ),
        group=HelpGroup.LOOK,
        free=True,
    ),
)
