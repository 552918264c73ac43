"""Addresses in the reading room: names of files, and links between them."""

from __future__ import annotations

import posixpath
from functools import lru_cache
from hashlib import sha256

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
HELP = "help/players.html"
FEED = "feed.atom"
INDEX = "index.json"
INDEX_SCHEMA = "index.schema.json"
SITEMAP = "sitemap.xml"


def match_stem(match: MatchSummary) -> str:
    """Return the common start of a match's file names: `matches/match-000012-lanko-103`."""
    return f"matches/{stem(match.id, match.game_key)}"


def page_of(match_id: int, game_key: str) -> str:
    """Return the address of the page of a match that is known by its number only."""
    return f"matches/{stem(match_id, game_key)}.html"


def match_page(match: MatchSummary) -> str:
    """Return the address of its page."""
    return f"{match_stem(match)}.html"


def boards_page(match: MatchSummary) -> str:
    """Return the address of its list of boards."""
    return f"{match_stem(match)}.boards.html"


def replay_data(match: MatchSummary) -> str:
    """Return the address of its positions, which the scripts of its pages read."""
    return f"{match_stem(match)}.js"


def embed_page(match: MatchSummary) -> str:
    """Return the address of the small page that other sites embed."""
    return f"embed/{stem(match.id, match.game_key)}.html"


def competition_page(competition: Competition) -> str:
    """Return the address of its page, such as `competitions/set-000003-lanko-68.html`."""
    kind, number, game = competition.kind, competition.number, competition.game_key
    return f"competitions/{kind}-{number:06d}-{game}.html"


def imported_page(club: str, of: tuple[int, int] | None = None) -> str:
    """Return the address of the list of another club's matches, perhaps of one month.

    It has a number, hashed from the name of the club.
    """
    number = int.from_bytes(sha256(club.encode(errors="replace")).digest()[:5])
    return f"imported/{number}{f'-{month(*of)}' if of else ''}.html"


def member_page(player: PlayerId) -> str:
    """Return the address of their page, such as `members/7.html`."""
    return f"members/{player}.html"


def member_feed(player: PlayerId) -> str:
    """Return the address of their feed, such as `members/7.atom`."""
    return f"members/{player}.atom"


def member_statistics(player: PlayerId) -> str:
    """Return the address of their statistics for programs, such as `members/7.json`."""
    return f"members/{player}.json"


def game_statistics(game: AnyGame) -> str:
    """Return the address of its statistics for programs, such as `games/lanko-103.json`."""
    return f"games/{game.info.key}.json"


def deadlines(player: PlayerId, secret: str, form: str) -> str:
    """Return the address of their deadlines, such as `deadlines/7-SECRET.ics`.

    It is for calendar programs and feed readers. No page links to it.
    """
    return f"{deadlines_of(player)}{secret}.{form}"


def deadlines_of(player: PlayerId) -> str:
    """Return the common start of the names of a member's secret files."""
    return f"deadlines/{player}-"


def game_page(game: AnyGame) -> str:
    """Return the address of its page, such as `games/lanko-103.html`."""
    return f"games/{game.info.key}.html"


def help_page(name: str) -> str:
    """Return the address of a page for players, such as `help/clocks.html`."""
    return f"help/{name}.html"


def month(year: int, number: int) -> str:
    """Return a month as it appears in file names: `2026-11`."""
    return f"{year:04d}-{number:02d}"


def calendar_page(year: int, number: int) -> str:
    """Return the address of its page, such as `calendar/2026-11.html`."""
    return f"calendar/{month(year, number)}.html"


@lru_cache(4096)
def link(page: str, to: str) -> str:
    """Return a relative link from a page to another file, which works wherever the site is."""
    return posixpath.relpath(to, posixpath.dirname(page) or ".")
