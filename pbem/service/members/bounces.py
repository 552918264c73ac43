"""Bounces: returned emails show that an address of a player accepts none.

A bounce is proven if it knows the key or the Message-ID of our email. The address that failed is
then the recipient of that email, whatever the bounce says. Any other bounce changes nothing. An
email sent to the key counts as a bounce, unless it says that ours was delivered.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.log import get_logger
from pbem.mail.addresses.addressing import bounce_keys
from pbem.mail.bounce.bounce import Bounce, read_bounce
from pbem.mail.bounce.failure import DeliveryFailure, Fault, Subject, refusal
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds import DirectorUndeliverable
from pbem.mail.topic import match_of
from pbem.matches.match import Player, PlayerId
from pbem.ports.inbound import InboundMail
from pbem.ports.outbox import Delivery, DeliveryReport, OutgoingMail, PostedMail, QueuedMail
from pbem.service.club import Club
from pbem.service.members.absences import answered_mail, note_absence
from pbem.service.members.own_addresses import address_fails, waiting_matches
from pbem.service.play.digests import missed
from pbem.service.post.post import send_again, tell_director
from pbem.service.work import Work

log = get_logger(__name__)

AGAIN_AFTER = (timedelta(hours=4), timedelta(days=1), timedelta(days=1))
"""Pauses before each new attempt after a temporary failure. Then the email has failed for good."""
REFUSED_AGAIN_AFTER = tuple(timedelta(hours=hours) for hours in (1, 3, 7, 13))
"""The same after a refusal for content or policy. All within a day, since the clock runs."""


def take_bounce(work: Work, mail: InboundMail, message: Message) -> None:
    """Handle a bounce. The caller closes its own row."""
    bounce = read_bounce(mail.raw)
    posted = answered_mail(work, message, bounce.message_ids)
    if posted is None or _again(work, mail, message):
        log.warning("bounce of no mail of ours", mail=mail.id, again=posted is not None)
        return
    failure = told_of(bounce, posted.mail.recipient, to_its_key=to_its_key(work.club, message))
    if failure is None:
        if posted.mail.player is not None and not bounce.tells:
            note_absence(work, mail, message, posted.mail.player, match_of(posted.mail.topic))
        return
    if posted.mail.player is None:
        log.error("undeliverable", outbox=posted.id, reply=_reason(failure))
        work.outbox.bounced(posted.id, _reason(failure), work.now)
    elif not posted.failed and (posted.closed or failure.fault is Fault.HARD):
        _take_back(work, posted, posted.mail.player, failure, posted.queued_at)


def to_its_key(club: Club, message: Message) -> bool:
    """Return whether an email was sent to an address that only our own bounces reach."""
    return bool(bounce_keys(message, club.addresses))


def told_of(bounce: Bounce, recipient: str, *, to_its_key: bool) -> DeliveryFailure | None:
    """Return the failure that a bounce reports, None if the email was delivered or is still queued.

    Prefers the recipient's address if the bounce names it, otherwise any other that failed, such as
    an alias. A bounce to the key that says nothing is a failure without details.
    """
    failed = bounce.failed
    named = [each for each in failed if each.address in (recipient.lower(), "")] or list(failed)
    if not named and (bounce.unnamed or (to_its_key and not bounce.tells)):
        return DeliveryFailure(recipient, Fault.SOFT, "", bounce.words)
    return min(named, key=lambda each: each.fault is not Fault.HARD, default=None)


def undelivered(work: Work, queued: QueuedMail, report: DeliveryReport) -> None:
    """Handle an email that a server refused or deferred too often. Its row has failed.

    An email refused for its content is tried again for a day. The next server may accept it, and a
    player must not lose on time over a word in a note. If it was a report to the director, `pbem
    doctor` shows the failure and no other email reports it.
    """
    mail, posted = queued.mail, work.outbox.by_message_id(queued.mail.message_id)
    failure = refusal(mail.recipient, report.reply)
    if report.delivery is Delivery.DEFERRED:  # tried for days
        failure = failure._replace(fault=Fault.HARD)
    elif failure.subject is Subject.UNKNOWN:  # no reason given: the server does not want the email
        failure = failure._replace(subject=Subject.POLICY)
    if posted is None:
        return
    if mail.player is not None:
        by_policy = failure.fault is Fault.SOFT and failure.subject is Subject.POLICY
        if by_policy and posted.bounces == 0:
            _tell_refused(work, mail, report, again=True)
        _take_back(work, posted, mail.player, failure, work.now)
    elif mail.recipient == work.club.director:
        _again_later(work, posted, failure)
    else:
        _tell_refused(work, mail, report, again=False)


def _tell_refused(work: Work, mail: OutgoingMail, report: DeliveryReport, *, again: bool) -> None:
    mail_of = (mail.recipient, report.reply, mail.kind, match_of(mail.topic))
    if mail.player is None:
        tell_director(work, DirectorUndeliverable(*mail_of, again))
        return
    player, playing = work.players.get(mail.player), work.matches.of_player(mail.player)
    waiting = waiting_matches(each for each in playing if each.player_to_act == player.id)
    tell_director(work, DirectorUndeliverable(*mail_of, again, player, waiting))


def _again(work: Work, mail: InboundMail, message: Message) -> bool:
    """Return whether the same bounce has come before."""
    return any(each.message_id == message.message_id for each in work.inbound.copies(mail))


def _take_back(
    work: Work,
    posted: PostedMail,
    player: PlayerId,
    failure: DeliveryFailure,
    tried_at: datetime,
) -> None:
    """Try an email again later, or send it to the player's next address."""
    if _again_later(work, posted, failure):
        return
    why = _reason(failure)
    work.outbox.bounced(posted.id, why, work.now)
    reader = _without_address(work, player, posted.mail.recipient, why, tried_at)
    if reader.reachable:
        send_again(work, posted.mail, reader)
    else:
        missed(work, posted.mail.topic)


def _again_later(work: Work, posted: PostedMail, failure: DeliveryFailure) -> bool:
    """Try an email again later if its failure allows another attempt. Return whether it did."""
    pauses = REFUSED_AGAIN_AFTER if failure.subject is Subject.POLICY else AGAIN_AFTER
    if failure.fault is not Fault.SOFT or posted.bounces >= len(pauses):
        return False
    due_at = work.now + pauses[posted.bounces]
    work.outbox.bounced_for_now(posted.id, _reason(failure), due_at)
    return True


def _reason(failure: DeliveryFailure) -> str:
    return failure.words or failure.status or "no reason was given"


def _without_address(
    work: Work, player_id: PlayerId, address: str, why: str, tried_at: datetime
) -> Player:
    """Record that an address failed, unless it has worked since that attempt. Return the player."""
    player = work.players.get(player_id)
    same = [
        a for a in work.players.addresses(player_id) if a.address.casefold() == address.casefold()
    ]
    for known in same:
        worked_since = known.works_since is not None and known.works_since > tried_at
        if known.failed_at is None and not worked_since:
            return address_fails(work, player, known.address, why)
    return player
