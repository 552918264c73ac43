"""Answer emails that prove no sender, as often as the limit of their mailbox allows.

Anybody may have written it, so the answer may go to somebody who asked for nothing. Over the limit,
a request is kept, and read again as soon as there is room.
"""

from __future__ import annotations

from datetime import timedelta

from pbem.inbox.judgement import (
    Accepted,
    FromStranger,
    Judgement,
    Kept,
    MailReading,
    Parked,
    RefusedMail,
)
from pbem.inbox.proof.limits import ANSWERS, is_read_again, morning_before
from pbem.inbox.proof.sender import vouched_for
from pbem.mail.outgoing.kinds import UnknownSender
from pbem.mail.topic import AddressTopic
from pbem.matches.match import Player
from pbem.ports.inbound import HELD, InboundState, KeptMail
from pbem.service.people import is_director
from pbem.service.post.allowance import (
    A_DAY,
    STRANGERS_AN_HOUR,
    of_mailbox,
    room_for_strangers,
    room_in,
)
from pbem.service.post.post import Answered, post
from pbem.service.receive import put_into_line
from pbem.service.work import Cause, Work

STRANGER_PAUSE = timedelta(days=7)
MOST_KEPT = STRANGERS_AN_HOUR * 24
"""Emails of strangers that wait for an answer: as many as a day has room for.

Signed ones count apart from the others.
"""
MOST_KEPT_OF_MAILBOX = A_DAY.most


def cause_of(work: Work, reading: MailReading) -> Cause | None:
    """Return whose email it is, and what an answer to it counts against.

    None for computer opponents, and for directors, who may write to everybody anyway.
    """
    sender = reading.sender
    if sender is None or sender.bot:
        return None
    if not sender.proven:
        signed = vouched_for(work.club, reading.message) is not None
        return Cause(sender.holder, of_mailbox(sender.who.address, signed=signed))
    directs = isinstance(sender.who, Player) and is_director(work.club, sender.who)
    limited = not (directs or is_read_again(work, reading.mail))
    return Cause(sender.holder, answers_left=reading.answers_left, limited=limited)


def held_back(work: Work, judgement: Judgement) -> Judgement:
    """Return the judgement, or Kept if its answer would be over the limit of its mailbox."""
    if not isinstance(judgement, Accepted | Parked | RefusedMail) or has_room(work):
        return judgement
    assert work.cause is not None
    return Kept(judgement.reading, waits_for=work.cause.allowance)


def has_room(work: Work) -> bool:
    """Return whether the email that is the cause can be answered now.

    Nobody else counts the same until this unit of work ends.
    """
    cause = work.cause
    if cause is None or not cause.allowance:
        return True
    work.inbound.take_turns(cause.allowance)
    return bool(room_in(work, cause.allowance)) and (
        isinstance(cause.holder, int) or bool(room_for_strangers(work, cause.allowance, lock=True))
    )


def last_answer(work: Work, reading: MailReading) -> int | None:
    """Return how many answers there are in a day if this is the last one; None if it is not.

    That comes once a day, however the answers are spread over it.
    """
    if reading.answers_left is not None:
        return None if reading.answers_left.left else reading.answers_left.most
    cause, who = work.cause, reading.sender and reading.sender.who
    if cause is None or not cause.allowance:
        return None
    since = morning_before(work.now, who if isinstance(who, Player) else None)
    before = len(work.outbox.unrequested(cause.allowance, since))
    return A_DAY.most if before == A_DAY.most - 1 else None


def answer_stranger(work: Work, judgement: FromStranger) -> None:
    """Send one short answer a week to a mailbox, if there is room."""
    mail, message = judgement.reading.mail, judgement.reading.message
    since, kind = work.now - STRANGER_PAUSE, UnknownSender.name()
    cause = work.cause
    told = cause and any(
        each.kind == kind for each in work.outbox.unrequested(cause.allowance, since)
    )
    latest = work.outbox.latest(AddressTopic(0).key, mail.sender)
    if told or not mail.sender or (latest and latest.queued_at >= since):
        return
    if has_room(work):
        # Not their subject: the person in From may not have written it.
        joining = work.club.policy.joining
        post(work, UnknownSender(joining), mail.sender, Answered(message.message_id))


def make_place(work: Work, kept: Kept) -> None:
    """Give up emails so that the one that is now kept has a place.

    As many wait for each mailbox, and for all strangers, as a day has room for. So forged emails
    are answered for a day at most after the last of them has come. From each address the first and
    the newest wait, and for a mailbox the oldest and the newest: what is forged later displaces no
    honest request, and what was forged earlier keeps none out.
    """
    own, sender = kept.reading.mail, kept.reading.sender
    waiting = [each for each in _waiting(work) if each.id != own.id]
    to_mailbox = [each for each in waiting if each.reason == kept.stored]
    gone = [each for each in to_mailbox if each.sender == own.sender][:-1]
    others = [each for each in to_mailbox if each not in gone]
    gone += others[MOST_KEPT_OF_MAILBOX // 2 - 1 : -MOST_KEPT_OF_MAILBOX // 2]
    if sender is None or not isinstance(sender.who, Player):
        kind = _kind_of(kept.waits_for)
        alike = (each for each in waiting if each.player is None and _kind_of(_for(each)) == kind)
        gone += [each for each in alike if each not in gone][MOST_KEPT - 1 :]
    for number in {each.id for each in gone}:
        work.inbound.close(number, InboundState.LIMITED, kept.reason)


def reopen_held(work: Work) -> None:
    """Put back into the queue what there is room for now, the newest of each mailbox first."""
    rooms: dict[str, int] = {}
    for each in _waiting(work):
        if _is_due(work, each, rooms):
            work.inbound.close(each.id, InboundState.NEW)
            put_into_line(work, each.id)


def _is_due(work: Work, kept: KeptMail, rooms: dict[str, int]) -> bool:
    """Whether there is room; `rooms` has what is left of each allowance, and is used up here."""
    allowance = _for(kept)
    if allowance.startswith(ANSWERS):
        player = None if kept.player is None else work.players.get(kept.player)
        return kept.recorded_at < morning_before(work.now, player)
    of_strangers = "" if kept.player is not None else _kind_of(allowance)
    if of_strangers and of_strangers not in rooms:
        rooms[of_strangers] = room_for_strangers(work, allowance)
    if of_strangers and not rooms[of_strangers]:
        return False
    if allowance not in rooms:
        rooms[allowance] = room_in(work, allowance)
    if not rooms[allowance]:
        return False
    for each in filter(None, (of_strangers, allowance)):
        rooms[each] -= 1
    return True


def _waiting(work: Work) -> list[KeptMail]:
    """Return what waits, newest first. Nobody else lets it go on until this unit of work ends."""
    work.inbound.take_turns(HELD)
    return work.inbound.kept_for(HELD)


def _for(kept: KeptMail) -> str:
    """Return the allowance in which there must be room."""
    return kept.reason.removeprefix(HELD)


def _kind_of(allowance: str) -> str:
    """Whether it is for signed emails, or for others."""
    return allowance.partition(" ")[0]
