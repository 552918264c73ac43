"""`member rename`, `member remove`: a director renames or removes a member."""

from __future__ import annotations

from collections.abc import Sequence
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
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.matches.match import Player, PlayerId
from pbem.ports.process import StorageError
from pbem.service.direct.decide import Director, log
from pbem.service.members.forget import forget, former_name
from pbem.service.members.names import rename_by_director
from pbem.service.work import ConcurrentChange, Work


@dataclass(frozen=True)
class WhichMember(Refusal):
    """No member has the name, or nothing follows it."""

    written: str
    usage: str


def _member_and_rest(asked: CommandContext, usage: str) -> tuple[Player, str]:
    """Return the member with the longest name that the arguments start with, and the rest."""
    words = asked.arguments[0].split()
    for count in range(len(words) - 1, 0, -1):
        member = asked.work.players.named(_unquoted(words[:count]))
        if member is not None and not member.bot:
            return member, _unquoted(words[count:])
    raise RefusedError(WhichMember(" ".join(words), usage))


def _unquoted(words: Sequence[str]) -> str:
    return " ".join(words).strip("\"'")


def _rename(asked: CommandContext) -> CommandResult:
    member, wanted = _member_and_rest(asked, "member rename NAME NEW-NAME")
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


def _remove(asked: CommandContext) -> CommandResult:
    member, reason = _member_and_rest(asked, "member remove NAME REASON")
    matches = [match.id for match in asked.work.matches.of_player(member.id)]
    shown = {"member": member.name, "reason": reason, "matches": matches}
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


COMMANDS = (
    Command(
        "member rename",
        "rename a member",
        _rename,
        Scope.CLUB,
        Need.DIRECTOR,
        Giver.DIRECTOR,
        (Argument("name new-name", rest=True, help="the name of a member, then the new one"),),
    ),
    Command(
        "member remove",
        "remove a member, send them the reason, and erase their data",
        _remove,
        Scope.CLUB,
        Need.DIRECTOR,
        Giver.DIRECTOR,
        (Argument("name reason", rest=True, help="the name of a member, then why"),),
    ),
)
