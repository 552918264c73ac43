"""Digests: one email about all matches of a member that have news, or wait for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.mail.outgoing.kinds import Digest as DigestMail, DigestPart, LapsedPlan, TurnDue
from pbem.mail.outgoing.time_view import due
from pbem.mail.topic import DigestTopic, TopicKey
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.plans import Plan
from pbem.ports.play import Digest, Unseen
from pbem.service.clocks.calendars import calendar_of
from pbem.service.people import names_in
from pbem.service.play.notices import tell_one
from pbem.service.play.talk import UnsentNotes, told, waiting_in
from pbem.service.post.post import NOT_ANSWERED, Answered, post, views_of
from pbem.service.waiting_news import add_to_news, is_urgent, reschedule_news
from pbem.service.watching import MatchNews, take_news, watched_mail
from pbem.service.work import Work
from pbem.settings import mails

MOST_BOARDS = 25
"""Boards in one digest. Further matches are lines, and come with the next."""
MOST_WATCHED = 20
"""Watched matches in one digest. Further ones come with the next."""
MOST_NOTE_LINES = 24
"""Lines of notes that a digest shows of one match. Longer ones wait for an email of their own."""
_LATER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class _Reader:
    """A reader with their matches, and the news that waits for them."""

    player: Player
    matches: Mapping[int, MatchSummary]
    news: Mapping[int, Unseen]
    noted: set[int]
    """Matches in which notes wait for them."""
    watched: Sequence[MatchNews] = ()
    """News of matches that they watch."""

    @property
    def asked(self) -> list[MatchSummary]:
        """The matches that wait for them, by time left."""
        mine = (each for each in self.matches.values() if each.player_to_act == self.player.id)
        asked = (each for each in mine if not each.lacks_rules)
        return sorted(asked, key=lambda match: match.clock.flag_at or _LATER)


def due_readers(work: Work, now: datetime) -> list[PlayerId]:
    """Return the members to whom a digest or urgent news is due."""
    readers = list(work.waiting_news.due(now))
    return [*readers, *(each for each in _due_watchers(work, now) if each not in readers)]


def _due_watchers(work: Work, now: datetime) -> Iterator[PlayerId]:
    """Yield the members whose news of watched matches has waited until their digest."""
    watchers = work.watches.stirred_since() if work.club.room is not None else {}
    for player_id, since in watchers.items():
        player = work.players.get(player_id)
        time = mails.digest_time(player)
        if time is not None and time.after(since, player.time_zone) <= now:
            yield player_id


def send_due(work: Work, player_id: PlayerId, now: datetime) -> int:
    """Send a member what is urgent or due by now. Return how many emails that caused.

    If no address of theirs accepts email, the news keeps waiting.
    """
    player, news = work.players.get(player_id), work.waiting_news.of(player_id)
    alone = [each.match_id for each in news if _comes_alone(work, player, each.match_id)]
    is_due = any(each.due_at <= now and each.match_id not in alone for each in news)
    if is_due or player_id in _due_watchers(work, now):
        reader = _reader(work, player_id)
        if not reader.player.reachable or not (reader.news or reader.watched):
            return 0
        _send(work, reader, NOT_ANSWERED, whole=False)
        return 1
    # Matches are locked before players everywhere.
    matches = [(work.matches.lock(each.match_id), each) for each in news]
    player = work.players.lock(player_id)
    kept = {each.match_id for each in work.waiting_news.of(player_id)} if player.reachable else ()
    gone = [match.id for match, _ in matches if player_id not in match.players]
    work.waiting_news.told(player_id, gone)
    sent = 0
    for match, each in matches:
        urgent = each.due_at <= now or is_urgent(match, player_id, each.safe_until)
        urgent = urgent and not match.lacks_rules
        if urgent and match.id in kept and match.id not in gone:
            tell_one(work, work.whole(match), player)
            sent += 1
    return sent


def _comes_alone(work: Work, player: Player, match_id: int) -> bool:
    """Return whether the member gets digests, but no longer of this match."""
    if mails.digest_time(player) is None or mails.key_for(match_id) not in player.settings:
        return False
    return mails.chosen(player, work.matches.get(match_id)) != mails.DIGEST


def send_now(work: Work, player_id: PlayerId, answered: Answered) -> None:
    """Send a member a digest that they have asked for, with all boards that wait for them."""
    for match in work.matches.of_player(player_id):
        work.matches.lock(match.id)
    _send(work, _reader(work, player_id), answered, whole=True)


def has_digest(work: Work, player_id: PlayerId) -> bool:
    """Return whether a digest would show anything."""
    playing = work.matches.of_player(player_id)
    waiting = work.waiting_news.of(player_id) or work.watches.stirred_for(player_id)
    asked = (each for each in playing if each.player_to_act == player_id)
    return bool(waiting) or not all(each.lacks_rules for each in asked)


def missed(work: Work, topic: TopicKey | None) -> None:
    """Keep again the news of a digest that has reached nobody."""
    number = (topic or "").removeprefix("digest ")
    digest = work.digests.of(int(number)) if number.isdecimal() else None
    for match_id, turn in digest.turns.items() if digest else ():
        match = work.matches.get(match_id)
        if digest and digest.player in match.players:
            since = turn - match.lead
            add_to_news(work, Unseen(match_id, digest.player, since, work.now, work.now))


def _reader(work: Work, player_id: PlayerId) -> _Reader:
    """Return a locked member, the matches that wait for them or have news, and the news.

    No other worker sends the news, until this unit of work ends. A digest needs no lock of its
    matches: whatever happens in one of them waits for the lock of the news, and is news again.
    """
    player = work.players.lock(player_id)
    news = {each.match_id: each for each in work.waiting_news.of(player_id, lock=True)}
    playing = {each.id: each for each in work.matches.of_player(player_id)}
    matches = {**playing, **{each: work.matches.get(each) for each in news.keys() - playing}}
    gone = [each for each in news if player_id not in matches[each].players]
    if gone:
        work.waiting_news.told(player_id, gone)
    waits = {key for key, each in matches.items() if each.result is None and each.lacks_rules}
    theirs = {key: each for key, each in news.items() if key not in waits.union(gone)}
    watched = take_news(work, player, MOST_WATCHED) if player.reachable else ()
    return _Reader(player, matches, theirs, work.waiting_notes.matches_of(player_id), watched)


def _send(work: Work, reader: _Reader, answered: Answered, *, whole: bool) -> None:
    player, asked = reader.player, {each.id: each for each in reader.asked}
    others = [reader.matches[each] for each in reader.news if each not in asked]
    ended = [each for each in others if each.result is not None]
    waiting = [each for each in asked.values() if whole or each.id in reader.news]
    shown = [*waiting, *(each for each in others if each.result is None)][:MOST_BOARDS]
    listed = asked.keys() - {each.id for each in shown}
    small = len(shown)
    plans = [each for each in work.plans.of_player(player.id) if each.ended and not each.told]
    parts = {each.id: _part(work, reader, each, small, plans) for each in (*shown, *ended)}
    digest = Digest(player.id, work.now, {each.id: each.token_turn for each in (*shown, *ended)})
    mail = DigestMail(
        yours=[parts[each.id] for each in shown if each.id in asked],
        still=[_line(work, each, player) for each in asked.values() if each.id in listed],
        others=[parts[each.id] for each in shown if each.id not in asked],
        finished=[parts[each.id] for each in ended],
        watched=[watched_mail(work, each) for each in reader.watched],
    )
    files = [file for each in (*shown, *ended) for file in calendar_of(work, player, each, None)]
    topic = DigestTopic(work.digests.add(digest).id)
    post(work, mail, player, answered, topic=topic, attachments=files)
    if player.reachable:
        _told(work, player, list(parts.values()))
        if reader.news.keys() - parts.keys():
            reschedule_news(work, player)


def _told(work: Work, player: Player, parts: Sequence[DigestPart]) -> None:
    """Note that a digest has shown some matches."""
    work.waiting_news.told(player.id, [each.view.match.id for each in parts])
    for each in parts:
        match = each.view.match
        if each.notes:
            told(work, each.view, waiting_in(work, match).get(player.id, UnsentNotes()))
        if each.lapsed:
            work.plans.told(match.id, player.id)


def _part(
    work: Work, reader: _Reader, summary: MatchSummary, boards: int, plans: Sequence[Plan]
) -> DigestPart:
    news, match = reader.news.get(summary.id), work.whole(summary)
    [view] = views_of(work, match, [reader.player], since=match.turn if news is None else news.turn)
    noted = waiting_in(work, match) if match.id in reader.noted else {}
    notes = noted.get(reader.player.id, UnsentNotes()).notes
    fit = sum(len(each.lines) + 2 for each in notes) <= MOST_NOTE_LINES
    return DigestPart(
        view=view,
        boards=boards,
        said=() if news is None else news.said,
        notes=notes if fit else (),
        notes_left=0 if fit else len(notes),
        lapsed=[
            LapsedPlan(plan.number, plan.ended)
            for plan in plans
            if plan.match_id == match.id and plan.ended
        ],
    )


def _line(work: Work, match: MatchSummary, player: Player) -> TurnDue:
    names, flag_at = names_in(work, match, player), match.clock.flag_at
    others = [names[each] for each in match.others(player.id)]
    return TurnDue(match, others, due(flag_at, player.time_zone, work.now) if flag_at else None)
