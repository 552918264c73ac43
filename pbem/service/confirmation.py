"""Confirmation: a change that is not proven, or not clear, waits until its player says `confirm`.

The question goes to the address on file; only `confirm` in answer to it, from that player, lets the
mail count, once, against the position then (docs/contracts.md, "Parked mail"). Nothing else in
an answer to a question counts: whoever says "No, that was not me" must not thereby do it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from pbem.games.text import plain
from pbem.inbox.requests import Requests
from pbem.mail.incoming.addressing import carries_token
from pbem.mail.incoming.message import Message, read_message
from pbem.mail.incoming.question import is_question
from pbem.mail.incoming.reply_text import Fresh
from pbem.mail.incoming.table import Proof, Rejection
from pbem.mail.outgoing.kinds import Confirm, Unclear
from pbem.service.fresh import fresh_of
from pbem.service.ports import CONFIRMED, InboundMail, InboundState, ParkedMail
from pbem.service.post import Answered, post, view_of
from pbem.service.sender import Sender
from pbem.service.work import Work

LINES_SHOWN = 20


def is_confirmation(fresh: str) -> bool:
    """Whether a fresh text is `confirm` and nothing else."""
    return plain(fresh).strip().strip("\"'`.! ").casefold() == "confirm"


def park(
    work: Work,
    mail: InboundMail,
    message: Message,
    sender: Sender,
    requests: Requests,
) -> None:
    """Sets a change aside and asks its player, who is shown all that it would do.

    That is a change which is not proven, or a proven one that cannot be taken back and was not read
    with certainty.
    """
    assert sender.match is not None, "what changes no match waits for nothing"
    days, fresh = work.club.policy.parked_days, fresh_of(work, message, sender).fresh
    lines = fresh.strip().splitlines()
    proven = sender.proof is not None
    question = (Unclear if proven else Confirm)(
        view_of(work, work.whole(sender.match), sender.player),
        lines=lines[:LINES_SHOWN],
        left_out=max(0, len(lines) - LINES_SHOWN),
        requests=requests.told,
        days=days,
    )
    asked_by = post(work, question, sender.player, Answered(message.message_id))
    expires = work.now + timedelta(days=days)
    work.inbound.close(mail.id, InboundState.PARKED, "unclear" if proven else "unproven")
    whose = sender.player.id, sender.match.id
    work.inbound.park(ParkedMail(mail.id, *whose, asked_by, expires, fresh))


QUESTIONS = (Confirm.name(), Unclear.name())
"""Kinds of mails that are answered by `confirm` and by nothing else."""


def answers_question(work: Work, message: Message, fresh: Fresh) -> bool:
    """Whether a mail answers a question of ours, settled or not.

    Told by the Message-ID it answers, or by what it quotes where the client does not tell.
    """
    answered = _answered(message)
    posted = work.outbox.by_message_id(answered) if answered else None
    return is_question(fresh.quoted) if posted is None else posted.mail.kind in QUESTIONS


def is_open(work: Work, sender: Sender, message: Message) -> bool:
    """Whether the question that a mail answers still waits for `confirm`."""
    if sender.match is None:
        return False
    waiting = work.inbound.parked(sender.player.id, sender.match.id, work.now)
    return any(_answered(message) in ("", parked.asked_by) for parked in waiting)


class Confirmed(NamedTuple):
    """A parked mail that its player has confirmed."""

    parked: ParkedMail
    sender: Sender
    """As proven now."""
    text: str
    """Fresh text of the parked mail, as it was read when it was parked.

    Read anew it may be another one: mails that have come since are taken for what it quotes, the
    question itself among them, and older ones no more.
    """


def confirmed(work: Work, sender: Sender, message: Message) -> Confirmed:
    """The parked mail that a proven `confirm` is about.

    Raises Rejection if nothing waits, or if it is not clear which mail is meant.
    """
    assert sender.match is not None, "a proven mail is about a match"
    waiting = work.inbound.parked(sender.player.id, sender.match.id, work.now)
    answered = _answered(message)
    meant = [parked for parked in waiting if answered in ("", parked.asked_by)]
    if len(meant) != 1:
        raise Rejection("nothing_to_confirm" if not meant else "which_confirmed")
    waiting_mail = work.inbound.lock(meant[0].inbound_id)
    text = meant[0].text or fresh_of(work, read_message(waiting_mail.raw), sender).fresh
    return Confirmed(meant[0], sender._replace(proof=Proof(sender.match.turn, latest=True)), text)


def settle(work: Work, parked: ParkedMail) -> None:
    """A parked mail waits no more; raises StorageError if it did not."""
    work.inbound.unpark(parked.inbound_id)
    work.inbound.told(parked.inbound_id, parked.player, parked.match_id, proven=True)
    work.inbound.close(parked.inbound_id, InboundState.DONE, CONFIRMED)


def _answered(message: Message) -> str:
    """Message-ID of the mail of ours that is answered, empty if the client does not tell.

    One only: References names the whole thread, older questions in it too.
    """
    told = (*message.in_reply_to, *reversed(message.references))
    return next((each for each in told if carries_token(each)), "")
