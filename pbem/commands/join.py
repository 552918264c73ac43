"""`join NAME`: become a member. `approve`, `refuse`: a director decides, if required."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

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
from pbem.mail.topic import DirectorTopic, QuestionTopic, Topic
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.club import Joining
from pbem.service.competitions.entering import enterable
from pbem.service.direct.decide import Director, log
from pbem.service.members import joining
from pbem.service.members.joining import Newcomer
from pbem.service.people import has_directors_address
from pbem.service.questions import CHANGES, Application, PendingQuestion
from pbem.service.work import Work
from pbem.settings import SettingError
from pbem.settings.zone import SETTING as ZONE

_ZONE = re.compile(r"\bzone\s*=", re.IGNORECASE)


@dataclass(frozen=True)
class AlreadyMember(Refusal):
    """The sender is already a member."""

    member: str
    competitions: Sequence[int] = ()
    """Numbers of competitions that they may have wanted to enter."""


@dataclass(frozen=True)
class JoiningClosed(Refusal):
    """Only the director adds members."""


@dataclass(frozen=True)
class JoiningWaits(Refusal):
    """The sender is already waiting for the director's approval."""

    wanted: str


@dataclass(frozen=True)
class JoiningBusy(Refusal):
    """The directors were already asked about many others today."""


@dataclass(frozen=True)
class JoiningRefused(Refusal):
    """A director refused the sender, and is not asked again for a while."""

    days: int


class Applicant(NamedTuple):
    """A person who waits for a director's decision."""

    number: int
    name: str
    address: str


@dataclass(frozen=True)
class NobodyWaits(Refusal):
    """No application is meant: it was settled, or the email is about none and names none."""

    word: str
    waiting: Sequence[Applicant]
    """Everyone who waits."""


def _join(asked: CommandContext) -> CommandResult:
    if isinstance(asked.who, Player):
        return _as_member(asked, asked.who)
    require_open(asked)
    who = newcomer(asked, asked.who.address, asked.arguments[0])
    directs = has_directors_address(asked.work.club, who.address)
    if asked.work.club.policy.joining is Joining.APPROVAL:
        told = Section("applied", {"wanted": who.name, "note": asked.note})
        applies = (lambda work: joining.apply(work, who, asked.note),)
        return CommandResult(sections=(told,), effects=applies, asks=directs)
    welcome = joining.welcome(asked.work, who.name)
    told = Section(welcome.kind, welcome.data)
    return CommandResult(sections=(told,), effects=(lambda work: _enter(work, who),), asks=directs)


def _enter(work: Work, who: Newcomer) -> None:
    joining.join(work, who)


def _as_member(asked: CommandContext, member: Player) -> CommandResult:
    """Return the answer to a member. In an email about a match, the line may just be a sentence."""
    if asked.about is None:
        text = asked.arguments[0].lstrip("#")
        number = int(text) if text.isascii() and text.isdigit() else -1  # `join 7`
        raise RefusedError(AlreadyMember(member.name, enterable(asked.work, member, number)))
    return CommandResult.answered("is_member", member=member.name)


def require_open(asked: CommandContext) -> None:
    """Raise RefusedError if a stranger cannot apply now."""
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


def newcomer(asked: CommandContext, address: str, text: str) -> Newcomer:
    """Return the applicant.

    Raises RefusedError if the name is not available or the time zone is wrong.
    """
    name, *given = _ZONE.split(text, maxsplit=1)
    try:
        zone = ZONE.read(given[0]) if given else ZONE.default
    except SettingError as error:
        raise RefusedError(WrongSetting(ZONE.key, str(error))) from error
    return Newcomer(address, name_for(asked, name, address, "join"), zone)


def _approve(asked: CommandContext) -> CommandResult:
    pending, text = _asked_about(asked, "approve")
    wanted = text or pending.asked.name
    name, by = name_for(asked, wanted, pending.question.holder, "approve"), _by(asked)
    told = Section("approved", {"member": name, "address": pending.question.holder})
    return CommandResult(sections=(told,), effects=(lambda work: _let_in(work, pending, name, by),))


def _let_in(work: Work, pending: PendingQuestion[Application], name: str, by: Director) -> None:
    player = joining.approve(work, pending, name)
    log(work, by, f"approve {{{player.id}}}", "")


def _refuse(asked: CommandContext) -> CommandResult:
    pending, reason = _asked_about(asked, "refuse")
    by = _by(asked)
    told = Section("not_let_in", {"wanted": pending.asked.name, "reason": reason})
    return CommandResult(
        sections=(told,), effects=(lambda work: _turn_away(work, pending, reason, by),)
    )


def _turn_away(
    work: Work, pending: PendingQuestion[Application], reason: str, by: Director
) -> None:
    joining.refuse(work, pending, reason)
    log(work, by, "refuse", reason)  # nothing is kept about a person who is not a member


def _by(asked: CommandContext) -> Director:
    """Return the deciding director. One who is not a member is logged like the command line."""
    return Director(asked.who.id if isinstance(asked.who, Player) else None)


def _asked_about(asked: CommandContext, word: str) -> tuple[PendingQuestion[Application], str]:
    """Return the application that is decided, and the text after its name or number.

    An answer to the email that asked needs neither. Raises RefusedError if none is meant.
    """
    text = "".join(asked.arguments)
    topic = None if asked.proof is None else asked.proof.topic
    if isinstance(topic, QuestionTopic):
        with suppress(StorageError):
            return joining.application(asked.work, topic.question), text
    asked.require_newest_to_director()
    found = _named(asked.work, text) if _may_name(asked, topic) else None
    if found is None:
        raise RefusedError(
            NobodyWaits(word, list(map(_applicant, joining.applications(asked.work))))
        )
    return found


def _applicant(pending: PendingQuestion[Application]) -> Applicant:
    question = pending.question
    return Applicant(question.id, pending.asked.name, str(question.holder))


def _may_name(asked: CommandContext, topic: Topic | None) -> bool:
    """Return whether an email proves enough to decide about anyone who waits.

    It does if it answers an email to the director, or is a confirmed or still unproven email.
    """
    if not isinstance(topic, QuestionTopic):
        return topic is None or isinstance(topic, DirectorTopic)
    try:
        return asked.work.questions.get(topic.question).kind in {each.kind for each in CHANGES}
    except StorageError:
        return False


def _named(work: Work, text: str) -> tuple[PendingQuestion[Application], str] | None:
    """Return the application whose number or name a text starts with, and the rest of it."""
    words = text.split()
    for count in range(len(words), 0, -1):
        with suppress(StorageError):
            who = " ".join(words[:count]).strip("\"'").rstrip(",:")
            return joining.application_of_whom(work, who), " ".join(words[count:])
    return None


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
                help="in a reply to the email about them: another name, if you like; in any other"
                " email: the name they asked for, or their number and, if you like, another name",
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
        arguments=(
            Argument(
                "reason",
                required=False,
                rest=True,
                wraps=True,
                help="why; they will see it; if you don't reply to the email about them, put their"
                " name or number first",
            ),
        ),
    ),
)
