"""`leave`, `back`: take days off during which the clock is paused, and end them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.games.phrases import Phrase
from pbem.mail.dates.day import DateError, could_be_day, read_day
from pbem.mail.dates.span import DateSpan, could_be_span, read_span
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.matches.leave import Budget, Leave, LeaveError
from pbem.matches.match import Player
from pbem.matches.words import phrase
from pbem.matches.zones import day_at
from pbem.service.leave import (
    LeaveChange,
    Taking,
    budget_of,
    changes,
    coming_back,
    do,
    shown,
    taking,
    tried,
)
from pbem.service.members.choosing import LEAVE as OFTEN, free_at, note
from pbem.service.work import Work


@dataclass(frozen=True)
class WrongLeave(Refusal):
    """Leave that cannot be taken or given back."""

    reason: Phrase
    line: str
    """A command to send instead, empty for none."""
    a_year: int
    coming: tuple[Leave, ...]
    """Current and future leave."""


def _leave(asked: CommandContext) -> CommandResult:
    if not asked.arguments:
        budget = budget_of(asked.work, asked.player, asked.done_at)
        return CommandResult(sections=(_section(asked.work, asked.player, budget, asked.done_at),))
    return _done(asked, lambda today: taking(_span(asked, today), asked.done_at))


def _back(asked: CommandContext) -> CommandResult:
    if not asked.arguments:
        return _done(asked, lambda _: coming_back(asked.done_at))
    return _done(asked, lambda today: coming_back(asked.done_at, _day(asked.arguments[0], today)))


def _span(asked: CommandContext, today: date) -> DateSpan:
    try:
        return read_span(asked.arguments[0], today)
    except DateError as error:
        budget = budget_of(asked.work, asked.player, asked.done_at)
        line = budget.example(asked.player.time_zone, asked.done_at)
        raise LeaveError(error.reason, line) from error


def _day(text: str, today: date) -> date:
    return read_day(text, today).not_before(today)


def _done(asked: CommandContext, read: Callable[[date], Taking]) -> CommandResult:
    """Try a change of leave now, and make it once the whole email is accepted."""
    try:
        wanted = read(day_at(asked.done_at, asked.player.time_zone))
        tried(asked.work, asked.player, wanted, asked.done_at)
    except (DateError, LeaveError) as error:
        raise _refused(asked.work, asked.player, error, asked.done_at) from error
    return CommandResult(
        effects=(partial(_do, player=asked.player, wanted=wanted, at=asked.done_at),)
    )


def _do(work: Work, player: Player, wanted: Taking, at: datetime) -> Section:
    try:
        if free_at(work, player.id, OFTEN):
            raise LeaveError(phrase("leave.often", most=OFTEN.most))
        before, after = do(work, player.id, wanted, at)
    except LeaveError as error:  # another line of the email took the days
        raise _refused(work, player, error, at) from error
    note(work, player.id, OFTEN)
    return _section(work, player, after, at, changes(before, after, at))


def _section(
    work: Work, player: Player, budget: Budget, at: datetime, change: LeaveChange | None = None
) -> Section:
    return Section("leave", {"leave": shown(work, player, budget, at), "change": change})


def _refused(
    work: Work, player: Player, error: DateError | LeaveError, at: datetime
) -> RefusedError:
    budget = budget_of(work, player, at)
    line = error.line if isinstance(error, LeaveError) else ""
    there = tuple(each for each in budget.leaves if each.end > at)
    return RefusedError(WrongLeave(error.reason, line, budget.a_year, there))


COMMANDS = (
    Command(
        "leave",
        "see your leave, or take some: it pauses your clocks",
        _leave,
        Scope.EITHER,
        Need.ANY,
        arguments=(
            Argument(
                "days",
                required=False,
                rest=True,
                fits=could_be_span,
                help="which days: 3 days, until Sunday, 7 days from Monday, or two dates",
            ),
        ),
        group=HelpGroup.CHOOSE,
    ),
    Command(
        "back",
        "end your leave; you keep the unused days",
        _back,
        Scope.EITHER,
        Need.ANY,
        arguments=(
            Argument(
                "day",
                required=False,
                rest=True,
                fits=could_be_day,
                help="the first day of the leave to give back, such as Friday",
            ),
        ),
        group=HelpGroup.CHOOSE,
    ),
)
