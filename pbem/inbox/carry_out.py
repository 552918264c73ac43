"""Carry out: the requests of a mail on its match, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.commands import Found
from pbem.commands.api import Asked, Command, Done, Giver, Need, Scope
from pbem.games.api import ActionError
from pbem.games.replay import ends_nothing
from pbem.inbox.requests import Requests
from pbem.mail.message.limits import MAX_FILES, TOO_MANY_FILES
from pbem.mail.refusals import (
    AtTheShell,
    ForTheDirector,
    MatchHasEnded,
    NotTogether,
    NotYourTurn,
    OldTurn,
    Refused,
    TooLarge,
    WhichMatch,
)
from pbem.matches.acting import play


def carry_out(asked: Asked, requests: Requests) -> Done:
    """Everything a mail asks for, in order.

    Raises Refused, CommandError or an ActionError; then nothing of it counts.
    """
    done = Done()
    for item in requests.items:
        now = replace(asked, about=done.match or asked.about)
        if isinstance(item, Found):
            done = done.then(_command(replace(now, arguments=item.arguments), item.command))
        else:
            done = done.then(_actions(now, item, begun=bool(done.played)))
    if done.match is not None and (requests.apart or done.asks):
        raise Refused(NotTogether())
    if len(done.attachments) > MAX_FILES:
        raise Refused(TooLarge(TOO_MANY_FILES))
    if requests.goes_on:
        return done
    return done.then(_closing(replace(asked, about=done.match or asked.about), done))


def _command(asked: Asked, command: Command) -> Done:
    """What a command does, if what it declares is given."""
    _require_giver(asked, command)
    if asked.about is None and command.scope is Scope.MATCH:
        raise Refused(WhichMatch())
    if command.need is Need.NEWEST:
        asked.require_newest()
    if command.need is Need.DIRECTOR or (command.need is Need.MOVING and asked.by_director):
        asked.require_newest_to_director()
    return command.run(asked)


def _require_giver(asked: Asked, command: Command) -> None:
    """Raises Refused unless the command may be asked for by who does."""
    if command.giver is Giver.DIRECTOR and not asked.by_director:
        raise Refused(ForTheDirector())
    if command.need is Need.DIRECTOR and not asked.by_member:
        raise Refused(AtTheShell())
    if command.giver is Giver.SEAT_TO_ACT:
        if asked.about is None:
            raise Refused(WhichMatch())
        if asked.match.player_to_act != asked.player.id:
            raise Refused(NotYourTurn())


def _actions(asked: Asked, texts: Sequence[str], *, begun: bool) -> Done:
    """Actions of the player; `begun` tells whether others came before in the mail."""
    if asked.about is None:
        raise Refused(WhichMatch())
    match = asked.match
    if begun and all(_ends_nothing(asked, text) for text in texts):
        return Done()
    if match.result is not None:
        raise Refused(MatchHasEnded())
    _require_timely(asked, texts, begun=begun)
    return Done.changed(play(match, asked.player.id, texts, asked.now, begun=begun))


def _closing(asked: Asked, done: Done) -> Done:
    """What the end of the mail stands for, where its actions have left a turn open."""
    if not done.played or asked.match.result is not None:
        return Done()
    text = asked.match.game.closing(asked.match.position)
    if text is None or asked.match.player_to_act != asked.player.id:
        return Done()
    return _actions(asked, [text], begun=True)


def _ends_nothing(asked: Asked, text: str) -> bool:
    """Whether a text only ends a turn that has ended by itself in this mail."""
    match = asked.match
    return ends_nothing(match.game, match.position, match.seat_for(asked.player.id), text)


def _require_timely(asked: Asked, texts: Sequence[str], *, begun: bool) -> None:
    match, proof = asked.match, asked.proof
    if _declares_only(asked, texts):
        asked.require_newest()
    elif match.player_to_act != asked.player.id:
        raise Refused(NotYourTurn())
    elif proof is not None and not begun and proof.turn != match.token_turn:
        raise Refused(OldTurn())


def _declares_only(asked: Asked, texts: Sequence[str]) -> bool:
    match = asked.match
    try:
        action = match.game.parse(match.position, texts[0], match.seat_for(asked.player.id))
    except ActionError:
        return False
    return len(texts) == 1 and action.declaration
