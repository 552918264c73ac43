"""Where the pages of the reading room lie: names of files, and links from one to another."""

from __future__ import annotations

import posixpath
from functools import lru_cache

from pbem.archive.files import stem
from pbem.games.api import AnyGame
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, PlayerId

CLUB = "index.html"
RUNNING = "running.html"
SEARCH = "search.html"
CALENDAR = "calendar/index.html"
COMPETITIONS = "competitions/index.html"
GAMES = "games/index.html"
MEMBERS = "members/index.html"
FEED = "feed.atom"
INDEX = "index.json"
INDEX_SCHEMA = "index.schema.json"
SITEMAP = "sitemap.xml"


def match_stem(match: MatchSummary) -> str:
    """What the names of a match's files begin with: `matches/match-000012-lanko-103`."""
    return f"matches/{stem(match.id, match.game_key)}"


def match_page(match: MatchSummary) -> str:
    """Its page."""
    return f"{match_stem(match)}.html"


def boards_page(match: MatchSummary) -> str:
    """Its list of boards."""
    return f"{match_stem(match)}.boards.html"


def replay_data(match: MatchSummary) -> str:
    """Its positions, for the scripts of its pages."""
    return f"{match_stem(match)}.js"


def embed_page(match: MatchSummary) -> str:
    """The small page that other sites show."""
    return f"embed/{stem(match.id, match.game_key)}.html"


def competition_page(competition: Competition) -> str:
    """`competitions/set-000003-lanko-68.html`."""
    kind, number, game = competition.kind, competition.number, competition.game_key
    return f"competitions/{kind}-{number:06d}-{game}.html"


def member_page(player: PlayerId) -> str:
    """`members/7.html`."""
    return f"members/{player}.html"


def member_feed(player: PlayerId) -> str:
    """`members/7.atom`."""
    return f"members/{player}.atom"


def deadlines(player: PlayerId, secret: str) -> str:
    """`deadlines/7-SECRET.ics`: for a calendar program; no page leads there."""
    return f"{deadlines_of(player)}{secret}.ics"


def deadlines_of(player: PlayerId) -> str:
    """What the names of a member's calendars begin with."""
    return f"deadlines/{player}-"


def game_page(game: AnyGame) -> str:
    """`games/lanko-103.html`."""
    return f"games/{game.info.key}.html"


def month(year: int, number: int) -> str:
    """How files name a month: `2026-11`."""
    return f"{year:04d}-{number:02d}"


def calendar_page(year: int, number: int) -> str:
    """`calendar/2026-11.html`."""
    return f"calendar/{month(year, number)}.html"


@lru_cache(4096)
def link(page: str, to: str) -> str:
    """How a page refers to another file of the site, wherever the site lies."""
    return posixpath.relpath(to, posixpath.dirname(page) or ".")
