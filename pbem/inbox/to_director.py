"""To the director: a plain reply to a director's own email goes to the director who wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbem.commands.api import CommandResult, Section
from pbem.inbox.proof.sender import AnySender
from pbem.mail.outgoing.kinds import FromDirector, ToMember
from pbem.matches.match import Player
from pbem.ports.outbox import PostedMail
from pbem.service.direct.for_member import answer_director

OF_DIRECTORS = (FromDirector.name(), ToMember.name())


def passed_on(
    sender: AnySender, answered: PostedMail | None, note: Sequence[str]
) -> CommandResult | None:
    """Pass the lines of a proven reply on to the director, None if it answers another email."""
    if not (note and sender.proven and isinstance(sender.who, Player)):
        return None
    if answered is None or answered.mail.kind not in OF_DIRECTORS:
        return None
    text = "\n".join(note)
    tell = partial(answer_director, member=sender.who, text=text, written_at=answered.queued_at)
    return CommandResult(sections=(Section("passed_on", {"text": text}),), effects=(tell,))
