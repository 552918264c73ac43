"""Absences: out-of-office answers are kept with the player, told the director, never answered.

Who has it so goes on leave by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.mail.addresses.addressing import Token, tokens_in
from pbem.mail.dates.away import days_away
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds import DirectorAbsence, LeaveTaken
from pbem.mail.reply.reply_text import fresh_text
from pbem.mail.screening.absence import is_absence
from pbem.mail.topic import MatchTopic, Topic, match_key, match_of
from pbem.matches.leave import Budget, Leave, leave_for
from pbem.matches.match import Player, PlayerId
from pbem.matches.zones import day_at
from pbem.ports.inbound import InboundMail
from pbem.ports.people import AbsenceNotice
from pbem.ports.process import StorageError
from pbem.service.leave.budget import budget_of
from pbem.service.leave.taking import do
from pbem.service.members.answered_mail import answered_mail, answered_of, witness_of
from pbem.service.members.often import LEAVE as OFTEN, free_at, note
from pbem.service.post.post import post, tell_director
from pbem.service.work import Work
from pbem.settings import absence

MOST_TEXT = 2000
"""Characters kept of a notice."""
PAUSE = timedelta(days=1)
"""A player's next notice is told the director no sooner."""
SAME_PAUSE = timedelta(days=30)
"""The same words again are no news for so long: a robot answers every mail of a holiday."""
REMEMBERED = 20
"""Notices looked back for one that said the same."""


def take_absence(work: Work, mail: InboundMail, message: Message) -> None:
    """Keeps an out-of-office answer to a mail of ours; any other automatic mail is nothing."""
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
    """Keeps what a machine said of a player if it is new; tells the director once a day at most."""
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
    """When the director last heard of a player: of the first notice, and of one a day from then."""
    told: datetime | None = None
    for notice in reversed(notices):
        if told is None or notice.at - told >= PAUSE:
            told = notice.at
    return told


def _about(work: Work, message: Message) -> tuple[PlayerId, int | None] | None:
    """Player and match of the mail that is answered."""
    posted = answered_mail(work, message)
    if posted is not None:
        player = posted.mail.player
        return None if player is None else (player, match_of(posted.mail.topic))
    # Exchange may leave In-Reply-To out; it answers to From, where the token of older mails stands.
    sender = work.players.at(message.from_address)
    for token in tokens_in(message, work.club.addresses):
        if sender is not None and _proves(work, token, sender.id):
            return sender.id, _match_in(work, token.topic)
    return None


def _proves(work: Work, token: Token, player: PlayerId) -> bool:
    """Whether a token is the player's, and nobody else has been shown it."""
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
    """Whether a notice opens leave: on the days that it names, as far as there are any left."""
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
