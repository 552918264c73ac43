"""Watching: who watches a match, and the emails that show them its turns.

The publisher of the reading room notes which watched matches have changed (`Watches.stir`). Their
watchers then get what the pages show, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pbem.archive.site import addresses
from pbem.archive.site.values import MatchPage
from pbem.mail.outgoing.kinds import Watched as WatchedMail
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.mail.topic import MembershipTopic, day_of
from pbem.matches.match import MatchSummary, Player, PlayerId, RecordedAction
from pbem.matches.score import turn_lines
from pbem.ports.room import Watch, Watched, WatchKind
from pbem.service.club import Club
from pbem.service.people import is_hidden
from pbem.service.post.post import post
from pbem.service.reading_room.reading import RoomReading
from pbem.service.reading_room.shown import shown_to_readers
from pbem.service.work import Work, writing
from pbem.settings.mails import digest_time

MOST_A_DAY = 30
"""Emails to one watcher in 24 hours. The next one after that has all turns until then."""
MOST_TURNS = 20
"""Maximum number of turns that an email lists."""
BATCH = 20
"""Watchers in one transaction."""
DAY = timedelta(days=1)


def is_watchable(work: Work, member: Player, watcher: PlayerId) -> bool:
    """Return whether somebody may watch a member, who must neither be hidden nor block them."""
    if member.former or is_hidden(member):
        return False
    return watcher not in work.blocks.of(member.id)


def watchers_of(work: Work, match: MatchSummary) -> int:
    """Count the members who watch a match and do not play it."""
    if not work.club.shows(match):
        return 0
    watches = work.watches.on(match)
    counted = (each for each in watches if each.player not in match.players)
    return len({each.player for each in counted if _applies(work, each, match)})


def with_watchers(
    work: Work, match: MatchSummary, views: Iterable[MatchView]
) -> Iterator[MatchView]:
    """Return a match as its players see it, with the number of members who watch it."""
    watching = watchers_of(work, match)
    return (replace(view, watching=watching) for view in views)


def _applies(work: Work, watch: Watch, match: MatchSummary) -> bool:
    """Return whether a watch of a match, its game or a player leads to it, as it is shown."""
    if watch.kind is not WatchKind.MEMBER:
        return True
    if match.hides_names or int(watch.what) not in match.players:
        return False
    return is_watchable(work, work.players.get(int(watch.what)), watch.player)


def name_of(work: Work, watch: Watch) -> str:
    """Return how a member writes what they watch."""
    return work.players.get(int(watch.what)).name if watch.kind is WatchKind.MEMBER else watch.what


def standing(work: Work, player: PlayerId) -> list[Watch]:
    """Return what a member watches and may still watch."""
    return [
        each
        for each in work.watches.of(player)
        if each.kind is not WatchKind.MEMBER
        or is_watchable(work, work.players.get(int(each.what)), player)
    ]


def through(work: Work, player: PlayerId, match: MatchSummary) -> list[Watch]:
    """Return the watches by which a member gets emails about a match."""
    watches = (each for each in work.watches.on(match) if each.player == player)
    return [each for each in watches if _applies(work, each, match)]


@dataclass(frozen=True)
class MatchNews:
    """News of a match for one of its watchers."""

    page: MatchPage
    """The match as everybody may see it now."""
    turns: Sequence[RecordedAction]
    """Actions that they have not seen."""
    watches: Sequence[Watch]
    """Why they get the news."""
    known: Watched
    """What they know after the news."""
    taken_back: bool = False
    """Whether turns that they have seen were taken back."""


def news_of(work: Work, player: Player, known: Watched) -> MatchNews | None:
    """Return the news of a match for a watcher, None if there is nothing that they may see."""
    match, room = work.matches.get(known.match_id), work.club.room
    if room is None or not work.club.shows(match) or player.id in match.players:
        return None
    if not work.watches.on(match):
        return None
    page = RoomReading(room, work).match_page(match)
    shown = page.entry.match
    watches = through(work, player.id, shown)
    if not watches:
        return None
    now = Watched(player.id, match.id, shown.turn, shown.result is not None)
    if known.turn:
        turns = [each for each in page.actions if each.turn >= known.turn]
        is_new = now != known
    else:
        since = min(each.since for each in watches)
        turns = [each for each in page.actions if each.at >= since]
        ended = shown.result is not None and shown.result.ended_at >= since
        is_new = bool(turns) or ended or shown.started_at >= since
    return MatchNews(page, turns, watches, now, shown.turn < known.turn) if is_new else None


def take_news(work: Work, player: Player, most: int) -> list[MatchNews]:
    """Return the first news of the matches that a member watches, and note that they know it."""
    found = list[MatchNews]()
    for known in work.watches.stirred_for(player.id):
        if len(found) == most:
            break
        news = news_of(work, player, known) if work.watches.take(known) else None
        if news is not None:
            mark_told(work, news)
            found.append(news)
    return found


def mark_told(work: Work, news: MatchNews) -> None:
    """Note that a watcher knows the news. Nobody watches a match after its end."""
    work.watches.told(news.known)
    if news.known.over:
        match = str(news.known.match_id)
        work.watches.remove(news.known.player, WatchKind.MATCH, match)


def email_watchers(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Email watchers the news of their matches. Return the number of emails."""
    sent, last = 0, (0, 0)
    while club.room is not None and not stopping():
        with writing(club) as work:
            if work.service.held_since() is not None:
                break
            some = work.watches.stirred(BATCH, last)
            sent += sum(_email(work, each) for each in some)
        if not some:
            break
        last = some[-1].match_id, some[-1].player
    return sent


def _email(work: Work, known: Watched) -> bool:
    """Email a watcher the news of a match. Return False if there is none, or it must wait.

    Members with a digest read it there.
    """
    player = work.players.get(known.player)
    if not player.reachable or digest_time(player) is not None:
        return False
    recipient, since = player.address.casefold(), work.now - DAY
    sent = work.outbox.count(recipient, WatchedMail.name(), since)
    if sent >= MOST_A_DAY or not work.watches.take(known):
        return False
    news = news_of(work, player, known)
    if news is None:
        return False
    mark_told(work, news)
    mail = watched_mail(work, news, last=sent + 1 == MOST_A_DAY)
    # About their membership, so that no answer can be taken for a turn or a decision.
    post(work, mail, player, topic=MembershipTopic(player.id, day_of(work.now)))
    return True


def watched_mail(work: Work, news: MatchNews, *, last: bool = False) -> WatchedMail:
    """Return the email with news. `last` says that no other goes today."""
    match, room = news.page.entry.match, work.club.room
    lines = turn_lines(match.game, tuple(match.seats), news.turns)[-MOST_TURNS:]
    url = room.site.url if room is not None else ""
    return WatchedMail(
        shown=shown_to_readers(work, news.page),
        turns=in_columns([str(line) for line in lines]) if lines else None,
        taken_back=news.taken_back,
        watched=[name_of(work, each) for each in news.watches],
        last=last,
        link=f"{url}{addresses.match_page(match)}" if url else "",
    )
