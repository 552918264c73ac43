"""`show`, `history`, `since`, `position`, `legal`: the board of a match, and its turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from pbem.archive.files import stem
from pbem.commands.api import Argument, Command, CommandContext, CommandResult, HelpGroup
from pbem.games.api import PositionText, Seat
from pbem.games.position_text import text_of
from pbem.mail.outgoing.kinds.refusals import MatchHasEnded, NotInMatch, RefusedError
from pbem.mail.outgoing.letter import Attachment
from pbem.mail.outgoing.match_view import MOST_COUNTED
from pbem.mail.outgoing.other_position import EarlierTurn
from pbem.mail.outgoing.typeset.page import Figure
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.matches.match import Match, RecordedAction
from pbem.matches.score import trails, turn_lines
from pbem.service.people import names_in
from pbem.service.play.earlier import EarlierMatch, after_turn, last_turn, whole
from pbem.service.play.readable import turn_link
from pbem.service.post.post import view_of

_AS = re.compile(r"as\s+\S", re.IGNORECASE)
_RANGE = re.compile(r"#?(\d{1,6})(?:\s*(-)\s*#?(\d{1,6})?)?", re.ASCII)
LAST_TURN = 999_999


def _show(asked: CommandContext) -> CommandResult:
    number, seen_by = (*asked.arguments, "", "")[:2]
    if not number and not seen_by:
        return CommandResult.answered("show")
    then = _at(asked, number)
    seats = _seats(asked, then.match, seen_by.partition(" ")[2].strip()) if seen_by else ()
    turn = _turn(then)
    shown = EarlierTurn(
        match=then.match,
        you=asked.player,
        names=names_in(asked.work, asked.match, asked.player, then.match.players),
        now=asked.now,
        words=asked.work.club.club_renderer.words,
        trails=trails(then.match.game, then.actions, then.match.seats),
        now_at=asked.match,
        turn=turn,
        last=last_turn(whole(asked.work, asked.match).actions),
        played=turn_lines(then.match.game, tuple(then.match.seats), then.actions)[-1:],
        seen_from=seats or asked.match.seats_of(asked.player.id),
    )
    return CommandResult.answered("show_turn", shown=shown, link=_link(asked, turn))


def _at(asked: CommandContext, number: str) -> EarlierMatch:
    """Return the match after a turn, or now."""
    if number:
        return after_turn(asked.work, asked.match, int(number.lstrip("#")))
    return whole(asked.work, asked.match)


def _turn(then: EarlierMatch) -> int:
    return last_turn(then.actions)


def _link(asked: CommandContext, turn: int) -> str:
    """Return the link to a turn in the reading room, empty if it is not public there."""
    return turn_link(asked.work, asked.match, turn)


def _seats(asked: CommandContext, match: Match, name: str) -> tuple[Seat, ...]:
    """Return the seats of somebody who is named, or the seat. Raises RefusedError."""
    wanted = name.casefold()
    for seat in match.seats:
        if seat.casefold() == wanted:
            return (seat,)
    names = names_in(asked.work, asked.match, asked.player, match.players)
    for player, known in names.items():
        if known.casefold() == wanted:
            return match.seats_of(player)
    raise RefusedError(NotInMatch(name, tuple(match.seats), tuple(names.values())))


def _history(asked: CommandContext) -> CommandResult:
    first, last = _between("".join(asked.arguments))
    recorded = asked.work.matches.all_recorded(asked.match.id)
    some = [each for each in recorded if first <= each.turn <= last]
    stand = _in_columns(asked.match, [each for each in some if not each.undone])
    taken_back = _in_columns(asked.match, [each for each in some if each.undone])
    limits = (first, None if last == LAST_TURN else last) if asked.arguments else ()
    link = _link(asked, min(first, last_turn(recorded)))
    return CommandResult.answered(
        "history", turns=stand, taken_back=taken_back, limits=limits, link=link
    )


def _between(text: str) -> tuple[int, int]:
    """Return the first and the last turn of `10-20`, `10-` or `10`."""
    found = _RANGE.fullmatch(text)
    if found is None:
        return 1, LAST_TURN
    first, dash, last = found.groups()
    if last:
        return min(int(first), int(last)), max(int(first), int(last))
    return int(first), LAST_TURN if dash else int(first)


def _in_columns(match: Match, actions: Sequence[RecordedAction]) -> Figure:
    return in_columns(_lines(match, actions))


def _lines(match: Match, actions: Sequence[RecordedAction]) -> Iterable[str]:
    return (str(line) for line in turn_lines(match.game, tuple(match.seats), actions))


def _since(asked: CommandContext) -> CommandResult:
    turns = view_of(asked.work, asked.match, asked.player).since
    link = _link(asked, turns[0].turn) if turns else ""
    return CommandResult.answered("since", link=link)


def _position(asked: CommandContext) -> CommandResult:
    then = _at(asked, "".join(asked.arguments))
    match, turn = then.match, _turn(then)
    if not isinstance(match.game, PositionText):
        return CommandResult.answered("position_text", text="", turn=turn, file="", link="")
    text = text_of(match.game, match.position)
    name = f"{stem(match.id, match.game_key)}-turn-{turn}.position.txt"
    said = CommandResult.answered(
        "position_text", text=text, turn=turn, file=name, link=_link(asked, turn)
    )
    return replace(said, attachments=(Attachment(name, "text/plain", f"{text}\n"),))


def _legal(asked: CommandContext) -> CommandResult:
    match = asked.match
    if match.result is not None:
        raise RefusedError(MatchHasEnded())
    actions = islice(match.game.legal_actions(match.position), MOST_COUNTED)
    texts = [match.game.format(match.position, action) for action in actions]
    return CommandResult.answered(
        "legal", actions=in_columns(texts, gap=2), whole=len(texts) < MOST_COUNTED
    )


TURN = Argument("turn", required=False, number=True, help="a turn; you get the board after it")

COMMANDS = (
    Command(
        "show",
        "show the board now, or after a turn, as you or somebody else sees it",
        _show,
        arguments=(
            TURN,
            Argument(
                "as who",
                required=False,
                rest=True,
                fits=lambda text: _AS.match(text) is not None,
                help='"as" and a player or seat: the board as they see it',
            ),
        ),
        group=HelpGroup.LOOK,
    ),
    Command(
        "history",
        "show all turns from the start, or some",
        _history,
        arguments=(
            Argument(
                "turns",
                required=False,
                rest=True,
                fits=lambda text: _RANGE.fullmatch(text) is not None,
                help="the turns, such as 10-20",
            ),
        ),
        group=HelpGroup.LOOK,
        without_rules=True,
    ),
    Command("since", "show what happened since your last turn", _since, group=HelpGroup.LOOK),
    Command(
        "position",
        "get the text of the position, for programs",
        _position,
        arguments=(TURN,),
        group=HelpGroup.LOOK,
    ),
    Command("legal", "list all legal moves", _legal),
)
