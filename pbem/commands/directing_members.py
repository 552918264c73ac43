"""`member`, `member rename`, `leave NAME`, `tell` …: directors look after one member."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    Giver,
    Need,
    Scope,
    Section,
)
from pbem.commands.api.naming import name_for
from pbem.commands.direct import CannotDecide
from pbem.mail.dates.day import DateError
from pbem.mail.dates.span import could_be_span
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.matches.leave import LeaveError
from pbem.matches.match import Player, PlayerId
from pbem.matches.names.reserved import reserved
from pbem.matches.words import phrase
from pbem.ports.process import StorageError
from pbem.service.direct.decide import Director, log
from pbem.service.direct.for_member import BACK, leave_asked, leave_for, lift_ban, write_to
from pbem.service.leave import shown, tried
from pbem.service.members.forget import forget, former_name, leaving
from pbem.service.members.member_facts import member_facts
from pbem.service.members.names import rename_by_director
from pbem.service.members.own_addresses import accept, own_address
from pbem.service.reliability import banned_until
from pbem.service.work import ConcurrentChange, Work


@dataclass(frozen=True)
class WhichMember(Refusal):
    """No member has the name, or nothing follows it."""

    written: str
    usage: str


_WORD = re.compile(r"\S+")


def _member_and_rest(asked: CommandContext, usage: str) -> tuple[Player, str]:
    """Return the member with the longest name before another word, and the text after the name."""
    text = asked.arguments[0]
    ends = [word.end() for word in _WORD.finditer(text.partition("\n")[0])]
    for end in reversed(ends):
        member, rest = _named(asked.work, text[:end]), text[end:].strip()
        if member is not None and rest:
            return member, rest
    raise RefusedError(WhichMember(" ".join(text.split()), usage))


def _named(work: Work, text: str) -> Player | None:
    """Return the member whose name a text is, perhaps in quotation marks or before a colon."""
    member = work.players.named(_unquoted(" ".join(text.split()).rstrip(",:")))
    return None if member is None or member.bot else member


def _unquoted(text: str) -> str:
    return text.strip("\"'")


def _member(asked: CommandContext) -> CommandResult:
    (name,) = asked.arguments
    member = _named(asked.work, name)
    if member is None:
        raise RefusedError(WhichMember(name, "member NAME"))
    return CommandResult.answered("member", **member_facts(asked.work, member))


def _leave(asked: CommandContext) -> CommandResult:
    member, line = _member_and_rest(asked, "leave NAME DAYS")
    work = asked.work
    try:
        budget = tried(work, member, leave_asked(work, member, line), work.now)
    except (DateError, LeaveError) as error:
        raise _cannot(member, line, error) from error
    leave = shown(work, member, budget, work.now)
    told = Section("member_leave", {"member": member.name, "leave": leave})
    effect = partial(_take_leave, by=asked.player.id, member=member.id, line=line)
    return CommandResult(sections=(told,), effects=(effect,))


def _take_leave(work: Work, by: PlayerId, member: PlayerId, line: str) -> None:
    player = work.players.get(member)
    try:
        leave_for(work, player, line, Director(by))
    except LeaveError as error:  # another line of the email took the days
        raise _cannot(player, line, error) from error


def _cannot(member: Player, line: str, error: DateError | LeaveError) -> RefusedError:
    return RefusedError(CannotDecide(f"leave {member.name} {line}", error.reason))


def could_be_members_leave(text: str) -> bool:
    """Return whether a text seems to be a name and then days, or `back`."""
    words = text.split()
    rests = (words[count:] for count in range(1, len(words)))
    return starts_with_name(text) and any(
        could_be_span(" ".join(rest)) or rest[0].casefold() == BACK for rest in rests
    )


def starts_with_name(text: str) -> bool:
    """Return whether a text could start with a name. "Tell me" and "leave it" are notes."""
    words = text.casefold().split()
    return bool(words) and words[0].rstrip(",:") not in reserved("nobody") | reserved("common")


def _tell(asked: CommandContext) -> CommandResult:
    member, text = _member_and_rest(asked, "tell NAME TEXT")
    told = Section("told", {"member": member.name, "text": text})
    effect = partial(_write, by=asked.player.id, member=member.id, text=text)
    return CommandResult(sections=(told,), effects=(effect,))


def _write(work: Work, by: PlayerId, member: PlayerId, text: str) -> None:
    write_to(work, work.players.get(member), text, Director(by))


def _address_works(asked: CommandContext) -> CommandResult:
    *words, address = asked.arguments[0].split()
    address, name = address.removeprefix("mailto:").strip("<>,;"), " ".join(words)
    member = asked.work.players.at(address)
    if member is None or (name and member != _named(asked.work, name)):
        whose = name or "nobody in the club"
        line = f"address works {asked.arguments[0]}"
        raise RefusedError(CannotDecide(line, f"{whose} does not have that address"))
    own = own_address(member, address)
    told = Section("address_works", {"member": member.name, "address": own})
    effect = partial(_accept, by=asked.player.id, member=member.id, address=own)
    return CommandResult(sections=(told,), effects=(effect,))


def _accept(work: Work, by: PlayerId, member: PlayerId, address: str) -> None:
    try:
        accept(work, work.players.get(member), address)
    except StorageError as error:
        raise ConcurrentChange from error
    log(work, Director(by), f"address works {{{member}}}", "")


def _rename(asked: CommandContext) -> CommandResult:
    member, wanted = _member_and_rest(asked, "member rename NAME NEW-NAME")
    wanted = _unquoted(wanted)
    name = name_for(asked, wanted, member.id, f"member rename {member.name}")
    effect = partial(_renamed, by=asked.player.id, member=member.id, name=name)
    told = Section("member_renamed", {"before": member.name, "after": name})
    return CommandResult(sections=(told,), effects=(effect,))


def _renamed(work: Work, by: PlayerId, member: PlayerId, name: str) -> None:
    try:
        rename_by_director(work, work.players.get(member), name)
    except StorageError as error:
        raise ConcurrentChange from error
    log(work, Director(by), f"member rename {{{member}}}", "")


def _unban(asked: CommandContext) -> CommandResult:
    (name,) = asked.arguments
    member = _named(asked.work, name)
    if member is None:
        raise RefusedError(WhichMember(name, "member unban NAME"))
    if banned_until(asked.work, member) is None:
        line = f"member unban {member.name}"
        raise RefusedError(CannotDecide(line, phrase("needs.not-banned", name=member.name)))
    effect = partial(_lift, by=asked.player.id, member=member.id)
    return CommandResult(
        sections=(Section("unbanned", {"member": member.name}),), effects=(effect,)
    )


def _lift(work: Work, by: PlayerId, member: PlayerId) -> None:
    try:
        lift_ban(work, work.players.get(member), Director(by))
    except StorageError as error:  # another director was faster
        raise ConcurrentChange from error


def _remove(asked: CommandContext) -> CommandResult:
    member, reason = _member_and_rest(asked, "member remove NAME REASON")
    shown = {"member": member.name, "reason": reason, **leaving(asked.work, member)._asdict()}
    told = Section("member_removed", {**shown, "called": former_name(member.id)})
    effect = partial(_removed, by=asked.player.id, member=member.id, reason=reason)
    return CommandResult(sections=(told,), effects=(effect,), asks=True)


def _removed(work: Work, by: PlayerId, member: PlayerId, reason: str) -> None:
    player = work.players.get(member)
    if player.former:
        raise ConcurrentChange
    # Log first, since forgetting also removes the name from the log.
    log(work, Director(by), f"member remove {player.name}", reason)
    forget(work, player, reason)


def _of(
    word: str,
    summary: str,
    run: Callable[[CommandContext], CommandResult],
    argument: Argument,
    *,
    apart: bool = False,
) -> Command:
    place = (Scope.CLUB, Need.DIRECTOR, Giver.DIRECTOR)
    return Command(word, summary, run, *place, arguments=(argument,), apart=apart)


COMMANDS = (
    _of(
        "member",
        "see a member's addresses, leave, matches and absences",
        _member,
        Argument("name", rest=True, fits=starts_with_name, help="the name of a member"),
    ),
    _of(
        "member rename",
        "rename a member",
        _rename,
        Argument("name new-name", rest=True, help="the name of a member, then the new one"),
    ),
    _of(
        "member remove",
        "remove a member, send them the reason, and erase their data",
        _remove,
        Argument("name reason", rest=True, wraps=True, help="the name of a member, then why"),
    ),
    _of(
        "member unban",
        "let a member who lost on time start and join matches again",
        _unban,
        Argument("name", rest=True, help="the name of a member"),
    ),
    _of(
        "leave",
        "take leave for a member, or end it",
        _leave,
        Argument(
            "name days",
            rest=True,
            fits=could_be_members_leave,
            help="the name of a member, then days as for your own leave, or back",
        ),
        apart=True,
    ),
    _of(
        "tell",
        "write to a member",
        _tell,
        Argument(
            "name text",
            below=True,
            fits=starts_with_name,
            help="the name of a member, then your text, with all lines below",
        ),
    ),
    _of(
        "address works",
        "mark an address as accepting email again",
        _address_works,
        Argument("address", rest=True, help="the address, perhaps after the member's name"),
        apart=True,
    ),
)
