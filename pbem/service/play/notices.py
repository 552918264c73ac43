"""Notices: choose the email about an event for each player, and combine emails that can wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from pbem.archive.site.values import Note, NoteKind
from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds import (
    LapsedPlan,
    MatchOver,
    Position,
    Progress,
    Receipt,
    Section,
    Talk,
    Turn,
)
from pbem.mail.outgoing.letter import Attachment
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.pending import open_to
from pbem.mail.outgoing.time_view import DueTime, due
from pbem.mail.topic import match_key
from pbem.matches.event import (
    ActionsPlayed,
    Event,
    Forced,
    LostOnTime,
    Planned,
    ReachedAgain,
    SentAgain,
)
from pbem.matches.match import Match, Player, PlayerId
from pbem.matches.plans import Plan
from pbem.ports.outbox import NewMail, PostedMail
from pbem.ports.play import Unseen
from pbem.service.clocks.calendars import calendar_of
from pbem.service.play.talk import (
    Saying,
    UnsentNotes,
    ignored_by,
    is_held,
    lately_held,
    told,
    told_of,
    waiting_in,
)
from pbem.service.post.post import NOT_ANSWERED, Answered, new_mail, queue, view_of, views_of
from pbem.service.reliability import banned_until
from pbem.service.waiting_news import keep
from pbem.service.watching import with_watchers
from pbem.service.work import Work
from pbem.settings import mails


class Reader(Enum):
    """Role of an email's reader. The first that applies decides the email."""

    AFTER_THE_END = "a player of a match that is over"
    TO_ACT = "the player to act"
    AUTHOR = "the player whose mail did it"
    PLAYER = "any other player"


EMAILS: Mapping[Reader, type[Progress]] = {
    Reader.AFTER_THE_END: MatchOver,
    Reader.TO_ACT: Turn,
    Reader.AUTHOR: Receipt,
    Reader.PLAYER: Position,
}
"""The email for each player about the events of one email. Bots look at the match instead."""

ONE_PLAYER = (ReachedAgain, SentAgain)
"""Events reported only to the player whom they name."""


@dataclass(frozen=True)
class News:
    """Events in a match, and the email that caused them."""

    match: Match
    events: tuple[Event, ...] = ()
    before: Match | None = None
    """The match before an email changed it."""
    author: Player | None = None
    """The player whose email it was. They get the receipt."""
    answered: Answered = NOT_ANSWERED
    """That email."""
    sections: tuple[Section, ...] = ()
    """Answers to the author's other commands."""
    taken: tuple[str, ...] = ()
    """Their commands as carried out."""
    counts: tuple[Phrase, ...] = ()
    """The count of each of their turns, in a game that limits it."""
    note: tuple[str, ...] = ()
    """The rest of their text, for the other players."""
    said: Sequence[Saying] = ()
    """What they say at once, to the table or to one player."""
    attachments: tuple[Attachment, ...] = ()
    """Files that they asked for."""
    unread_by: PlayerId | None = None
    """A player who learns it from another email."""
    answered_elsewhere: PlayerId | None = None
    """A player who learns it, and whatever answers it at once, from an email about more."""
    answers_at_once: PlayerId | None = None
    """The player for whom the club answers it at once. Their next email shows it."""
    silent_to: PlayerId | None = None
    """A player who needs no email about it alone."""
    lapsed: Sequence[Plan] = ()
    """Ended plans whose authors do not know it yet."""

    @property
    def has_words(self) -> bool:
        """Whether the author wrote anything to others."""
        return bool(self.note or self.said)


def tell_players(work: Work, news: News) -> None:
    """Queue an email to each player to notify. Those who want fewer get the news later."""
    queue(work, list(_mails_of(work, news)))


def for_author(work: Work, news: News) -> Progress:
    """Return what an author reads about their own news. The caller puts it into another email."""
    assert news.author is not None, "the news has an author"
    view = view_of(work, news.match, news.author)
    waiting = waiting_in(work, news.match).get(view.you.id, UnsentNotes())
    earlier = work.waiting_news.in_match(news.match.id, lock=True).get(view.you.id)
    mail = _mail(work, news, view, waiting, earlier, author=True)
    _all_told(work, view, waiting, mail, known=earlier is not None)
    return mail


def _mails_of(work: Work, news: News, only: Player | None = None) -> Iterator[NewMail]:
    """Yield an email to each reader for whom it does not wait, or one to a single player now."""
    readers = list(_readers(work, news)) if only is None else [only]
    notes = waiting_in(work, news.match)
    kept = work.waiting_news.in_match(news.match.id, lock=True)
    topic = match_key(news.match.id)
    threads = work.outbox.threads(topic, [reader.id for reader in readers])
    by_club = [each.turn for each in news.events if isinstance(each, Planned | Forced)]
    delayed = _delayed(work, news)
    unconfirmed = [each for each, posted in delayed.items() if posted.mail.letter.answers]
    for view in with_watchers(
        work, news.match, views_of(work, news.match, readers, by_club, unconfirmed)
    ):
        seen = _as_seen_by(work, view.you, news)
        author = news.author is not None and news.author.id == view.you.id
        waiting = notes.get(view.you.id, UnsentNotes())
        if not author and news.has_words and not seen.has_words and _is_no_news(seen):
            continue
        replaced = delayed.get(view.you.id)
        if not author and only is None and _waits(work, seen, view, waiting, replaced):
            _put_off(work, seen, view)
            continue
        if _is_held(seen, view):
            _put_off(work, seen, view)
            waiting = waiting_in(work, seen.match).get(view.you.id, UnsentNotes())
        mail = _mail(work, seen, view, waiting, kept.get(view.you.id), author=author)
        new = _new_mail(work, seen, view, mail, threads[view.you.id], replaced)
        _all_told(work, view, waiting, mail, known=view.you.id in kept)
        if new is not None:
            yield new


def _all_told(
    work: Work, view: MatchView, waiting: UnsentNotes, mail: Progress, *, known: bool
) -> None:
    """Mark as sent everything that waited for an email about the match."""
    told(work, view, waiting)
    if known and view.you.reachable:
        work.waiting_news.told(view.you.id, [view.match.id])
    if isinstance(mail, Turn | MatchOver) and mail.lapsed:
        work.plans.told(view.match.id, view.you.id)


def tell_one(work: Work, match: Match, reader: Player) -> None:
    """Queue an email to one player about a match as it is now, with the news that waits."""
    lapsed = [plan for plan in work.plans.in_match(match.id) if plan.player == reader.id]
    queue(work, list(_mails_of(work, News(match, lapsed=lapsed), only=reader)))


def _new_mail(
    work: Work,
    news: News,
    view: MatchView,
    mail: Progress,
    thread: Sequence[str],
    replaced: PostedMail | None,
) -> NewMail | None:
    """Return an email about news, in place of one that waited for it. None if they get no email."""
    files = calendar_of(work, view.you, news.match, news.before)
    answered = NOT_ANSWERED
    if mail.noted:
        files, answered = (*news.attachments, *files), news.answered
    if replaced is not None:
        work.outbox.withhold(replaced.id, REPLACED, work.now)
        if replaced.mail.letter.answers:
            answered = Answered(replaced.mail.letter.references[-1])
    new = new_mail(work, mail, view.you, answered, attachments=files, thread=thread)
    if new is None or files or not _waits_for_bot(news, view, mail):
        return new
    return new._replace(not_before=work.now + BOT_PATIENCE)


BOT_PATIENCE = timedelta(minutes=2)
"""How long an email waits for a bot's answer, which then replaces it."""
REPLACED = "the email with the bot's answer replaces it"
"""Stored as the reply to an email that was not sent."""


def _delayed(work: Work, news: News) -> Mapping[PlayerId, PostedMail]:
    """Return the emails that wait for a bot, by reader, if this is its answer."""
    if news.author is None or not news.author.bot:
        return {}
    delayed = work.outbox.delayed(match_key(news.match.id), work.now)
    return {each.mail.player: each for each in delayed if each.mail.player is not None}


def _waits_for_bot(news: News, view: MatchView, mail: Progress) -> bool:
    """Return whether an email says only what the email with the next bot's answer also says."""
    if news.match.result is not None or news.match.player_to_act not in view.bots:
        return False
    if mail.sections or mail.note or mail.said or mail.waiting or mail.held or mail.lapsed:
        return False
    if mail.earlier:
        return False
    turns = all(isinstance(each, ActionsPlayed | Planned | Forced) for each in news.events)
    return turns and not (_is_asked(view, news.before) or _declares(view, news.before))


def _waits(
    work: Work, news: News, view: MatchView, waiting: UnsentNotes, replaced: PostedMail | None
) -> bool:
    """Return whether the news waits for another email: a digest, or the next about the match."""
    room, later = len(waiting.notes) < MOST_WAITING, _hears_later(news, view)
    silent = later and view.you.id != news.answers_at_once
    if room and not silent and replaced is None and keep(work, view, news.events, news.before):
        return True
    return later or _can_wait_for_now(news, view, waiting)


def _can_wait_for_now(news: News, view: MatchView, waiting: UnsentNotes) -> bool:
    """Return whether news can wait for the reader's next email. Words that are held anyway can."""
    said = bool(news.said) and not _is_held(news, view)
    waits = can_wait(view, news.events, news.before, said=said)
    return waits and len(waiting.notes) < MOST_WAITING


def _hears_later(news: News, view: MatchView) -> bool:
    """Return whether the reader's next email will tell the news, since they need not answer it."""
    you = view.you.id
    if news.match.result is not None:
        return False
    if not news.events and _is_held(news, view):
        return True
    return you == news.answers_at_once or (
        you == news.silent_to and news.match.player_to_act != you
    )


def _as_seen_by(work: Work, reader: Player, news: News) -> News:
    """Return the news without what is said to others, or by somebody whom the reader ignores."""
    author = news.author
    if author is None or not news.has_words:
        return news
    if author.id in ignored_by(work, news.match, reader.id):
        return replace(news, note=(), said=())
    return replace(news, said=[each for each in news.said if each.is_for(reader.id, author.id)])


def _is_no_news(news: News) -> bool:
    """Return whether a reader who gets none of the words needs no email."""
    return not news.events or _is_unfinished(news)


def _put_off(work: Work, news: News, view: MatchView) -> None:
    """Store the author's words for the reader's next email, which shows others' turns anyway."""
    for note in _words_of(news, work.now):
        work.waiting_notes.add(view.match.id, view.you.id, note)


def _words_of(news: News, now: datetime) -> Iterator[Note]:
    """Yield the note of an email, then what its author says."""
    if news.author is None:
        return
    author, turn = news.author.id, (news.before or news.match).turn
    if news.note:
        yield Note(turn, author, "\n".join(news.note), now)
    for each in news.said:
        yield Note(turn, author, "\n".join(each.lines), now, each.kind)


def _is_held(news: News, view: MatchView) -> bool:
    """Return whether the reader gets the author's words only when the match is over."""
    author = news.author
    return news.has_words and author is not None and is_held(news.match, author.id, view.you.id)


def _held_from(news: News) -> list[PlayerId]:
    """Return the players who get the author's note only when the match is over."""
    players = news.match.players if news.author is not None and news.note else ()
    return [each for each in players if news.author and is_held(news.match, news.author.id, each)]


def _readers(work: Work, news: News) -> Iterator[Player]:
    named = [event.player for event in news.events if isinstance(event, ONE_PLAYER)]
    if not named and news.author is not None and _is_unfinished(news):
        named = [news.author.id]
    for player in map(work.players.get, named or news.match.players):
        if player.gets_mail and player.id not in (news.unread_by, news.answered_elsewhere):
            yield player


def _is_unfinished(news: News) -> bool:
    """Return whether the news is only part of a turn. Others get it when the turn is complete."""
    if news.has_words or not news.events or news.match.result is not None:
        return False
    return all(
        isinstance(event, ActionsPlayed) and _is_open(news.match, event) for event in news.events
    )


def _is_open(match: Match, event: ActionsPlayed) -> bool:
    """Return whether actions belong to an unfinished turn. A declaration is always news."""
    here = (match.turn, match.to_act)
    return all((each.turn, each.seat) == here and not each.declaration for each in event.actions)


def _mail(
    work: Work,
    news: News,
    view: MatchView,
    waiting: UnsentNotes,
    earlier: Unseen | None,
    *,
    author: bool,
) -> Progress:
    held = _is_held(news, view)
    kind = EMAILS[_reader(view, author=author)] if news.events or not news.said else Talk
    mail = kind(
        view=replace(view, banned=_banned(work, news, view.you)),
        events=news.events,
        taken=news.taken if author else (),
        counts=news.counts if author else (),
        sections=news.sections if author else (),
        note=() if held else news.note,
        said=()
        if held
        else [
            told_of(work, news.match, each)
            for each in _words_of(news, work.now)
            if each.kind is not NoteKind.NOTE
        ],
        waiting=waiting.notes,
        earlier=() if earlier is None else earlier.said,
        noted=author,
        author=view.names.get(news.author.id, news.author.name) if news.author else "",
        held=lately_held(work, news.match, waiting),
        lapsed=[
            LapsedPlan(plan.number, plan.ended)
            for plan in news.lapsed
            if plan.player == view.you.id and plan.ended
        ],
        held_from=[view.names[each] for each in _held_from(news)] if author else (),
    )
    if isinstance(mail, MatchOver):
        return replace(mail, plans=len(work.plans.of_player(view.you.id, news.match.id)))
    return mail


def _banned(work: Work, news: News, reader: Player) -> DueTime | None:
    """Return until when a reader who has just lost on time may take up nothing new."""
    lost = any(isinstance(each, LostOnTime) and each.player == reader.id for each in news.events)
    until = banned_until(work, reader) if lost else None
    return None if until is None else due(until, reader.time_zone, work.now)


def _reader(view: MatchView, *, author: bool) -> Reader:
    if view.match.result is not None:
        return Reader.AFTER_THE_END
    if view.your_turn:
        return Reader.TO_ACT
    return Reader.AUTHOR if author else Reader.PLAYER


MOST_WAITING = 20
"""Notes that can wait for a reader. Then an email goes anyway, before the next gets too long."""


def can_wait(
    view: MatchView, events: Iterable[Event], before: Match | None, *, said: bool = False
) -> bool:
    """Return whether news of a match can wait for the player's next email.

    Turns of others can wait. Nothing that is `said` can, nor an offer or anything else the player
    can answer, nor the news that there is no longer anything to answer.
    """
    if mails.chosen(view.you, view.match) == mails.ALL or view.match.result is not None:
        return False
    if said:
        return False
    if view.your_turn or not all(_is_turn(event, view.you.id) for event in events):
        return False
    return not (_is_asked(view, before) or _declares(view, before))


def _is_turn(event: Event, you: PlayerId) -> bool:
    """Return whether an event is only a turn of another player."""
    if isinstance(event, Planned | Forced):
        return event.player != you
    return isinstance(event, ActionsPlayed)


def _is_asked(view: MatchView, before: Match | None) -> bool:
    """Return whether the player can answer an offer or resignation, or could before."""
    matches = (each for each in (before, view.match) if each is not None)
    return any(open_to(each, view.names, view.you.id, view.now) for each in matches)


def _declares(view: MatchView, before: Match | None) -> bool:
    """Return whether there is a declaration that the player can answer, or was before."""
    if view.board_diagram.standing:
        return True
    if before is None:
        return False
    return bool(before.game.diagram(before.position, view.own_seats[0]).standing)
