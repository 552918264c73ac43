"""Act: carry out a judgement and answer the sender."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from pbem.commands.api import CommandResult
from pbem.games.api import ActionError, AnyGame
from pbem.inbox.answer_blocks import carry_out_blocks
from pbem.inbox.changes import as_they_are, helpful, pass_on_talk, played, with_effects
from pbem.inbox.confirmation import LINES_SHOWN, park, settle
from pbem.inbox.judgement import (
    Accepted,
    Duplicate,
    FromStranger,
    Ignored,
    JudgedBlocks,
    Judgement,
    Kept,
    Limited,
    MailReading,
    Parked,
    RefusedMail,
)
from pbem.inbox.proof.rate_limits import RATE_SPAN
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.requests import Requests, read_requests
from pbem.inbox.strangers import answer_stranger, has_room, last_answer, make_place
from pbem.inbox.texts import without_talk
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds import Answer, DirectorInVain, RateLimited, RefusalMail, Section
from pbem.mail.outgoing.kinds.refusals import GameMissing, NoCommand, Refusal, RefusedError
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.other_position import OtherPosition
from pbem.mail.outgoing.typeset.page import Figure
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.mail.reply.blocks import with_headings_apart
from pbem.mail.reply.reply_text import Fresh, below_line
from pbem.mail.screening.screening import Verdict
from pbem.matches.match import Match, Player
from pbem.matches.plan_lines import find_plan
from pbem.matches.score import turn_lines
from pbem.service.members.absences import take_absence
from pbem.service.members.bounces import take_bounce
from pbem.service.play.change import tell
from pbem.service.play.digests import send_now
from pbem.service.play.talk import UnsentNotes, told, waiting_in
from pbem.service.post.post import Answered, answered_by, post, tell_director, view_of
from pbem.service.work import Work


def act(work: Work, judgement: Judgement) -> Sequence[Match]:
    """Carry out a judgement. Return the matches that changed."""
    if isinstance(judgement, Accepted | Parked | RefusedMail | JudgedBlocks):
        _tell_of_vain_mails(work, judgement.reading, judgement.sender)
    match judgement:
        case Accepted():
            changed = _carry_out(work, judgement)
            return () if changed is None else (changed,)
        case JudgedBlocks():
            return carry_out_blocks(work, judgement)
        case Ignored():
            _ignore(work, judgement)
        case FromStranger():
            answer_stranger(work, judgement)
        case Duplicate() | Limited():
            pass
        case Kept():
            _keep(work, judgement)
        case Parked():
            _park(work, judgement)
        case RefusedMail():
            _refuse(work, judgement)
    return ()


def _ignore(work: Work, judgement: Ignored) -> None:
    mail, screening = judgement.reading.mail, judgement.reading.screening
    if screening.verdict is Verdict.BOUNCE:
        take_bounce(work, mail, judgement.reading.message)
    elif screening.verdict is Verdict.AUTOMATIC:
        take_absence(work, mail, judgement.reading.message)


def _keep(work: Work, judgement: Kept) -> None:
    """Keep an email that is over a limit. Send its player at most one notice per hour.

    An email that waits for room for its answer gets no notice.
    """
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


def _refuse(work: Work, judgement: RefusedMail) -> None:
    reading = judgement.reading
    refuse(work, judgement.sender, reading.message, judgement.refusal, reading.requests)


def _tell_of_vain_mails(work: Work, reading: MailReading, sender: AnySender) -> None:
    """Tell the director when this is the sender's last answer of the day.

    By then many of their emails have changed nothing.
    """
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
            lines_shown=_lines_shown(fresh, sender),
        ),
    )


def _lines_shown(fresh: Fresh | None, sender: AnySender) -> Sequence[str]:
    """Return the first lines of an email for the director, without plans, talk and previews."""
    if fresh is None:
        return ()
    text = without_talk(with_headings_apart(fresh.fresh))
    plan = find_plan(text, sender.match.game) if sender.match else None
    text = text if plan is None else f"{plan.above}\n{plan.below}"
    return list(islice(_without_lines_of_turns(text.strip().splitlines()), LINES_SHOWN))


def _without_lines_of_turns(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines without those that may be a plan or a preview, and the lines directly below."""
    hidden = False
    for line in lines:
        hidden = bool(line.strip()) and (hidden or bool(_OF_TURNS.search(line)))
        if not hidden:
            yield line


_OF_TURNS = re.compile(r"\b(?:if|then|ahead|preview)\b", re.IGNORECASE)
"""Words of a line that may be a plan or a preview, even if the email is about no match."""


def _carry_out(work: Work, judgement: Accepted) -> Match | None:
    reading, requests, done = judgement.reading, judgement.requests, judgement.done
    if reading.confirmed is not None:
        settle(work, reading.confirmed)
    # A director reads "Done" before the emails that it causes.
    answered = requests.by_director and len(done.sections) == len(requests.items)
    if answered:
        answer(work, judgement.sender, done, requests, reading.message)
    done = with_effects(work, done)
    sender = as_they_are(work, judgement.sender, done)
    if done.digest and isinstance(sender.who, Player):
        send_now(work, sender.who.id, answered_by(reading.message))
    if sender.match is None or done.match is None or not isinstance(sender.who, Player):
        if not answered and (
            done.sections or requests.note
        ):  # otherwise the match emails say it all
            answer(work, sender, done, requests, reading.message)
        pass_on_talk(work, sender, done)
        return None
    accepted = replace(judgement, sender=sender, done=done)
    return tell(work, played(work, accepted))


def answer(
    work: Work, sender: AnySender, done: CommandResult, requests: Requests, message: Message
) -> None:
    """Answer commands that changed no match, and add any notes the reader has not received yet."""
    view = _view(work, sender) or _shown(work, sender, done)
    waiting = (
        waiting_in(work, view.match).get(view.you.id, UnsentNotes()) if view else UnsentNotes()
    )
    sections = _alone(done.sections)
    mail = Answer(view, sections, requests.note, waiting.notes, changes=bool(done.effects))
    answered, files = _answered(sender, message), done.attachments
    post(work, mail, _reader(sender), answered, attachments=files)
    if view:
        told(work, view, waiting)


def _alone(sections: Sequence[Section]) -> Sequence[Section]:
    """Return sections in which another position than the present one has links if it is alone."""
    match sections:
        case (Section(name, {"shown": OtherPosition() as shown} as data),):
            return (Section(name, {**data, "shown": replace(shown, alone=True)}),)
        case _:
            return sections


def _shown(work: Work, sender: AnySender, done: CommandResult) -> MatchView | None:
    """Return the view of the match the sender asked to see, if that was their only request."""
    if done.shown is None or len(done.sections) != 1 or not isinstance(sender.who, Player):
        return None
    return view_of(work, done.shown, sender.who)


def refuse(
    work: Work,
    sender: AnySender,
    message: Message,
    refusal: Refusal,
    requests: Requests | None = None,
) -> None:
    """Send a refusal, with the board if the email is about a match."""
    view = None if isinstance(refusal, GameMissing) else _view(work, sender)
    of_club = requests is not None and requests.of_club
    mail = RefusalMail(helpful(refusal, sender, view), view, of_club=of_club)
    if view is not None:
        mail = replace(mail, changed=_changed(work, sender))
    elif isinstance(sender.who, Player):
        mail = replace(mail, matches=work.matches.of_player(sender.who.id))
    if view is not None and isinstance(refusal, NoCommand):
        mail = replace(mail, line=_line_above_commands(view.game, message))
    post(work, mail, _reader(sender), _answered(sender, message))


def _reader(sender: AnySender) -> Player | str:
    """Return the recipient of an answer."""
    return sender.who if isinstance(sender.who, Player) else sender.who.address


def _answered(sender: AnySender, message: Message) -> Answered:
    """Return the email to answer. Leave out its subject if nothing proves who wrote it."""
    if isinstance(sender.who, Player) or sender.proven:
        return answered_by(message)
    return Answered(message.message_id)


def _view(work: Work, sender: AnySender) -> MatchView | None:
    """Return the match of an email as its sender sees it, None if there is none."""
    if sender.match is None or not isinstance(sender.who, Player):
        return None
    return view_of(work, work.whole(sender.match), sender.who)


def _line_above_commands(game: AnyGame, message: Message) -> str:
    """Return the line that ended the fresh text, if there are commands below it."""
    line, below = below_line(message.text)
    try:
        return "" if read_requests(below, game).empty else line
    except (ActionError, RefusedError):
        return ""


def _changed(work: Work, sender: AnySender) -> Figure | None:
    """Show the turns since the email that was answered."""
    if sender.match is None or sender.proof is None:
        return None
    match = sender.match
    actions = work.matches.recorded(match.id, sender.proof.turn - match.lead)
    return in_columns(str(line) for line in turn_lines(match.game, tuple(match.seats), actions))
