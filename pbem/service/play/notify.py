"""Notify: what a change of a match entails: its mails, and the matches after it."""

from __future__ import annotations

from pbem.matches.event import MatchBegun
from pbem.service.play.notices import News, tell_players
from pbem.service.work import Work


def notify(work: Work, news: News) -> None:
    """Tells what happened in a match, and starts what follows it."""
    tell_players(work, news)
    if news.match.result is not None:
        work.jobs.enqueue("publish", news.match.id)
    begun = any(isinstance(event, MatchBegun) for event in news.events)
    if news.match.result is not None or begun:
        work.jobs.enqueue("pages", news.match.id)
