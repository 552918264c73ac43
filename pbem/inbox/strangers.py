"""Strangers: answer emails that prove no sender, as far as the limit of their mailbox allows.

Anyone may have written such an email, so the answer may go to a person who asked for nothing. Over
the limit, a request is kept and read again as soon as there is room.
"""

from __future__ import annotations

from datetime import timedelta

from pbem.inbox.judgement import (
    Accepted,
    FromStranger,
    JudgedBlocks,
    Judgement,
    Kept,
    MailReading,
    Parked,
    RefusedMail,
)
from pbem.inbox.proof.rate_limits import ANSWERS, is_read_again, morning_before
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
"""Maximum number of strangers' emails that wait for an answer: as many as can be answered in a day.

Signed and unsigned ones are counted apart.
"""
MOST_KEPT_OF_MAILBOX = A_DAY.most


def cause_of(work: Work, reading: MailReading) -> Cause | None:
    """Return the holder of an email, and the limits that apply to an answer.

    None for bots. Directors have no limits, since they may write to everyone anyway.
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
    answered = isinstance(judgement, Accepted | Parked | RefusedMail | JudgedBlocks)
    if not answered or has_room(work):
        return judgement
    assert work.cause is not None
    return Kept(judgement.reading, waits_for=work.cause.allowance)


def has_room(work: Work) -> bool:
    """Return whether the causing email can be answered now.

    Locks the allowance until this unit of work ends.
    """
    cause = work.cause
    if cause is None or not cause.allowance:
        return True
    work.inbound.take_turns(cause.allowance)
    return bool(room_in(work, cause.allowance)) and (
        isinstance(cause.holder, int) or bool(room_for_strangers(work, cause.allowance, lock=True))
    )


def last_answer(work: Work, reading: MailReading) -> int | None:
    """Return the daily limit of answers if this is the last answer of the day, otherwise None."""
    if reading.answers_left is not None:
        return None if reading.answers_left.left else reading.answers_left.most
    cause, who = work.cause, reading.sender and reading.sender.who
    if cause is None or not cause.allowance:
        return None
    since = morning_before(work.now, who if isinstance(who, Player) else None)
    before = len(work.outbox.unrequested(cause.allowance, since))
    return A_DAY.most if before == A_DAY.most - 1 else None


def answer_stranger(work: Work, judgement: FromStranger) -> None:
    """Send one short answer per week to a mailbox, if there is room."""
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
        # Leave out their subject: the person in From may not have written it.
        joining = work.club.policy.joining
        post(work, UnknownSender(joining), mail.sender, Answered(message.message_id))


def make_place(work: Work, kept: Kept) -> None:
    """Drop waiting emails so that the newly kept one has a place.

    Each mailbox, and all strangers together, may have as many waiting emails as can be answered in
    a day. So answers to forged emails stop at most a day after the last one arrives. From each
    address the first and the newest wait, and for a mailbox the oldest and the newest. So a forged
    email displaces no earlier honest request and keeps no later one out.
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
    """Requeue the kept emails that there is room for now, the newest of each mailbox first."""
    rooms: dict[str, int] = {}
    for each in _waiting(work):
        if _is_due(work, each, rooms):
            work.inbound.close(each.id, InboundState.NEW)
            put_into_line(work, each.id)


def _is_due(work: Work, kept: KeptMail, rooms: dict[str, int]) -> bool:
    """Return whether there is room. Takes it from `rooms`, the room left in each allowance."""
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
    """Return the waiting emails, newest first, and lock them until this unit of work ends."""
    work.inbound.take_turns(HELD)
    return work.inbound.kept_for(HELD)


def _for(kept: KeptMail) -> str:
    """Return the allowance that an email waits for."""
    return kept.reason.removeprefix(HELD)


def _kind_of(allowance: str) -> str:
    """Return the kind of an allowance: for signed emails or for unsigned ones."""
    return allowance.partition(" ")[0]
