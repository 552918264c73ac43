"""Answered mail: the mails of ours that a mail answers, told by their Message-IDs.

A machine's answer must prove that it is one, by what only its reader and the servers on its way can
know: the key in the address that our mail came from, or its Message-ID.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from pbem.mail.addresses.addressing import bounce_keys
from pbem.mail.message.message import Message
from pbem.mail.outgoing.letter import Letter
from pbem.mail.reply.witness import Witness
from pbem.mail.topic import Holder, TopicKey
from pbem.ports.outbox import PostedMail
from pbem.service.work import Work

MOST_LOOKED_UP = 30
"""Keys and Message-IDs looked up for one mail."""


def answered_mail(work: Work, message: Message, returned: Sequence[str] = ()) -> PostedMail | None:
    """By the address it was sent to, else by the Message-IDs it returns or answers.

    Whoever got a mail by a reply-all has seen its Message-ID, but never the key.
    """
    for key in bounce_keys(message, work.club.addresses)[:MOST_LOOKED_UP]:
        if posted := work.outbox.by_bounce_key(key):
            return posted
    for message_id in (*returned, *message.references)[:MOST_LOOKED_UP]:
        posted = work.outbox.by_message_id(message_id)
        if posted is not None and not _seen_by_others(work, posted):
            return posted
    return None


def mails_to(work: Work, holder: Holder, message_ids: Iterable[str]) -> Iterator[PostedMail]:
    """Those of some mails that are ours to somebody, in their order."""
    for message_id in islice(message_ids, MOST_LOOKED_UP):
        posted = work.outbox.by_message_id(message_id)
        if posted is not None and posted.mail.holder == holder:
            yield posted


def answered_of(work: Work, message: Message, holder: Holder) -> PostedMail | None:
    """The mail of ours to somebody that a mail of theirs answers; None where it does not tell."""
    referred = (*message.in_reply_to, *reversed(message.references))
    return next(mails_to(work, holder, referred), None)


def witness_of(
    work: Work, answered: PostedMail | None, holder: Holder, about: TopicKey | None
) -> Witness:
    """The letter that is answered; those of the thread where the client does not say which."""
    likely = thread_of(work, holder, about) if answered is None else (answered,)
    return witness_by(posted.mail.letter for posted in likely)


def witness_by(letters: Iterable[Letter]) -> Witness:
    """Letters as their readers may quote them, in both forms; old ones have lost their text."""
    known = tuple(letter for letter in letters if letter.text)
    pages = tuple(letter.html for letter in known if letter.html)
    return Witness(tuple(letter.text for letter in known), pages)


def thread_of(work: Work, holder: Holder, about: TopicKey | None) -> Iterator[PostedMail]:
    """The mails of a topic to somebody that a thread names, newest first."""
    if about is not None:
        yield from mails_to(work, holder, reversed(work.outbox.thread(about, holder)))


def _seen_by_others(work: Work, posted: PostedMail) -> bool:
    if posted.mail.topic is None:
        return False
    exposure = work.exposures.of(posted.mail.topic, posted.mail.holder)
    return exposure is not None and posted.id <= exposure.mail
