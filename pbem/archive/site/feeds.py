"""Atom feeds (RFC 4287) of the club, a member and a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from pbem.archive.files import ArchiveFile
from pbem.archive.site import addresses
from pbem.archive.site.rendering import latest, rendered
from pbem.archive.site.replaying import Step
from pbem.archive.site.values import Entry, MatchPage, Site
from pbem.archive.words import result_words
from pbem.games.api import Seat
from pbem.matches.match import PlayerId

NEWEST = 30
"""Entries of a feed: what a reader who looks in once a week may have missed."""


@dataclass(frozen=True)
class Item:
    """An entry."""

    id: str
    title: str
    at: datetime
    page: str
    summary: str
    fragment: str = ""


def entries_feed(
    site: Site, name: str, title: str, about: str, entries: Iterable[Entry]
) -> ArchiveFile:
    """Matches that began and ended, the newest first."""
    items = [item for entry in entries for item in _of_entry(site, entry)]
    return _feed(site, name, title, about, items)


def match_feed(
    site: Site, page: MatchPage, steps: Sequence[Step], seats: Mapping[Seat, str]
) -> ArchiveFile:
    """The turns of a match, the newest first."""
    entry, match = page.entry, page.entry.match
    names = {seat: entry.people[player].name for seat, player in match.seats.items()}
    items = _of_entry(site, entry)
    about = addresses.match_page(match)
    for step in steps[1:]:
        if step.at is not None:
            said = "; ".join(
                f"{names[line.seat]}, {seats[line.seat]}: {' '.join(line.texts)}"
                for line in step.lines
            )
            id_, fragment = _tag(site, f"match-{match.id}-turn-{step.turn}"), f"#turn-{step.turn}"
            items.append(Item(id_, f"Turn {step.turn}", step.at, about, said, fragment))
    title = f"{match.game.info.title}, match {match.id}"
    return _feed(site, f"{addresses.match_stem(match)}.atom", title, about, items)


def _of_entry(site: Site, entry: Entry) -> list[Item]:
    match, names = entry.match, {id_: who.name for id_, who in entry.people.items()}
    page, title = addresses.match_page(match), f"Match {match.id}, {match.game.info.title}"
    players = ", ".join(names[player] for player in match.players)
    began = _tag(site, f"match-{match.id}-began")
    items = [Item(began, f"{title}, has begun", match.started_at, page, players)]
    if match.result is not None:
        ended = _tag(site, f"match-{match.id}-ended")
        said = result_words(match, names)
        items.append(Item(ended, f"{title}, has ended", match.result.ended_at, page, said))
    return items


def _feed(site: Site, name: str, title: str, about: str, items: Iterable[Item]) -> ArchiveFile:
    newest = sorted(items, key=lambda item: (item.at, item.id), reverse=True)[:NEWEST]
    return rendered(
        site,
        name,
        "feed.atom.j2",
        id=_tag(site, name.removesuffix(".atom").replace("/", ":")),
        title=f"{title} – {site.club}",
        updated=latest(item.at for item in newest),
        about=about,
        items=newest,
    )


def _tag(site: Site, what: str) -> str:
    """An id that stays the same wherever the site lies (RFC 4151)."""
    host = site.address.partition("@")[2] or urlsplit(site.url).hostname or "pbem.invalid"
    return f"tag:{host},2026:{what}"


def names_of(entry: Entry) -> dict[PlayerId, str]:
    """Names of those who play."""
    return {player: entry.people[player].name for player in entry.match.players}
