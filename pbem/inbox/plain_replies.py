"""Plain replies: a member and a director who write to each other just reply to the emails."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbem.commands import commands_for
from pbem.commands.api import CommandResult
from pbem.commands.direct import CannotDecide
from pbem.inbox.proof.sender import AnySender, is_trusted
from pbem.inbox.suggestions import meant_commands
from pbem.mail.outgoing.kinds import (
    Announcement,
    FromDirector,
    FromMember,
    MatchAnnouncement,
    Section,
    ToMember,
)
from pbem.mail.outgoing.kinds.refusals import RefusedError
from pbem.mail.topic import DirectorTopic
from pbem.matches.match import Player
from pbem.ports.outbox import PostedMail
from pbem.service.direct.decide import Director
from pbem.service.direct.for_member import answer_director, write_to
from pbem.service.people import is_director
from pbem.service.work import Work

OF_DIRECTORS = tuple(
    kind.name() for kind in (Announcement, FromDirector, MatchAnnouncement, ToMember)
)


def to_director(
    sender: AnySender, answered: PostedMail | None, note: Sequence[str]
) -> CommandResult | None:
    """Pass the lines of a proven reply on to the director who wrote. None for other emails."""
    if not (note and sender.proven and isinstance(sender.who, Player)):
        return None
    if answered is None or answered.mail.kind not in OF_DIRECTORS:
        return None
    text, writer = "\n".join(note), answered.mail.writer
    tell = partial(answer_director, member=sender.who.id, text=text, writer=writer)
    return CommandResult(sections=(Section("passed_on", {"text": text}),), effects=(tell,))


def to_member(
    work: Work, sender: AnySender, answered: PostedMail | None, note: Sequence[str], address: str
) -> CommandResult | None:
    """Write a director's plain reply, sent from an address, to the member whose reply it answers.

    None for other emails, and if a line could be a misspelt command, so that no order reaches the
    member instead. It may answer an older email, as it decides nothing. Raises RefusedError if the
    member has left.
    """
    writer = None if answered is None else answered.mail.writer
    if answered is None or writer is None or answered.mail.kind != FromMember.name():
        return None
    if not (note and _directs(work, sender, address)) or _is_misspelt(note):
        return None
    member, text = work.players.get(writer), "\n".join(note)
    if member.former:
        raise RefusedError(CannotDecide(f"tell {member.name}", "they have left the club"))
    assert isinstance(sender.who, Player)
    tell = partial(write_to, member=member, text=text, by=Director(sender.who.id))
    told = Section("told", {"member": member.name, "text": text})
    return CommandResult(sections=(told,), effects=(tell,))


def _directs(work: Work, sender: AnySender, address: str) -> bool:
    """Return whether an email from an address proves a director who is a member."""
    return (
        isinstance(sender.who, Player)
        and is_director(work.club, sender.who)
        and sender.proof is not None
        and isinstance(sender.proof.topic, DirectorTopic)
        and is_trusted(work, sender, address)
    )


def _is_misspelt(note: Sequence[str]) -> bool:
    return bool(meant_commands(note, commands_for(member=True, director=True)))
