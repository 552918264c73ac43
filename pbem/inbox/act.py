"""Act: what is done with a mail by what it is judged to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.archive.site.values import Note
from pbem.commands.api import Done
from pbem.inbox.answers import announce, answer, refuse
from pbem.inbox.confirmation import LINES_SHOWN, park, settle
from pbem.inbox.judgement import (
    Accepted,
    Duplicate,
    Ignored,
    Judgement,
    Kept,
    Limited,
    Parked,
    Reading,
    Refused,
    Stranger,
)
from pbem.inbox.proof.limits import RATE_SPAN
from pbem.inbox.proof.sender import AnySender, Sender
from pbem.inbox.strangers import answer_stranger, has_room, last_answer, make_place
from pbem.mail.outgoing.kinds import DirectorInVain, RateLimited
from pbem.mail.screening.screening import Verdict
from pbem.matches.acting import Change
from pbem.matches.match import Match, MatchSummary, Player
from pbem.service.members.absences import take_absence
from pbem.service.members.bounces import take_bounce
from pbem.service.play.change import apply
from pbem.service.post.post import answered_by, post, tell_director
from pbem.service.room.people import shows_notes
from pbem.service.work import Work


def act(work: Work, judgement: Judgement) -> Match | None:
    """Does with a mail what it is judged to deserve; returns the match if it has changed."""
    if isinstance(judgement, Accepted | Parked | Refused):
        _tell_of_vain_mails(work, judgement.reading, judgement.sender)
    match judgement:
        case Accepted():
            return _carry_out(work, judgement)
        case Ignored():
            _ignore(work, judgement)
        case Stranger():
            answer_stranger(work, judgement)
        case Duplicate() | Limited():
            pass
        case Kept():
            _keep(work, judgement)
        case Parked():
            _park(work, judgement)
        case Refused():
            _refuse(work, judgement)
    return None


def _ignore(work: Work, judgement: Ignored) -> None:
    mail, screening = judgement.reading.mail, judgement.reading.screening
    if screening.verdict is Verdict.BOUNCE:
        take_bounce(work, mail, judgement.reading.message)
    elif screening.verdict is Verdict.AUTOMATIC:
        take_absence(work, mail, judgement.reading.message)


def _keep(work: Work, judgement: Kept) -> None:
    """Send a player one notice an hour; an email whose answer waits for room gets none."""
    reading, limit = judgement.reading, judgement.limit
    player = reading.sender.who if reading.sender else None
    if work.cause is not None and judgement.waits_for == (work.cause.allowance or None):
        make_place(work, judgement)
    if limit is None or not isinstance(player, Player) or not has_room(work):
        return
    if not work.outbox.count(player.address, RateLimited.name(), work.now - RATE_SPAN):
        post(work, RateLimited(limit.mails, limit.of_match), player, answered_by(reading.message))


def _park(work: Work, judgement: Parked) -> None:
    reading, who = judgement.reading, judgement.sender.who
    sections = reading.done.sections if reading.done else ()
    park(
        work,
        judgement.change,
        who,
        judgement.match,
        reading.message,
        judgement.requests,
        sections,
    )


def _refuse(work: Work, judgement: Refused) -> None:
    reading = judgement.reading
    refuse(work, judgement.sender, reading.message, judgement.refusal, reading.requests)


def _tell_of_vain_mails(work: Work, reading: Reading, sender: AnySender) -> None:
    """Tell the director of the last answer of a day: many emails come and change nothing."""
    answers, fresh = last_answer(work, reading), reading.fresh
    if answers is None or not isinstance(sender.who, Player):
        return
    tell_director(
        work,
        DirectorInVain(
            sender.who,
            answers,
            reading.mail.sender,
            match_id=sender.match.id if sender.match else None,
            proven=sender.proven,
            lines_shown=fresh.fresh.strip().splitlines()[:LINES_SHOWN] if fresh else (),
        ),
    )


def _with_effects(work: Work, done: Done) -> Done:
    """What was done, once it is written; with what is to be said of that."""
    said = [effect(work) for effect in done.effects]
    return replace(done, sections=(*done.sections, *(each for each in said if each)))


def _as_they_are(work: Work, sender: AnySender, done: Done) -> AnySender:
    """The sender after what they have chosen: the answer itself goes by that."""
    if not done.effects:
        return sender
    if isinstance(sender.who, Player):
        match = sender.match and work.matches.get(sender.match.id)
        return replace(sender, who=work.players.get(sender.who.id), match=match)
    member = work.players.at(sender.who.address)
    return sender if member is None else Sender(member, proof=sender.proof)


def _carry_out(work: Work, judgement: Accepted) -> Match | None:
    reading, requests, done = judgement.reading, judgement.requests, judgement.done
    if reading.confirmed is not None:
        settle(work, reading.confirmed)
    done = _with_effects(work, done)
    sender = _as_they_are(work, judgement.sender, done)
    if sender.match is None or done.match is None or not isinstance(sender.who, Player):
        if done.sections or requests.note:  # else other mails tell all that has come of it
            answer(work, sender, done, requests, reading.message)
        return None
    before = work.whole(sender.match)
    change = Change(done.match, done.events)
    match = apply(work, before, change, reading.mail.received_at)
    keep_note(work, sender.match, sender.who, requests.note)
    announce(work, before, match, sender.who, done, requests, reading.message)
    return match


def keep_note(work: Work, match: MatchSummary, author: Player, lines: Sequence[str]) -> None:
    """Keeps the note of a mail about the turn of a match; of who has not chosen so, nothing."""
    if lines and shows_notes(author):
        text = "\n".join(lines)
        work.notes.add(match.id, Note(match.turn, author.id, text, work.now))
