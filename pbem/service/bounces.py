"""Bounces: a mail of ours that comes back says that an address of a player accepts none.

What proves a bounce is that it knows the key or the Message-ID of the mail, and the recipient of
that mail is whose address has failed, whatever the bounce says; any other bounce changes nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from pbem.mail.incoming.bounce import Bounce, read_bounce
from pbem.mail.incoming.failure import Failure, Fault, refusal
from pbem.mail.incoming.message import Message
from pbem.matches.match import Player, PlayerId
from pbem.service.absences import note_absence
from pbem.service.addresses import address_fails
from pbem.service.answered_mail import answered_mail
from pbem.service.club import Club
from pbem.service.ports import (
    DeliveryReport,
    InboundMail,
    PostedMail,
    QueuedMail,
    UnitOfWork,
)
from pbem.service.post import send_again, tell_director

log = structlog.get_logger(__name__)

AGAIN_AFTER = (timedelta(hours=4), timedelta(days=1), timedelta(days=1))
"""When a mail is tried again that a server gave up for now; then it has failed for good."""


def take_bounce(club: Club, uow: UnitOfWork, mail: InboundMail, message: Message) -> None:
    """Whatever a bounce entails; the mail's own row is closed by the caller."""
    bounce = read_bounce(mail.raw)
    posted = answered_mail(club, uow, message, bounce.message_ids)
    if posted is None or posted.mail.player is None or _again(uow, mail, message):
        log.warning("bounce of no mail to a player", inbound=mail.id, of_ours=posted is not None)
        return
    failure = _worst(bounce, posted.mail.recipient)
    if failure is not None:
        if not posted.failed and (posted.closed or failure.fault is Fault.HARD):
            _take_back(club, uow, posted, posted.mail.player, failure, posted.queued_at)
    elif not bounce.recipients and not bounce.reported:
        note_absence(club, uow, mail, message, posted.mail.player, posted.mail.match_id)


def undelivered(club: Club, uow: UnitOfWork, queued: QueuedMail, report: DeliveryReport) -> None:
    """A server has refused a mail, or put it off too often; its row has failed."""
    mail, posted = queued.mail, uow.outbox.by_message_id(queued.mail.message_id)
    failure = refusal(mail.recipient, report.reply)
    if posted is not None and mail.player is not None and failure is not None:
        _take_back(club, uow, posted, mail.player, failure, club.clock.now())
    elif mail.recipient != club.director:
        tell_director(
            club,
            uow,
            "director_undeliverable",
            f"no mail goes to {mail.recipient}",
            {"mail": mail, "reply": report.reply},
        )


def _again(uow: UnitOfWork, mail: InboundMail, message: Message) -> bool:
    """Whether the same bounce has come before."""
    return any(each.message_id == message.message_id for each in uow.inbound.copies(mail))


def _worst(bounce: Bounce, recipient: str) -> Failure | None:
    """What failed: of our recipient if he is named, else (an alias, say) whatever else failed."""
    failed = bounce.failed
    named = [each for each in failed if each.address == recipient.lower()] or list(failed)
    if bounce.unnamed:
        named.append(Failure(recipient, Fault.SOFT, "", bounce.words))
    return min(named, key=lambda each: each.fault is not Fault.HARD, default=None)


def _take_back(
    club: Club,
    uow: UnitOfWork,
    posted: PostedMail,
    player: PlayerId,
    failure: Failure,
    tried_at: datetime,
) -> None:
    """Tries a mail again later, or sends it to the player's next address."""
    now = club.clock.now()
    why = failure.words or failure.status or "no reason was given"
    if failure.fault is Fault.SOFT and posted.bounces < len(AGAIN_AFTER):
        uow.outbox.bounced_for_now(posted.id, why, now + AGAIN_AFTER[posted.bounces])
        return
    uow.outbox.bounced(posted.id, why, now)
    reader = _without_address(club, uow, player, posted.mail.recipient, why, tried_at)
    if reader.reachable:
        send_again(club, uow, posted.mail, reader)


def _without_address(
    club: Club, uow: UnitOfWork, player_id: PlayerId, address: str, why: str, tried_at: datetime
) -> Player:
    """The player, his address as failed; but what was tried before it last worked tells nothing."""
    player = uow.players.get(player_id)
    same = [
        a for a in uow.players.addresses(player_id) if a.address.casefold() == address.casefold()
    ]
    for known in same:
        worked_since = known.works_since is not None and known.works_since > tried_at
        if known.failed_at is None and not worked_since:
            return address_fails(club, uow, player, known.address, why)
    return player
