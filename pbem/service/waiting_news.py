"""Waiting news: keep what happens in a match for the digest of a reader who wants one.

Only urgent news does not wait: the reader's time runs out before the digest or soon after it, there
is a new offer that may lapse before it, or a competition's match is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.log import get_logger, trace_of
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.pending import Open, open_to
from pbem.matches.event import Event, ReachedAgain, SentAgain
from pbem.matches.match import Match, MatchSummary, Player, PlayerId
from pbem.ports.play import Unseen
from pbem.service.work import Work
from pbem.settings import mails

log = get_logger(__name__)

MARGIN = timedelta(hours=12)
"""Least time that a reader has for an answer after a digest."""
MOST_SAID = 12
"""Sentences kept for one match."""


def keep(work: Work, view: MatchView, events: Sequence[Event], before: Match | None) -> bool:
    """Keep news of a match for its reader's digest, if it may wait. Return whether it does."""
    time = mails.digest_time(view.you)
    if time is None or mails.chosen(view.you, view.match) != mails.DIGEST:
        return False
    due_at = time.after(work.now, view.you.time_zone)
    safe_until = due_at + MARGIN if events else work.now  # a note alone is never urgent
    if is_urgent(view.match, view.you.id, safe_until) or _cannot_wait(view, events, before):
        return False
    if any(isinstance(each, ReachedAgain) for each in events):
        due_at = work.now  # one email for all that they missed
    turn = view.match.turn if before is None else before.turn
    news = Unseen(view.match.id, view.you.id, turn, due_at, safe_until)
    add_to_news(work, replace(news, said=_said(work, events, view)))
    return True


def keep_sentence(work: Work, match: MatchSummary, reader: Player, sentence: str) -> None:
    """Keep a sentence for a reader who wants a digest. It is never urgent."""
    time = mails.digest_time(reader)
    due_at = work.now if time is None else time.after(work.now, reader.time_zone)
    add_to_news(work, Unseen(match.id, reader.id, match.turn, due_at, work.now, (sentence,)))


def add_to_news(work: Work, news: Unseen) -> None:
    """Keep news for a digest beside what is kept of the match already."""
    known = work.waiting_news.in_match(news.match_id, lock=True).get(news.reader)
    if known is not None:
        news = replace(
            news,
            turn=min(news.turn, known.turn),
            due_at=min(news.due_at, known.due_at),
            safe_until=max(news.safe_until, known.safe_until),
            said=(*known.said, *news.said),
        )
    work.waiting_news.put(replace(news, said=news.said[-MOST_SAID:]))


def is_urgent(match: MatchSummary, reader: PlayerId, safe_until: datetime) -> bool:
    """Return whether a reader's time for a turn runs out before a moment."""
    flag_at = match.clock.flag_at
    return match.player_to_act == reader and flag_at is not None and flag_at < safe_until


def _cannot_wait(view: MatchView, events: Sequence[Event], before: Match | None) -> bool:
    match, you = view.match, view.you.id
    if any(isinstance(each, SentAgain) for each in events):
        return True
    if match.result is not None:
        placed = match if before is None else before
        return bool(events) and (match.place is not None or placed.place is not None)
    if view.your_turn and before is not None and before.player_to_act != you:
        return False  # nobody but the reader can end what is offered now
    known = Open() if before is None else open_to(before, view.names, you, view.now)
    is_new = open_to(match, view.names, you, view.now).has_more_than(known)
    return is_new or (_stands(match, view) and not (before and _stands(before, view)))


def _stands(match: Match, view: MatchView) -> bool:
    """Return whether there is a declaration that the reader can answer."""
    return bool(match.game.diagram(match.position, view.own_seats[0]).standing)


def _said(work: Work, events: Sequence[Event], view: MatchView) -> Sequence[str]:
    renderer = work.club.club_renderer
    try:
        return renderer.said(events, view)
    except Exception as error:  # noqa: BLE001 a fault in a text must undo nothing
        log.error("sentence not written", match=view.match.id, traceback=trace_of(error))
        work.faulty_templates.add(f"{renderer.words.language}/events")
        return ()


def reschedule_news(work: Work, player: Player) -> None:
    """Give a player's news the time that they have chosen now. Without a digest, it is due."""
    time = mails.digest_time(player)
    due_at = work.now if time is None else time.after(work.now, player.time_zone)
    work.waiting_news.reschedule(player.id, due_at, due_at + MARGIN)
