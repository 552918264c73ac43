"""Notify: the mails that a change of a match entails, and its new due times."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.commands.api import Section
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.clock import PauseReason
from pbem.matches.event import Event, FlagFell
from pbem.matches.match import Match, Player, PlayerId, SummaryT
from pbem.matches.record import written
from pbem.service.club import Club
from pbem.service.heartbeat import counted
from pbem.service.post import send_match_mail, tell_director, views_of
from pbem.service.work import Work


@dataclass(frozen=True)
class News:
    """What happened in a match."""

    match: Match
    events: tuple[Event, ...] = ()
    author: Player | None = None
    """Whose mail did it; he gets the receipt."""
    answered: str = ""
    """Message-ID of that mail."""
    sections: tuple[Section, ...] = ()
    """Answers to the author's other commands."""
    taken: tuple[str, ...] = ()
    """His commands as they were carried out."""
    note: tuple[str, ...] = field(default=())
    """What else he wrote, for the other players."""


def notify(work: Work, news: News) -> None:
    """Queues one mail for every player of a match.

    Bots get none: they look at the match itself.
    """
    players = [work.players.get(player) for player in news.match.players]
    people = [player for player in players if not player.bot]
    for view in views_of(work, news.match, people):
        _tell(work, news, view)
    if news.match.result is not None:
        work.jobs.enqueue("publish", news.match.id)


def start_clock(work: Work, match: SummaryT) -> SummaryT:
    """The match, its clock started for the turn that begins; not for a bot, nor after the end.

    The clock of a player whom no mail reaches is paused.
    """
    started, asked = match.turn_started_at, match.player_to_act
    player = None if asked is None else work.players.get(asked)
    if player is not None and player.bot:
        work.jobs.enqueue("bots", match.id)
    if player is None or started is None or player.bot:
        return replace(match, clock=match.clock.stop(counted(work, work.now)))
    paused = () if player.reachable else (PauseReason.UNREACHABLE,)
    return replace(match, clock=match.clock.start(player.id, counted(work, started), paused))


def tell_again(work: Work, match: Match, player: Player, event: Event) -> None:
    """Queues a match as it stands for one of its players."""
    news = News(match, events=(event,))
    for view in views_of(work, match, [player]):
        _tell(work, news, view)


def report_flag(work: Work, match: SummaryT, due_at: datetime) -> SummaryT:
    """Records that the player to act was out of time, and tells the director.

    Returns the match with its history gone on.
    """
    assert match.player_to_act is not None, "a seat is to act"
    player = work.players.get(match.player_to_act)
    fell = FlagFell(player.id, match.turn, match.seats_of(player.id)[0])
    match, _, happenings = written(match, match, (fell,), due_at)
    work.matches.append(match.id, (), happenings)
    work.matches.save(match)
    tell_director(
        work,
        "director_flag",
        f"match {match.id}: {player.name} is out of time",
        {"match": match, "player": player, "due_at": due_at},
    )
    return match


def _tell(work: Work, news: News, view: MatchView) -> None:
    author = news.author is not None and news.author.id == view.you.id
    kind = _kind(news.match, view.you.id, author)
    send_match_mail(
        work,
        kind,
        view,
        from_name={"turn": "your turn", "match_over": "the match is over"}.get(kind, ""),
        answered=news.answered if author else "",
        data={
            "events": _sentences(work, news, view),
            "taken": news.taken if author else (),
            "sections": rendered(work.club, news.sections, view) if author else (),
            "note": news.note,
            "noted": author,
            "author": news.author.name if news.author else "",
        },
    )


def _sentences(work: Work, news: News, view: MatchView) -> list[str]:
    """What is said of the events; moves, offers and the end have their own places in a mail."""
    data = {"names": view.names, "match": news.match}
    said = (work.club.renderer.said(event, data) for event in news.events)
    return [sentence for sentence in said if sentence]


def _kind(match: Match, player: PlayerId, author: bool) -> str:
    if match.result is not None:
        return "match_over"
    if match.player_to_act == player:
        return "turn"
    return "receipt" if author else "position"


def rendered(club: Club, sections: tuple[Section, ...], view: MatchView | None) -> list[str]:
    """Answers to commands as text."""
    return [
        club.renderer.text(section.name, {"view": view, "club": club, **section.data})
        for section in sections
    ]
