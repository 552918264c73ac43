"""Process incoming: one recorded mail, from its bytes to what it changes and who hears of it.

Everything a mail does happens in one transaction with the mail's own row (CONTRACTS, "What becomes
of a mail").
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import timedelta

import structlog

from pbem.games.api import ActionError
from pbem.mail.incoming.message import Message, read_message
from pbem.mail.incoming.reply_text import fresh_text
from pbem.mail.incoming.requests import Requests, read_requests
from pbem.mail.incoming.screening import screen
from pbem.mail.incoming.table import Rejection, Table
from pbem.matches.match import CommandError, Player
from pbem.service.answers import announce, answer, refuse
from pbem.service.bots import is_bot
from pbem.service.carry_out import carry_out, record, set_table
from pbem.service.club import Club
from pbem.service.confirmation import confirmed, is_confirmation, park
from pbem.service.ports import InboundMail, InboundState, StorageUnavailable, UnitOfWork
from pbem.service.post import send_plain_mail, tell_director
from pbem.service.publish_archive import publish_all
from pbem.service.sender import Sender, identify

log = structlog.get_logger(__name__)

STRANGER_PAUSE = timedelta(days=7)
RATE_SPAN = timedelta(hours=1)


def process_pending(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Processes every mail that waits, oldest first, and writes the records of matches that ended.

    Returns how many mails were taken.
    """
    with club.storage.reading() as uow:
        waiting = uow.inbound.pending()
    taken = 0
    for inbound_id in waiting:
        if stopping():
            break
        process(club, inbound_id)
        taken += 1
    publish_all(club.storage, club.archive, club.clock)
    return taken


def process(club: Club, inbound_id: int) -> None:
    """Processes one mail; whatever goes wrong with it sets it aside and is told the director.

    Raises StorageUnavailable if the database is; then the mail waits.
    """
    try:
        table = _process(club, inbound_id)
    except StorageUnavailable:
        raise
    except Exception:  # noqa: BLE001  whatever it is, it must not stop the other mails
        shunt(club, inbound_id, traceback.format_exc())
        return
    if table is not None:
        club.positions.remember(table.match, table.position)


def shunt(club: Club, inbound_id: int, trace: str) -> None:
    """Sets a mail aside for a human."""
    log.error("shunted", inbound=inbound_id, traceback=trace)
    with club.storage.writing() as uow:
        mail = uow.inbound.lock(inbound_id)
        if mail.state is not InboundState.NEW:
            return
        uow.inbound.close(inbound_id, InboundState.SHUNTED, trace)
        tell_director(
            club,
            uow,
            "director_shunted",
            f"mail {inbound_id} was set aside",
            {"id": inbound_id, "sender": mail.sender, "error": trace.strip().splitlines()[-1]},
        )


def _process(club: Club, inbound_id: int) -> Table | None:
    with club.storage.writing() as uow:
        mail = uow.inbound.lock(inbound_id)
        if mail.state is not InboundState.NEW:
            return None
        message = read_message(mail.raw)
        player = _listen(club, uow, mail, message)
        return _settle(club, uow, mail, message, player) if player else None


def _listen(club: Club, uow: UnitOfWork, mail: InboundMail, message: Message) -> Player | None:
    """The player whose mail it is; None once it is settled without one."""
    screening = screen(message, club.address)
    player = uow.players.at(mail.sender)
    if screening.silent:
        uow.inbound.close(mail.id, InboundState.IGNORED, screening.reason)
    elif uow.inbound.repeats(mail):
        uow.inbound.close(mail.id, InboundState.DUPLICATE)
    elif player is None:
        _answer_stranger(club, uow, mail, message)
    elif _over_the_limit(club, uow, mail):
        _silence(club, uow, mail, player, message)
    else:
        return player
    return None


def _answer_stranger(club: Club, uow: UnitOfWork, mail: InboundMail, message: Message) -> None:
    """One short answer a week an address."""
    uow.inbound.close(mail.id, InboundState.STRANGER)
    since = club.clock.now() - STRANGER_PAUSE
    if mail.sender and not uow.outbox.count(mail.sender, "unknown_sender", since):
        send_plain_mail(
            club,
            uow,
            "unknown_sender",
            mail.sender,
            f"Re: {message.subject}",
            answered=message.message_id,
        )


def _over_the_limit(club: Club, uow: UnitOfWork, mail: InboundMail) -> bool:
    limit = 0 if is_bot(club, mail.sender) else club.policy.mails_an_hour
    return 0 < limit <= uow.inbound.count_before(mail, club.clock.now() - RATE_SPAN)


def _silence(
    club: Club, uow: UnitOfWork, mail: InboundMail, player: Player, message: Message
) -> None:
    """One notice, then nothing."""
    uow.inbound.close(mail.id, InboundState.LIMITED)
    if not uow.outbox.count(player.address, "rate_limited", club.clock.now() - RATE_SPAN):
        send_plain_mail(
            club,
            uow,
            "rate_limited",
            player,
            f"Re: {message.subject}",
            answered=message.message_id,
            data={"limit": club.policy.mails_an_hour},
        )


def _settle(
    club: Club, uow: UnitOfWork, mail: InboundMail, message: Message, player: Player
) -> Table | None:
    sender = Sender(player, None, None)
    try:
        sender = identify(club, uow, message, player)
        if message.excess:
            raise Rejection("too_large", reason=message.excess)
        fresh = fresh_text(message.text).fresh
        if sender.proof is not None and is_confirmation(fresh):
            sender, fresh = confirmed(club, uow, sender, message)
        requests = _requests(sender, fresh)
        if requests.changes and sender.proof is None:
            park(club, uow, mail, message, sender)
            return None
        table = _carried_out(club, uow, sender, requests)
    except Rejection as rejection:
        refuse(club, uow, sender, message, rejection)
        uow.inbound.close(mail.id, InboundState.REFUSED, str(rejection))
        return None
    uow.inbound.close(mail.id, InboundState.DONE)
    if sender.match is not None and requests.changes:
        match = record(club, uow, sender.match, table, mail.received_at)
        announce(club, uow, match, table, requests, message)
        return table
    answer(club, uow, table, requests, message)
    return None


def _requests(sender: Sender, fresh: str) -> Requests:
    """What a mail asks for; raises Rejection where there is nothing in it to do."""
    try:
        requests = read_requests(fresh, sender.match.game if sender.match else None)
    except ActionError as error:
        raise _rejection(error) from error
    if requests.empty and requests.note and sender.match is None:
        raise Rejection("which_match")  # perhaps a move, but of which game is not known
    if requests.empty and any(is_confirmation(line) for line in requests.note):
        raise Rejection("confirm_alone")
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
