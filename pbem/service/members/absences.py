"""Absences: keep out-of-office replies, and find which of our emails a reply answers.

Members can choose that such replies open leave for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from pbem.mail.addresses.addressing import ReplyToken, bounce_keys, tokens_in
from pbem.mail.dates.away import days_away
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds import DirectorAbsence, LeaveTaken
from pbem.mail.outgoing.letter import Letter
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import fresh_text
from pbem.mail.screening.absence import is_absence
from pbem.mail.topic import Holder, MatchTopic, Topic, TopicKey, match_key, match_of
from pbem.matches.leave import Budget, Leave, leave_for
from pbem.matches.match import Player, PlayerId
from pbem.matches.zones import day_at
from pbem.ports.inbound import InboundMail
from pbem.ports.outbox import PostedMail
from pbem.ports.people import AbsenceNotice
from pbem.ports.process import StorageError
from pbem.service.leave import budget_of, do
from pbem.service.members.choosing import LEAVE as OFTEN, free_at, note
from pbem.service.post.post import post, tell_director
from pbem.service.work import Work
from pbem.settings import absence

MOST_TEXT = 2000
"""Maximum number of characters kept of a notice."""
PAUSE = timedelta(days=1)
"""The director gets a player's next notice only after this time."""
SAME_PAUSE = timedelta(days=30)
"""The same text is reported once in this time, since a robot answers every email of a holiday."""
REMEMBERED = 20
"""Number of earlier notices that are compared."""


def take_absence(work: Work, mail: InboundMail, message: Message) -> None:
    """Store an out-of-office reply to one of our emails. Other automatic emails are ignored."""
    about = _about(work, message) if is_absence(message) else None
    if about is not None:
        note_absence(work, mail, message, *about)


def note_absence(
    work: Work,
    mail: InboundMail,
    message: Message,
    player: PlayerId,
    match_id: int | None,
) -> None:
    """Store a notice about a player if it is new. Tells the director at most once a day."""
    about = None if match_id is None else match_key(match_id)
    answered = answered_of(work, message, player)
    witness = witness_of(work, answered, player, about)
    text = fresh_text(message.text, message.from_name, witness).fresh.strip()[:MOST_TEXT]
    notice = AbsenceNotice(player, match_id, mail.recorded_at, message.subject, text)
    earlier = work.absences.of(player, REMEMBERED)
    if any(each.text == text and notice.at - each.at < SAME_PAUSE for each in earlier):
        return
    work.absences.add(notice)
    away = work.players.get(player)
    on_leave = open_leave(work, away, notice, mail.received_at)
    last_told = _last_told(earlier)
    if last_told is None or notice.at - last_told >= PAUSE:
        tell_director(work, DirectorAbsence(away, match_id, notice.subject, text, on_leave))


def _last_told(notices: Sequence[AbsenceNotice]) -> datetime | None:
    """Return when the director was last notified: at the first notice, then one a day later."""
    told: datetime | None = None
    for notice in reversed(notices):
        if told is None or notice.at - told >= PAUSE:
            told = notice.at
    return told


def _about(work: Work, message: Message) -> tuple[PlayerId, int | None] | None:
    """Return the player and match of the email that is answered."""
    posted = answered_mail(work, message)
    if posted is not None:
        player = posted.mail.player
        return None if player is None else (player, match_of(posted.mail.topic))
    # Exchange may omit In-Reply-To. It answers to From, which holds the token in older emails.
    sender = work.players.at(message.from_address)
    for token in tokens_in(message, work.club.addresses):
        if sender is not None and _proves(work, token, sender.id):
            return sender.id, _match_in(work, token.topic)
    return None


def _proves(work: Work, token: ReplyToken, player: PlayerId) -> bool:
    """Return whether a token is the player's and was never shown to anybody else."""
    shown = work.exposures.of(token.topic.key, player)
    spent = shown is not None and token.topic.turn <= shown.turn
    return not spent and work.club.signer.proves(token, player)


def _match_in(work: Work, topic: Topic) -> int | None:
    if not isinstance(topic, MatchTopic):
        return None
    try:
        return work.matches.get(topic.match).id
    except StorageError:
        return None


def open_leave(work: Work, player: Player, notice: AbsenceNotice, at: datetime) -> bool:
    """Open leave on the days that a notice names, if the budget allows. Return whether it did."""
    if not absence.opens_leave(player) or player.former:
        return False
    days = days_away(notice.subject, notice.text, day_at(at, player.time_zone))
    if days is None:
        return False
    wanted = leave_for(*days, player.time_zone, at)
    leave = budget_of(work, player, at).as_much_of(wanted, player.time_zone)
    if leave is None or free_at(work, player.id, OFTEN):
        return False
    before, after = do(work, player.id, lambda _, budget: budget.taken(leave), at)
    if after != before:
        note(work, player.id, OFTEN)
        _tell(work, player, after, leave, shorter=leave.last < days.last)
    return True


def _tell(work: Work, player: Player, budget: Budget, leave: Leave, *, shorter: bool) -> None:
    year = leave.last.year
    left = budget.left(year)
    told = LeaveTaken(None, "absence", leave.first, leave.last, year, left, shorter)
    post(work, told, player)


MOST_LOOKED_UP = 30
"""Maximum number of keys and Message-IDs looked up for one email."""


def answered_mail(work: Work, message: Message, returned: Sequence[str] = ()) -> PostedMail | None:
    """Return our email that a message answers or returns, None if there is none.

    Looks by the address it was sent to, then by the Message-IDs that it returns or answers. Readers
    of a reply-all have seen the Message-ID, but never the key.
    """
    for key in bounce_keys(message, work.club.addresses)[:MOST_LOOKED_UP]:
        if posted := work.outbox.by_bounce_key(key):
            return posted
    for message_id in (*returned, *message.references)[:MOST_LOOKED_UP]:
        posted = work.outbox.by_message_id(message_id)
        if posted is not None and not _seen_by_others(work, posted):
            return posted
    return None


def mails_to(work: Work, holder: Holder, message_ids: Iterable[str]) -> Iterator[PostedMail]:
    """Yield those of some emails that we sent to a holder, in their order."""
    for message_id in islice(message_ids, MOST_LOOKED_UP):
        posted = work.outbox.by_message_id(message_id)
        if posted is not None and posted.mail.holder == holder:
            yield posted


def answered_of(work: Work, message: Message, holder: Holder) -> PostedMail | None:
    """Return the email to a holder that their message answers, None if it names none."""
    referred = (*message.in_reply_to, *reversed(message.references))
    return next(mails_to(work, holder, referred), None)


def witness_of(
    work: Work, answered: PostedMail | None, holder: Holder, about: TopicKey | None
) -> QuotedLetters:
    """Return the email that is answered, or its whole thread if the client does not name it."""
    likely = thread_of(work, holder, about) if answered is None else (answered,)
    return witness_by(posted.mail.letter for posted in likely)


def witness_by(letters: Iterable[Letter]) -> QuotedLetters:
    """Return emails as readers may quote them, as text and HTML. Old ones have lost their text."""
    known = tuple(letter for letter in letters if letter.text)
    pages = tuple(letter.html for letter in known if letter.html)
    return QuotedLetters(tuple(letter.text for letter in known), pages)


def thread_of(work: Work, holder: Holder, about: TopicKey | None) -> Iterator[PostedMail]:
    """Yield the emails to a holder in the thread of a topic, newest first."""
    if about is not None:
        yield from mails_to(work, holder, reversed(work.outbox.thread(about, holder)))


def _seen_by_others(work: Work, posted: PostedMail) -> bool:
    if posted.mail.topic is None:
        return False
    exposure = work.exposures.of(posted.mail.topic, posted.mail.holder)
    return exposure is not None and posted.id <= exposure.mail
