"""Files for programs: the parts of search, `index.json` and the sitemap.

Each part is a month, or the current matches, so that another match changes only one small part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from markupsafe import Markup

from pbem.archive.files import ArchiveFile
from pbem.archive.site import addresses
from pbem.archive.site.rendering import rendered, stamp
from pbem.archive.site.replay_data import in_page
from pbem.archive.site.sides import sides_of, winners_of
from pbem.archive.site.values import ClubPage, FeedEntry, Site
from pbem.games import games
from pbem.games.phrases import ENGLISH
from pbem.matches.match import COMMON_TERMINATIONS, MatchSummary

RUNNING = "running"


def parts(site: Site, name: str, entries: Sequence[FeedEntry]) -> Iterator[ArchiveFile]:
    """Yield the part of search, index and sitemap for a month or for current matches."""
    yield ArchiveFile(f"search/{name}.js", _search(name, entries).encode())
    listed = {"part": name, "matches": [_listed(entry) for entry in entries]}
    yield ArchiveFile(f"index/{name}.json", _pretty(listed))
    if site.url:
        pages = [addresses.match_page(entry.match) for entry in entries]
        yield rendered(site, f"sitemap/{name}.xml", "sitemap.xml.j2", pages=pages)


def whole(site: Site, page: ClubPage) -> Iterator[ArchiveFile]:
    """Yield the lists of the parts."""
    months = [addresses.month(each.year, each.month) for each in page.months]
    counts = [each.matches for each in page.months]
    yield ArchiveFile(addresses.INDEX, _pretty(_index(site, page, months, counts)))
    if site.url:
        yield rendered(site, addresses.SITEMAP, "sitemaps.xml.j2", parts=[RUNNING, *months])


def _index(site: Site, page: ClubPage, months: list[str], counts: list[int]) -> dict[str, Any]:
    running = {"part": RUNNING, "matches": page.running_count, "file": f"index/{RUNNING}.json"}
    ended = [
        {"part": month, "matches": count, "file": f"index/{month}.json"}
        for month, count in zip(months, counts, strict=True)
    ]
    return {
        "$schema": addresses.INDEX_SCHEMA,
        "club": site.club,
        "url": site.url or None,
        "games": [
            {"key": game.info.key, "title": game.info.title, "page": addresses.game_page(game)}
            for game in games()
        ],
        "parts": [running, *ended],
    }


def _listed(entry: FeedEntry) -> dict[str, Any]:
    match, stem = entry.match, addresses.match_stem(entry.match)
    return {
        "match": match.id,
        "game": match.game_key,
        "players": {seat: entry.people[player].name for seat, player in match.seats.items()},
        "started": stamp(match.started_at),
        "result": _result(match),
        "page": f"{stem}.html",
        "record": f"{stem}.json",
    }


def _result(match: MatchSummary) -> dict[str, Any] | None:
    if match.result is None:
        return None
    return {
        "ended": stamp(match.result.ended_at),
        "winners": list(match.result.winners),
        "termination": match.result.termination,
        "scores": dict(match.result.scores),
    }


def _search(name: str, entries: Iterable[FeedEntry]) -> str:
    """Return a call of the function with which the search page loads a part."""
    rows = in_page([_row(entry) for entry in entries])
    return f'takeIn("{name}",{rows});\n'


def _row(entry: FeedEntry) -> list[Any]:
    """Return number, game, players by side, winners, ending and day."""
    match, result = entry.match, entry.match.result
    sides = [[entry.people[each].name for each in side] for side in sides_of(match)]
    won = [entry.people[each].name for each in winners_of(match)]
    ending = result.termination if result else ""
    ended = f"{(result.ended_at if result else match.started_at):%Y-%m-%d}"
    return [match.id, match.game_key, sides, won, ending, ended]


def _pretty(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def shards(names: Sequence[str]) -> Markup:
    """Return the parts of search and their words, for its script."""
    titles = {game.info.key: game.info.title for game in games()}
    return in_page({"parts": list(names), "games": titles, "endings": _endings()})


def _endings() -> dict[str, dict[str, str]]:
    """Return the endings of matches in words, by game and termination."""
    return {
        game.info.key: {
            key: ENGLISH.text(said)
            for key, said in {**COMMON_TERMINATIONS, **game.info.terminations}.items()
        }
        for game in games()
    }
