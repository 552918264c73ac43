"""Carry out: the requests of a mail on its match, all or nothing, and what is stored of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.commands import Found
from pbem.commands.api import Asked, Command, Done, Giver, Need, Scope
from pbem.games.api import ActionError
from pbem.games.replay import ends_nothing
from pbem.inbox.requests import Requests
from pbem.mail.message.limits import MAX_FILES, TOO_MANY_FILES
from pbem.mail.refusals import (
    ForTheDirector,
    MatchHasEnded,
    NotYourTurn,
    OldTurn,
    Refused,
    TooLarge,
    WhichMatch,
)
from pbem.matches.acting import play
from pbem.matches.match import Match
from pbem.matches.outage import outage
from pbem.matches.record import written
from pbem.service.play.heartbeat import counted
from pbem.service.play.notify import report_flag, start_clock
from pbem.service.work import Work


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
    if len(done.attachments) > MAX_FILES:
        raise Refused(TooLarge(TOO_MANY_FILES))
    if requests.goes_on:
        return done
    return done.then(_closing(replace(asked, about=done.match or asked.about), done))


def _command(asked: Asked, command: Command) -> Done:
    """What a command does, if what it declares is given."""
    _require_giver(asked, command.giver)
    if asked.about is None and command.scope is Scope.MATCH:
        raise Refused(WhichMatch())
    if command.need is Need.NEWEST:
        asked.require_newest()
    return command.run(asked)


def _require_giver(asked: Asked, giver: Giver) -> None:
    """Raises Refused unless the command may be asked for by who does."""
    if giver is Giver.DIRECTOR and not asked.by_director:
        raise Refused(ForTheDirector())
    if giver is Giver.SEAT_TO_ACT:
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
    elif proof is not None and not begun and proof.turn != match.turn:
        raise Refused(OldTurn())


def _declares_only(asked: Asked, texts: Sequence[str]) -> bool:
    match = asked.match
    try:
        action = match.game.parse(match.position, texts[0], match.seat_for(asked.player.id))
    except ActionError:
        return False
    return len(texts) == 1 and action.declaration


def record(work: Work, before: Match, done: Done, received_at: datetime) -> Match:
    """Stores the actions and the match as they are after a mail; returns the match.

    An action's time is that of the mail's receipt: not before its turn began, not after now.
    """
    after = done.match or before
    received_at = min(received_at, work.now)
    at = min(max(received_at, before.turn_started_at or received_at), work.now)
    turned = (after.turn, after.to_act) != (before.turn, before.to_act)
    due_at = _fallen_flag(work, before, received_at) if turned else None
    if due_at is not None:
        before = report_flag(work, before, due_at)
    match, actions, happenings = written(before, after, done.events, at)
    work.matches.append(before.id, actions, happenings)
    if turned:
        stopped = match.clock.stop(min(at, counted(work, work.now)))
        match = start_clock(work, replace(match, clock=stopped))
    work.matches.save(match)
    return match


def _fallen_flag(work: Work, match: Match, at: datetime) -> datetime | None:
    """When a flag fell that no sweep has judged before a late mail was read; None if none did."""
    due_at = match.clock.flag_at
    if due_at is None or at <= due_at:
        return None
    last_beat = work.service.last_beat()
    # An outage that no sweep has credited yet moves what was due after its beginning past now.
    ends_outage = outage(last_beat, work.now) is not None
    return None if ends_outage and last_beat is not None and due_at > last_beat else due_at
