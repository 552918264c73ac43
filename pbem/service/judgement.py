"""Judgement: what a mail is, whose, what it asks for, and what is to become of it.

Nothing is changed here. `process_incoming` carries a judgement out, `explain_mail` shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.commands.api import Asked, Done
from pbem.games.api import ActionError
from pbem.games.phrases import ENGLISH, Words
from pbem.inbox.carry_out import carry_out
from pbem.inbox.requests import Requests, read_requests
from pbem.mail.incoming.message import Message, read_message
from pbem.mail.incoming.reply_text import Fresh
from pbem.mail.incoming.screening import Screening, screen
from pbem.mail.incoming.table import Rejection
from pbem.matches.match import CommandError, Player
from pbem.service.confirmation import (
    Confirmed,
    answers_question,
    confirmed,
    is_confirmation,
    is_open,
)
from pbem.service.fresh import fresh_of
from pbem.service.limits import (
    MOST_IN_VAIN,
    Limit,
    Patience,
    limit_passed,
    may_be_asked,
    patience_with,
)
from pbem.service.ports import ANSWERED, InboundMail, InboundState
from pbem.service.sender import Sender, identify
from pbem.service.work import Work


@dataclass
class Judgement:
    """What has been found out about a mail, as far as its reading went."""

    mail: InboundMail
    message: Message
    screening: Screening
    player: Player | None
    """Whom its From names; no proof."""
    copies: Sequence[InboundMail] = ()
    """Mails with the same text that came before."""
    state: InboundState = InboundState.DONE
    """What is to become of it."""
    limit: Limit | None = None
    """The limit that it is over."""
    sender: Sender | None = None
    fresh: Fresh | None = None
    confirmed: Confirmed | None = None
    """The mail that waited for this `confirm`; its requests are judged."""
    requests: Requests | None = None
    done: Done | None = None
    """What comes of carrying everything out."""
    rejection: Rejection | None = None
    silence: str = ""
    """Why it gets no answer, though it is over no limit of mails an hour."""

    @property
    def changes(self) -> bool:
        """Whether carrying it out changes a match."""
        done = self.state is InboundState.DONE
        return done and self.requests is not None and self.requests.changes


def judge(work: Work, mail: InboundMail, copies: Sequence[InboundMail]) -> Judgement:
    """Judgement of a mail, given those with the same text that came before it.

    The match it is about stays locked.
    """
    message = read_message(mail.raw)
    screening = screen(message, work.club.address)
    judgement = Judgement(mail, message, screening, work.players.at(mail.sender), copies)
    if screening.silent:
        judgement.state = InboundState.IGNORED
        return judgement
    if judgement.player is None:
        judgement.state = InboundState.STRANGER
        return judgement
    try:
        judgement.state = _read(work, judgement, judgement.player)
    except Rejection as rejection:
        judgement.rejection = rejection
        judgement.state = InboundState.REFUSED
    _lose_patience(work, judgement)
    return judgement


def _lose_patience(work: Work, judgement: Judgement) -> None:
    """Answers no more where a sender has had many answers and changed nothing."""
    if judgement.sender is None or judgement.state not in ANSWERED or judgement.changes:
        return
    patience = patience_with(work, judgement.mail, judgement.sender)
    if patience is Patience.OVER:
        judgement.state = InboundState.LIMITED
        judgement.silence = f"{MOST_IN_VAIN} answers in a day to mails that changed nothing"
    elif patience is Patience.ENDS:
        judgement.state = InboundState.REFUSED
        judgement.rejection = Rejection("in_vain", answers=MOST_IN_VAIN)


def _read(work: Work, judgement: Judgement, player: Player) -> InboundState:
    """Fills in what the mail says; raises Rejection."""
    message = judgement.message
    sender = judgement.sender = Sender(player, None, None)
    sender = judgement.sender = identify(work, message, player)
    if _is_duplicate(judgement, sender):
        return InboundState.DUPLICATE
    judgement.limit = limit_passed(work, judgement.mail, sender)
    if judgement.limit:
        return InboundState.KEPT
    if message.excess:
        raise Rejection("too_large", reason=message.excess)
    judgement.fresh = fresh_of(work, message, sender)
    text = judgement.fresh.fresh
    if sender.proof is not None and is_confirmation(text):
        judgement.confirmed = confirmed(work, sender, message)
        sender, text = judgement.confirmed.sender, judgement.confirmed.text
        judgement.sender = sender
    elif not is_confirmation(text) and answers_question(work, message, judgement.fresh):
        waiting = is_open(work, sender, message)
        raise Rejection("confirm_alone", asked=True, waiting=waiting)
    requests = judgement.requests = _requests(work, judgement, sender, text)
    if requests.changes and sender.proof is None:
        return _unproven(work, judgement, sender)
    judgement.done = _carried_out(work, sender, requests)
    if judgement.done.final and judgement.confirmed is None and not judgement.fresh.certain:
        return InboundState.PARKED
    return InboundState.DONE


_READ = {InboundState.DONE, InboundState.REFUSED, InboundState.PARKED}


def _is_duplicate(judgement: Judgement, sender: Sender) -> bool:
    """Whether the same mail came before and was read, proven at least as well as now.

    One that was not read, or proved nothing, may have been sent by somebody else to get before it.
    """
    proven = sender.proof is not None
    return any(
        copy.message_id == judgement.mail.message_id
        and copy.state in _READ
        and (copy.proven or not proven)
        for copy in judgement.copies
    )


def _unproven(work: Work, judgement: Judgement, sender: Sender) -> InboundState:
    """What becomes of a change that is not proven."""
    if sender.match is None:
        raise Rejection("which_match")
    if sender.unsigned:
        raise Rejection("not_signed")
    if sender.outdated:
        raise Rejection("old_mail")
    if not may_be_asked(work, sender.player, sender.match):
        judgement.silence = "not proven, and its player has been asked about others"
        return InboundState.LIMITED
    return InboundState.PARKED


def _requests(work: Work, judgement: Judgement, sender: Sender, text: str) -> Requests:
    """What a mail asks for; raises Rejection where there is nothing in it to do."""
    try:
        requests = read_requests(text, sender.match.game if sender.match else None)
    except ActionError as error:
        raise _rejection(error, ENGLISH) from error
    if requests.empty:
        raise _nothing_to_do(work, judgement, sender, requests)
    return requests


def _nothing_to_do(
    work: Work, judgement: Judgement, sender: Sender, requests: Requests
) -> Rejection:
    if requests.note and sender.match is None:
        return Rejection("which_match")  # perhaps a move, but of which game is not known
    meant = any(is_confirmation(line) for line in requests.note)
    if meant and sender.unsigned:
        return Rejection("not_signed")
    if meant and sender.outdated:
        return Rejection("old_mail")
    if meant:
        return Rejection("confirm_alone", asked=False, proven=sender.proof is not None)
    return Rejection("no_command", note=requests.note, mentioned=requests.mentioned)


def _carried_out(work: Work, sender: Sender, requests: Requests) -> Done:
    match = work.whole(sender.match) if sender.match else None
    asked = Asked(work, sender.player, match, sender.proof)
    try:
        return carry_out(asked, requests)
    except (ActionError, CommandError) as error:
        raise _rejection(error, ENGLISH) from error


def _rejection(error: ActionError | CommandError, words: Words) -> Rejection:
    """An error of a game or a match as a refusal."""
    if isinstance(error, CommandError):
        return Rejection(error.key, reason=error.reason)
    reason = words.text(error.reason)
    return Rejection(
        f"{error.kind}_action", text=error.text, reason=reason, candidates=error.candidates
    )
