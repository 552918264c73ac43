"""The pages of the reading room: one function for each of the values they are made of.

Each gives all the files that change when its value does, so that whoever publishes one more match
writes: that match, the month in which it ended (or what is being played), its competition, game and
players, and the club. None of these grows with the whole archive but by a line a month.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.files import ArchiveFile
from pbem.archive.site import addresses
from pbem.archive.site.values import (
    CalendarPage,
    ClubPage,
    CompetitionPage,
    Entry,
    GamePage,
    MatchPage,
    MemberPage,
    Person,
    Site,
)
from pbem.games import game_of
from pbem.matches.competition import Competition


def static_files(site: Site) -> tuple[ArchiveFile, ...]:
    """What no match changes: style, scripts, schema, the page of search, the list of games."""
    return (_rough(addresses.GAMES, site.club),)


def club_files(site: Site, page: ClubPage) -> tuple[ArchiveFile, ...]:
    """The first page, its feed, the calendar's months, and the lists of all that is for machines."""
    return (_rough(addresses.CLUB, site.club), _rough(addresses.CALENDAR, site.club))


def running_files(site: Site, entries: Sequence[Entry]) -> tuple[ArchiveFile, ...]:
    """All matches that are being played: a page, and their part of search, index and sitemap."""
    return (_rough(addresses.RUNNING, str(len(entries))),)


def calendar_files(site: Site, page: CalendarPage) -> tuple[ArchiveFile, ...]:
    """All matches that ended in a month: a page, and their part of search, index and sitemap."""
    return (_rough(addresses.calendar_page(page.year, page.month), str(len(page.entries))),)


def match_files(site: Site, page: MatchPage) -> tuple[ArchiveFile, ...]:
    """A match: its page, boards, records, pictures, feed and what others can embed."""
    return (_rough(addresses.match_page(page.entry.match), str(page.entry.match.id)),)


def competition_files(site: Site, page: CompetitionPage) -> tuple[ArchiveFile, ...]:
    """A set, series or tournament."""
    return (_rough(addresses.competition_page(page.competition), page.competition.title),)


def competition_list_files(
    site: Site, competitions: Sequence[Competition]
) -> tuple[ArchiveFile, ...]:
    """All competitions, the newest first: to be written when one begins."""
    return (_rough(addresses.COMPETITIONS, str(len(competitions))),)


def member_files(site: Site, page: MemberPage) -> tuple[ArchiveFile, ...]:
    """A member: their page and feed."""
    return (_rough(addresses.member_page(page.person.id), page.person.name),)


def member_list_files(site: Site, people: Sequence[Person]) -> tuple[ArchiveFile, ...]:
    """Everybody who has a page, by name: to be written when that changes."""
    return (_rough(addresses.MEMBERS, str(len(people))),)


def game_files(site: Site, page: GamePage) -> tuple[ArchiveFile, ...]:
    """A game: its rules and statistics."""
    game = game_of(page.game_key)
    return (_rough(addresses.game_page(game), game.info.title),)


def _rough(name: str, text: str) -> ArchiveFile:
    return ArchiveFile(name, f"{text}\n".encode())
