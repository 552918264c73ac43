"""Fresh: what a player newly wrote, known also by the letters of ours that they may be quoting."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.mail.incoming.message import Message
from pbem.mail.incoming.reply_text import Fresh, fresh_text
from pbem.mail.incoming.witness import Witness
from pbem.matches.match import PlayerId
from pbem.service.answered_mail import mails_to
from pbem.service.ports import PostedMail
from pbem.service.sender import Sender
from pbem.service.work import Work


def fresh_of(work: Work, message: Message, sender: Sender) -> Fresh:
    """The fresh text of a player's mail."""
    match_id = None if sender.match is None else sender.match.id
    witness = witness_of(work, message, sender.player.id, match_id)
    return fresh_text(message.text, message.from_name, witness)


def witness_of(work: Work, message: Message, player: PlayerId, match_id: int | None) -> Witness:
    """The letter that is answered; those of the thread where the client does not say which."""
    referred = (*message.in_reply_to, *reversed(message.references))
    answered = next(mails_to(work, player, referred), None)
    likely = thread_of(work, player, match_id) if answered is None else (answered,)
    return Witness(tuple(posted.mail.letter.text for posted in likely))


def thread_of(work: Work, player: PlayerId, match_id: int | None) -> Iterator[PostedMail]:
    """The mails of a match to a player that a thread names, newest first."""
    if match_id is not None:
        yield from mails_to(work, player, reversed(work.outbox.thread(match_id, player)))
