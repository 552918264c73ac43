"""Judgement: what a mail is, whose, what it asks for, and what is to become of it.

Nothing is changed here. `process_incoming` carries a judgement out, `explain_mail` shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from pbem.games.api import ActionError
from pbem.mail.incoming.message import Message, read_message
from pbem.mail.incoming.reply_text import Fresh, fresh_text
from pbem.mail.incoming.requests import Requests, read_requests
from pbem.mail.incoming.screening import Screening, screen
from pbem.mail.incoming.table import Rejection, Table
from pbem.matches.match import CommandError, Player
from pbem.service.bots import is_bot
from pbem.service.carry_out import carry_out, set_table
from pbem.service.club import Club
from pbem.service.confirmation import Confirmed, confirmed, is_confirmation
from pbem.service.ports import InboundMail, InboundState, UnitOfWork
from pbem.service.sender import Sender, identify

RATE_SPAN = timedelta(hours=1)


class Limit(NamedTuple):
    """How many mails an hour are read."""

    mails: int
    of_match: bool
    """All mails about one match, not those of one sender."""


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
    table: Table | None = None
    """The match with everything carried out."""
    rejection: Rejection | None = None


def judge(
    club: Club, uow: UnitOfWork, mail: InboundMail, copies: Sequence[InboundMail]
) -> Judgement:
    """Judgement of a mail, given those with the same text that came before it.

    The match it is about stays locked.
    """
    message = read_message(mail.raw)
    screening = screen(message, club.address)
    judgement = Judgement(mail, message, screening, uow.players.at(mail.sender), copies)
    state = _state_unread(judgement)
    if state is not None or judgement.player is None:
        judgement.state = state or InboundState.STRANGER
        return judgement
    try:
        judgement.state = _read(club, uow, judgement, judgement.player)
    except Rejection as rejection:
        judgement.rejection = rejection
        judgement.state = InboundState.REFUSED
    return judgement


def _state_unread(judgement: Judgement) -> InboundState | None:
    """What becomes of a mail that is not read at all."""
    if judgement.screening.silent:
        return InboundState.IGNORED
    message_id = judgement.mail.message_id
    repeats = any(copy.message_id == message_id for copy in judgement.copies)
    return InboundState.DUPLICATE if repeats else None


def _read(club: Club, uow: UnitOfWork, judgement: Judgement, player: Player) -> InboundState:
    """Fills in what the mail says; raises Rejection."""
    message = judgement.message
    sender = judgement.sender = Sender(player, None, None)
    sender = judgement.sender = identify(club, uow, message, player)
    judgement.limit = _limit_passed(club, uow, judgement.mail, sender)
    if judgement.limit:
        return InboundState.LIMITED
    if message.excess:
        raise Rejection("too_large", reason=message.excess)
    judgement.fresh = fresh_text(message.text, message.from_name)
    text = judgement.fresh.fresh
    if sender.proof is not None and is_confirmation(text):
        judgement.confirmed = confirmed(club, uow, sender, message)
        sender, text = judgement.confirmed.sender, judgement.confirmed.text
        judgement.sender = sender
    requests = judgement.requests = _requests(sender, text)
    if requests.changes and sender.proof is None:
        return _unproven(sender)
    if sender.proof is not None and not sender.proof.token and judgement.copies:
        # A signature holds for ever and need not cover the Message-ID (RFC 6376 section 8.6); there
        # is no token whose turn would tell that the mail is old.
        return InboundState.DUPLICATE
    judgement.table = _carried_out(club, uow, sender, requests)
    return InboundState.DONE


def _unproven(sender: Sender) -> InboundState:
    """What becomes of a change that is not proven."""
    if sender.match is None:
        raise Rejection("which_match")
    if sender.unsigned:
        raise Rejection("not_signed")
    return InboundState.PARKED


def _limit_passed(club: Club, uow: UnitOfWork, mail: InboundMail, sender: Sender) -> Limit | None:
    """The limit that a mail is over, None if it is over none.

    Proven and unproven mails are counted apart: nobody can use up somebody else's allowance.
    """
    if is_bot(club, mail.sender):
        return None
    since, proven = club.clock.now() - RATE_SPAN, sender.proof is not None
    most = club.policy.mails_an_hour
    if 0 < most <= uow.inbound.count_before(mail, since, proven=proven):
        return Limit(most, of_match=False)
    most = club.policy.match_mails_an_hour
    if sender.match is None or not most:
        return None
    count = uow.inbound.count_of_match(sender.match.id, mail.id, since, proven=proven)
    return Limit(most, of_match=True) if most <= count else None


def _requests(sender: Sender, fresh: str) -> Requests:
    """What a mail asks for; raises Rejection where there is nothing in it to do."""
    try:
        requests = read_requests(fresh, sender.match.game if sender.match else None)
    except ActionError as error:
        raise _rejection(error) from error
    if requests.empty and requests.note and sender.match is None:
        raise Rejection("which_match")  # perhaps a move, but of which game is not known
    if requests.empty and any(is_confirmation(line) for line in requests.note):
        raise Rejection("not_signed" if sender.unsigned else "confirm_alone")
    if requests.empty:
        raise Rejection("no_command", note=requests.note, mentioned=requests.mentioned)
    return requests


def _carried_out(club: Club, uow: UnitOfWork, sender: Sender, requests: Requests) -> Table:
    table = set_table(club, uow, sender.player, sender.match, sender.proof)
    try:
        return carry_out(table, requests)
    except (ActionError, CommandError) as error:
        raise _rejection(error) from error


def _rejection(error: ActionError | CommandError) -> Rejection:
    """An error of a game or a match as a refusal."""
    if isinstance(error, CommandError):
        return Rejection(error.key, reason=error.reason)
    return Rejection(
        f"{error.kind}_action", text=error.text, reason=error.reason, candidates=error.candidates
    )
