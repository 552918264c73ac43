"""`join NAME`: becoming a member; `approve` and `refuse`, where a director has to consent."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    Giver,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.commands.api.naming import name_for
from pbem.commands.settings import WrongSetting
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.mail.topic import QuestionTopic
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.club import Joining
from pbem.service.direct.decide import Director, log
from pbem.service.members import joining
from pbem.service.members.joining import Newcomer
from pbem.service.people import has_directors_address
from pbem.service.questions import Application, PendingQuestion
from pbem.service.work import Work
from pbem.settings import SettingError
from pbem.settings.zone import SETTING as ZONE

_ZONE = re.compile(r"\bzone\s*=", re.IGNORECASE)


@dataclass(frozen=True)
class AlreadyMember(Refusal):
    """Who would join is a member."""

    member: str


@dataclass(frozen=True)
class JoiningClosed(Refusal):
    """Members are entered by the director alone."""


@dataclass(frozen=True)
class JoiningWaits(Refusal):
    """Who would join waits for the director's consent already."""

    wanted: str


@dataclass(frozen=True)
class JoiningBusy(Refusal):
    """The directors have been asked about many others today."""


@dataclass(frozen=True)
class JoiningRefused(Refusal):
    """A director has not let them in, and is not asked again for a while."""

    days: int


@dataclass(frozen=True)
class NobodyWaits(Refusal):
    """There is nobody to let in: that was settled before, or the mail is about nobody."""


def _join(asked: CommandContext) -> CommandResult:
    if isinstance(asked.who, Player):
        return _as_member(asked, asked.who)
    _require_open(asked)
    who = _newcomer(asked, asked.who.address)
    directs = has_directors_address(asked.work.club, who.address)
    if asked.work.club.policy.joining is Joining.APPROVAL:
        told = Section("applied", {"wanted": who.name})
        applies = (lambda work: joining.apply(work, who),)
        return CommandResult(sections=(told,), effects=applies, asks=directs)
    welcome = joining.welcome(asked.work, who.name)
    told = Section(welcome.kind, welcome.data)
    return CommandResult(sections=(told,), effects=(lambda work: _enter(work, who),), asks=directs)


def _enter(work: Work, who: Newcomer) -> None:
    joining.join(work, who)


def _as_member(asked: CommandContext, member: Player) -> CommandResult:
    """What a member is told; beside moves the line may be no more than a sentence."""
    if asked.about is None:
        raise RefusedError(AlreadyMember(member.name))
    return CommandResult.answered("is_member", member=member.name)


def _require_open(asked: CommandContext) -> None:
    """Raises Refused if a stranger cannot ask now."""
    work, address = asked.work, asked.who.addresses[0]
    if work.club.policy.joining is Joining.CLOSED:
        raise RefusedError(JoiningClosed())
    waits = joining.application_of(work, address)
    if waits is not None:
        raise RefusedError(JoiningWaits(waits.asked.name))
    if joining.was_refused(work, address):
        raise RefusedError(JoiningRefused(joining.REFUSED_FOR.days))
    if work.club.policy.joining is Joining.APPROVAL and joining.are_many(work):
        raise RefusedError(JoiningBusy())


def _newcomer(asked: CommandContext, address: str) -> Newcomer:
    """Who asks, under a name that is free; raises Refused."""
    name, *given = _ZONE.split(asked.arguments[0], maxsplit=1)
    try:
        zone = ZONE.read(given[0]) if given else ZONE.default
    except SettingError as error:
        raise RefusedError(WrongSetting(ZONE.key, str(error))) from error
    return Newcomer(address, name_for(asked, name, address, "join"), zone)


def _approve(asked: CommandContext) -> CommandResult:
    pending = _asked_about(asked)
    wanted = "".join(asked.arguments) or pending.asked.name
    name, by = name_for(asked, wanted, pending.question.holder, "approve"), _by(asked)
    told = Section("approved", {"member": name, "address": pending.question.holder})
    return CommandResult(sections=(told,), effects=(lambda work: _let_in(work, pending, name, by),))


def _let_in(work: Work, pending: PendingQuestion[Application], name: str, by: Director) -> None:
    player = joining.approve(work, pending, name)
    log(work, by, f"approve {{{player.id}}}", "")


def _refuse(asked: CommandContext) -> CommandResult:
    pending = _asked_about(asked)
    reason, by = "".join(asked.arguments), _by(asked)
    told = Section("not_let_in", {"wanted": pending.asked.name, "reason": reason})
    return CommandResult(
        sections=(told,), effects=(lambda work: _turn_away(work, pending, reason, by),)
    )


def _turn_away(
    work: Work, pending: PendingQuestion[Application], reason: str, by: Director
) -> None:
    joining.refuse(work, pending, reason)
    log(work, by, "refuse", reason)  # of who is no member nothing is kept


def _by(asked: CommandContext) -> Director:
    """Who consents; a director who is no member is logged like one at the shell."""
    return Director(asked.who.id if isinstance(asked.who, Player) else None)


def _asked_about(asked: CommandContext) -> PendingQuestion[Application]:
    """Who waits, as the mail says that is answered; raises Refused."""
    topic = None if asked.proof is None else asked.proof.topic
    if not isinstance(topic, QuestionTopic):
        raise RefusedError(NobodyWaits())
    try:
        return joining.application(asked.work, topic.question)
    except StorageError as error:
        raise RefusedError(NobodyWaits()) from error


COMMANDS = (
    Command(
        "join",
        "become a member of the club",
        _join,
        Scope.CLUB,
        Need.RECENT,
        Giver.STRANGER,
        arguments=(
            Argument(
                "name",
                rest=True,
                help="the name others will see; add zone=Warsaw to set your time zone",
            ),
        ),
        group=HelpGroup.JOIN,
    ),
    Command(
        "approve",
        "let someone join, under their name or another",
        _approve,
        Scope.CLUB,
        Need.RECENT,
        Giver.DIRECTOR,
        arguments=(
            Argument(
                "name",
                required=False,
                rest=True,
                help="a different name from the one they asked for",
            ),
        ),
    ),
    Command(
        "refuse",
        "refuse someone who wants to join",
        _refuse,
        Scope.CLUB,
        Need.RECENT,
        Giver.DIRECTOR,
        arguments=(Argument("reason", required=False, rest=True, help="why; they will see it"),),
    ),
)
