"""Held: after a restore the club reads and plays, but writes to nobody until its operator says so.

What waited to go when the copy was made may have gone since, and so may the answers to what came
since and is read again: players must not get all that once more.
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
    """Which of the held mails go."""

    NEEDED = "needed"
    """The newest of each match and offer to whom it waits for, or who has to know that it is over;
    questions that nobody has answered; and what is written upon mails from after the restore."""
    ALL = "all"
    NONE = "none"


class HeldMail(NamedTuple):
    """A mail that does not go yet."""

    mail: WaitingMail
    needed: bool
    """Whether without it a match might stand still, or a question be unknown."""


class Released(NamedTuple):
    """What became of the mails that were held."""

    going: int
    withheld: int


def is_held(club: Club) -> bool:
    """Whether no mail goes and no time counts, since the club was restored."""
    with reading(club) as work:
        return work.service.held_since() is not None


def tell_if_held(club: Club) -> None:
    """Says in the log why no mail goes."""
    if is_held(club):
        log.warning("mail is held since the restore: see pbem mail held, then pbem mail release")


def held(work: Work) -> list[HeldMail]:
    """The mails that are held, oldest first; none in a club that sends as usual."""
    since = work.service.held_since()
    if since is None:
        return []
    mails = work.outbox.waiting()
    needed = _awaited(work, mails) | _questions(work, mails) | _new(mails, since)
    return [HeldMail(mail, mail.id in needed) for mail in mails]


def release(work: Work, which: Release) -> Released:
    """Some of the held mails go, the others never will, and the club goes on as usual."""
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
    # Nothing is kept of somebody who is a member no more, whether they were told so or not.
    work.outbox.drop(mail.id)
    work.erasures.note(work.now)
    work.jobs.enqueue("erase")


def _awaited(work: Work, mails: Collection[WaitingMail]) -> set[int]:
    """The newest of each match and each offer to whoever it waits for, or who must know its end."""
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
    """Those upon a mail that came after a moment: they cannot have gone before."""
    return {mail.id for mail in mails if mail.received_at is not None and mail.received_at >= since}


def _invited(work: Work) -> dict[TopicKey, Collection[PlayerId]]:
    """Who has not answered the offers that stand."""
    return {OfferTopic(each.number, 0).key: each.asked for each in work.offers.standing()}


def _asked(work: Work, match_id: int) -> Collection[PlayerId]:
    """Whom a match waits for: who is to act, and where something was offered, everybody.

    Where it has ended nobody may go on waiting.
    """
    match = work.matches.get(match_id)
    if match.result is not None or match.offer is not None or match.pause_offer is not None:
        return match.players
    return {player for player in (match.player_to_act,) if player is not None}
