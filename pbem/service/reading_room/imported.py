"""Imported: the matches of other clubs as the reading room shows them.

They link to no member and are in no feed, and no statistics count them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.site.values import FeedEntry, MatchPage, Origin, Person
from pbem.matches.imported import NO_MATCH, ImportedMatch
from pbem.matches.match import MatchSummary
from pbem.matches.record.to_match import people_of
from pbem.service.club import Public
from pbem.service.reading_room.reading import RoomReading, placed


def imported_page(of: RoomReading, number: int) -> MatchPage | None:
    """Return the page of a match. None if the club shows no matches, or lacks its game."""
    match = of.uow.imported.get(number)
    if match is None or not _shows(of, match):
        return None
    stored = match.stored
    return MatchPage(
        entry=_entry(match, stored.match),
        actions=[action for action in stored.actions if not action.undone],
        happenings=placed(stored.happenings),
        record=match.record,
    )


def imported_entries(of: RoomReading, club: str) -> Sequence[FeedEntry]:
    """Return the matches of a club that have a page, the newest first."""
    matches = (of.uow.imported.get(number) for number in of.uow.imported.of_club(club))
    shown = (each for each in matches if each is not None and _shows(of, each))
    newest = sorted(shown, key=lambda each: (each.record.ended_at, each.number), reverse=True)
    return [_entry(each, each.summary) for each in newest]


def _shows(of: RoomReading, match: ImportedMatch) -> bool:
    try:
        return of.room.public is not Public.NEVER and not match.summary.lacks_rules
    except NO_MATCH:  # `archive verify` names it
        return False


def _entry(match: ImportedMatch, summary: MatchSummary) -> FeedEntry:
    names = people_of(match.record)
    people = {number: Person(number, name, page=False) for number, name in names.items()}
    return FeedEntry(summary, people, origin=Origin(match.record.club, match.record.match_id))
