"""`claim`, `wait 3 days`: respond when another player has run out of time, if agreed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, Need
from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.mail.outgoing.time_view import DueTime, due
from pbem.matches.director_actions import DecisionError
from pbem.matches.history import Kind
from pbem.matches.time_control import NOTHING
from pbem.matches.time_over import ClaimError, claim, wait
from pbem.service.clocks.schedule import counted
from pbem.service.direct.orders import span_of


@dataclass(frozen=True)
class CannotClaim(Refusal):
    """The player cannot claim the match or wait now."""

    reason: Phrase
    until: DueTime | None
    """When the grace ends, if that is the reason."""


def _claim(asked: CommandContext) -> CommandResult:
    try:
        return CommandResult.changed(claim(asked.match, asked.player.id, asked.now), final=True)
    except ClaimError as error:
        raise _refused(asked, error) from error


def _wait(asked: CommandContext) -> CommandResult:
    at, time = counted(asked.work, asked.now), span_of(asked.arguments[0])
    try:
        return CommandResult.changed(wait(asked.match, asked.player.id, time, at, _given(asked)))
    except ClaimError as error:
        raise _refused(asked, error) from error


def _refused(asked: CommandContext, error: ClaimError) -> RefusedError:
    zone, until = asked.player.time_zone, error.until
    ends = None if until is None else due(until, zone, asked.now)
    return RefusedError(CannotClaim(error.reason, ends))


def _given(asked: CommandContext) -> timedelta:
    """Return the time already given by `wait` in this turn."""
    happenings = asked.work.matches.happenings(asked.match.id)
    waited = (each for each in happenings if each.kind is Kind.WAITED)
    return sum((span_of(each.text) for each in waited if each.turn == asked.match.turn), NOTHING)


def _is_span(text: str) -> bool:
    try:
        span_of(text)
    except DecisionError:
        return False
    return True


_TIME = Argument("time", rest=True, fits=_is_span, help="how much more, such as 3 days, 36h or 1w")

COMMANDS = (
    Command("claim", "claim the match when your opponent is out of time", _claim, need=Need.NEWEST),
    Command(
        "wait",
        "give a late opponent more time instead of claiming",
        _wait,
        need=Need.NEWEST,
        arguments=(_TIME,),
    ),
)
"""Both are valid until the late turn arrives. Then someone else's clock runs."""
