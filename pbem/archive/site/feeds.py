"""Atom feeds (RFC 4287) of the club, a member and a match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pbem.archive.files import ArchiveFile
from pbem.archive.site import addresses
from pbem.archive.site.rendering import latest, rendered
from pbem.archive.site.replaying import Step
from pbem.archive.site.values import FeedEntry, MatchPage, Person, Site
from pbem.games.api import Seat
from pbem.matches.match import MatchSummary

NEWEST = 30
"""Maximum number of entries in a feed, enough for readers who visit once a week."""


@dataclass(frozen=True)
class FeedItem:
    """An entry: a match, and what happened in it."""

    kind: str
    """`began`, `ended`, `turn`, or `yours` for a turn that its reader must play."""
    entry: FeedEntry
    id: str
    at: datetime
    step: Step | None = None
    due_at: datetime | None = None
    """For the reader's turn: when they run out of time, None while the clock is paused."""
    has_page: bool = True
    """Whether everybody may read the match."""


class OwnTurn(NamedTuple):
    """A match in which it is the turn of the feed's only reader."""

    match: MatchSummary
    due_at: datetime | None
    """When they run out of time, None while the clock is paused."""
    has_page: bool
    """Whether everybody may read the match."""


def turns_feed(site: Site, name: str, turns: Iterable[OwnTurn]) -> ArchiveFile:
    """Return the secret feed of the matches that wait for a member. It names nobody."""
    items = (
        FeedItem(
            "yours",
            FeedEntry(match, {}),
            _tag(site, f"match-{match.id}-turn-{match.token_turn}-yours"),
            match.turn_started_at or match.started_at,
            due_at=due_at,
            has_page=has_page,
        )
        for match, due_at, has_page in turns
    )
    return _feed(site, name, addresses.CLUB, items, person=None, yours=True)


def entries_feed(
    site: Site, name: str, about: str, entries: Iterable[FeedEntry], of: Person | None = None
) -> ArchiveFile:
    """Return a feed of matches that started and ended, newest first, of the club or a member."""
    items = (item for entry in entries for item in _of_entry(site, entry))
    return _feed(site, name, about, items, person=of)


def match_feed(
    site: Site, page: MatchPage, steps: Sequence[Step], seats: Mapping[Seat, str]
) -> ArchiveFile:
    """Return a feed of a match's turns, newest first. `seats` names the seats."""
    entry, match = page.entry, page.entry.match
    items = [*_of_entry(site, entry)]
    for step in steps[1:]:
        if step.at is not None:
            tag = _tag(site, f"match-{match.id}-turn-{step.turn}")
            items.append(FeedItem("turn", entry, tag, step.at, step))
    name = f"{addresses.match_stem(match)}.atom"
    return _feed(site, name, addresses.match_page(match), items, match=match, seats=seats)


def _of_entry(site: Site, entry: FeedEntry) -> Iterator[FeedItem]:
    match = entry.match
    yield FeedItem("began", entry, _tag(site, f"match-{match.id}-began"), match.started_at)
    if match.result is not None:
        tag = _tag(site, f"match-{match.id}-ended")
        yield FeedItem("ended", entry, tag, match.result.ended_at)


def _feed(site: Site, name: str, about: str, items: Iterable[FeedItem], **more: Any) -> ArchiveFile:
    newest = sorted(items, key=lambda item: (item.at, item.id), reverse=True)[:NEWEST]
    return rendered(
        site,
        name,
        "feed.atom.j2",
        id=_tag(site, name.removesuffix(".atom").replace("/", ":")),
        updated=latest(item.at for item in newest),
        about=about,
        items=newest,
        **{"yours": False, **more},
    )


def _tag(site: Site, what: str) -> str:
    """Return an id that stays the same wherever the site is (RFC 4151)."""
    host = site.address.partition("@")[2] or urlsplit(site.url).hostname or "pbem.invalid"
    return f"tag:{host},2026:{what}"
