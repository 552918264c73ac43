"""Held email: after a restore the club reads and plays, but sends nothing until released.

Emails that waited when the backup was made may have gone since. So may answers to emails that are
now read again. Players must not get them twice.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pbem.log import get_logger
from pbem.mail.outgoing.kinds import Farewell
from pbem.mail.topic import OfferTopic, TopicKey, match_of
from pbem.matches.match import PlayerId
from pbem.ports.outbox import WaitingMail
from pbem.service.club import Club
from pbem.service.work import Work, reading

log = get_logger(__name__)

NOT_SENT = "held after a restore, and not sent"


class Release(StrEnum):
    """Which of the held emails are sent."""

    NEEDED = "needed"
    """The newest about each match and offer, to players that it waits for or who must learn that it
    ended. Also unanswered questions, and emails caused by those that arrived after the restore.
    """
    ALL = "all"
    NONE = "none"


class HeldMail(NamedTuple):
    """An email that is not sent yet."""

    mail: WaitingMail
    needed: bool
    """Whether a match could get stuck, or a question stay unknown, without it."""


class Released(NamedTuple):
    """Numbers of held emails that were released or withheld."""

    going: int
    withheld: int


def is_held(club: Club) -> bool:
    """Return whether the club was restored and its email is still held."""
    with reading(club) as work:
        return work.service.held_since() is not None


def tell_if_held(club: Club) -> None:
    """Log why no email is sent."""
    if is_held(club):
        log.warning("mail is held since the restore: see pbem mail held, then pbem mail release")


def held(work: Work) -> list[HeldMail]:
    """Return the held emails, oldest first. Empty if the club is not held."""
    since = work.service.held_since()
    if since is None:
        return []
    mails = work.outbox.waiting()
    needed = _awaited(work, mails) | _questions(work, mails) | _new(mails, since)
    return [HeldMail(mail, mail.id in needed) for mail in mails]


def release(work: Work, which: Release) -> Released:
    """Queue some of the held emails, withhold the others for good, and end the hold."""
    mails = held(work)
    going = {each.mail.id for each in mails if _goes(each, which)}
    for mail, _ in mails:
        if mail.id not in going:
            _withhold(work, mail)
    work.service.go_on()
    work.jobs.enqueue("deliver")
    return Released(len(going), len(mails) - len(going))


def _goes(held: HeldMail, which: Release) -> bool:
    return which is Release.ALL or (which is Release.NEEDED and held.needed)


def _withhold(work: Work, mail: WaitingMail) -> None:
    if mail.kind != Farewell.name():
        work.outbox.withhold(mail.id, NOT_SENT, work.now)
        return
    # Nothing about a former member is kept, whether or not the farewell reached them.
    work.outbox.drop(mail.id)
    work.erasures.note(work.now)
    work.jobs.enqueue("erase")


def _awaited(work: Work, mails: Collection[WaitingMail]) -> set[int]:
    """Return the newest email per topic and player, if that player must act or learn of the end."""
    newest = {
        (mail.topic, mail.player): mail.id
        for mail in mails
        if mail.topic is not None and mail.player is not None
    }
    awaited = _invited(work)
    for topic in {topic for topic, _ in newest}:
        if (match := match_of(topic)) is not None:
            awaited[topic] = _asked(work, match)
    return {mail for (topic, player), mail in newest.items() if player in awaited.get(topic, ())}


def _questions(work: Work, mails: Collection[WaitingMail]) -> set[int]:
    return {mail.id for mail in mails if work.questions.asked_by(mail.message_id) is not None}


def _new(mails: Collection[WaitingMail], since: datetime) -> set[int]:
    """Return emails caused by others received since a moment. They cannot have gone before."""
    return {mail.id for mail in mails if mail.received_at is not None and mail.received_at >= since}


def _invited(work: Work) -> dict[TopicKey, Collection[PlayerId]]:
    """Return the players who have not answered each open offer."""
    return {OfferTopic(each.number, 0).key: each.asked for each in work.offers.standing()}


def _asked(work: Work, match_id: int) -> Collection[PlayerId]:
    """Return the players that a match waits for: all if there is an offer or it has ended.

    Once it has ended, every player must learn of it, so that nobody keeps waiting.
    """
    match = work.matches.get(match_id)
    if match.result is not None or match.offers or match.pause_offer is not None:
        return match.players
    return {player for player in (match.player_to_act,) if player is not None}
