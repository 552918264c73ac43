"""Carry out: the requests of a mail on its match, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.commands import FoundCommand
from pbem.commands.api import Command, CommandContext, CommandResult, Giver, Need, Scope
from pbem.games.api import ActionError
from pbem.games.replay import ends_nothing
from pbem.inbox.requests import Requests
from pbem.mail.message.limits import MAX_FILES, TOO_MANY_FILES
from pbem.mail.outgoing.kinds.refusals import (
    AtTheShell,
    ForTheDirector,
    MatchHasEnded,
    NotTogether,
    NotYourTurn,
    OldTurn,
    RefusedError,
    TooLarge,
    WhichMatch,
)
from pbem.matches.acting import play


def carry_out(asked: CommandContext, requests: Requests) -> CommandResult:
    """Everything a mail asks for, in order.

    Raises Refused, CommandError or an ActionError; then nothing of it counts.
    """
    done = CommandResult()
    for item in requests.items:
        now = replace(asked, about=done.match or asked.about)
        if isinstance(item, FoundCommand):
            done = done.then(_command(replace(now, arguments=item.arguments), item.command))
        else:
            done = done.then(_actions(now, item, begun=bool(done.played)))
    if done.match is not None and (requests.apart or done.asks):
        raise RefusedError(NotTogether())
    if len(done.attachments) > MAX_FILES:
        raise RefusedError(TooLarge(TOO_MANY_FILES))
    if requests.goes_on:
        return done
    return done.then(_closing(replace(asked, about=done.match or asked.about), done))


def _command(asked: CommandContext, command: Command) -> CommandResult:
    """What a command does, if what it declares is given."""
    _require_giver(asked, command)
    if asked.about is None and command.scope is Scope.MATCH:
        raise RefusedError(WhichMatch())
    if command.need is Need.NEWEST:
        asked.require_newest()
    if command.need is Need.DIRECTOR or (command.need is Need.MOVING and asked.by_director):
        asked.require_newest_to_director()
    return command.run(asked)


def _require_giver(asked: CommandContext, command: Command) -> None:
    """Raises Refused unless the command may be asked for by who does."""
    if command.giver is Giver.DIRECTOR and not asked.by_director:
        raise RefusedError(ForTheDirector())
    if command.need is Need.DIRECTOR and not asked.by_member:
        raise RefusedError(AtTheShell())
    if command.giver is Giver.SEAT_TO_ACT:
        if asked.about is None:
            raise RefusedError(WhichMatch())
        if asked.match.player_to_act != asked.player.id:
            raise RefusedError(NotYourTurn())


def _actions(asked: CommandContext, texts: Sequence[str], *, begun: bool) -> CommandResult:
    """Actions of the player; `begun` tells whether others came before in the mail."""
    if asked.about is None:
        raise RefusedError(WhichMatch())
    match = asked.match
    if begun and all(_ends_nothing(asked, text) for text in texts):
        return CommandResult()
    if match.result is not None:
        raise RefusedError(MatchHasEnded())
    _require_timely(asked, texts, begun=begun)
    return CommandResult.changed(play(match, asked.player.id, texts, asked.now, begun=begun))


def _closing(asked: CommandContext, done: CommandResult) -> CommandResult:
    """What the end of the mail stands for, where its actions have left a turn open."""
    if not done.played or asked.match.result is not None:
        return CommandResult()
    text = asked.match.game.closing(asked.match.position)
    if text is None or asked.match.player_to_act != asked.player.id:
        return CommandResult()
    return _actions(asked, [text], begun=True)


def _ends_nothing(asked: CommandContext, text: str) -> bool:
    """Whether a text only ends a turn that has ended by itself in this mail."""
    match = asked.match
    return ends_nothing(match.game, match.position, match.seat_for(asked.player.id), text)


def _require_timely(asked: CommandContext, texts: Sequence[str], *, begun: bool) -> None:
    match, proof = asked.match, asked.proof
    if _declares_only(asked, texts):
        asked.require_newest()
    elif match.player_to_act != asked.player.id:
        raise RefusedError(NotYourTurn())
    elif proof is not None and not begun and proof.turn != match.token_turn:
        raise RefusedError(OldTurn())


def _declares_only(asked: CommandContext, texts: Sequence[str]) -> bool:
    match = asked.match
    try:
        action = match.game.parse(match.position, texts[0], match.seat_for(asked.player.id))
    except ActionError:
        return False
    return len(texts) == 1 and action.declaration
