"""Imported: the matches of other clubs as the reading room shows them.

They link to no member and are in no feed, and no statistics count them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

from pbem.archive.site.values import FeedEntry, MatchPage, Origin, Person
from pbem.matches.imported import NO_MATCH, ImportedMatch
from pbem.matches.match import MatchSummary
from pbem.matches.record.to_match import people_of
from pbem.service.club import Public
from pbem.service.people import hidden_name, is_hidden
from pbem.service.reading_room.reading import RoomReading, placed


def imported_page(of: RoomReading, number: int) -> MatchPage | None:
    """Return the page of a match. None if the club shows no matches, or lacks its game."""
    match = of.uow.imported.get(number)
    if match is None or not _shows(of, match):
        return None
    stored, hidden = match.stored, _hidden_in(of, match.record.club)
    entry = _entry(match, stored.match, hidden)
    return MatchPage(
        entry=entry,
        actions=[action for action in stored.actions if not action.undone],
        happenings=placed(stored.happenings),
        record=None if any(each.hidden for each in entry.people.values()) else match.record,
    )


def imported_entries(of: RoomReading, club: str) -> Sequence[FeedEntry]:
    """Return the matches of a club that have a page, the newest first."""
    matches = (of.uow.imported.get(number) for number in of.uow.imported.of_club(club))
    shown = (each for each in matches if each is not None and _shows(of, each))
    newest = sorted(shown, key=lambda each: (each.record.ended_at, each.number), reverse=True)
    hidden = _hidden_in(of, club)
    return [_entry(each, each.summary, hidden) for each in newest]


def imported_clubs(of: RoomReading) -> Sequence[str]:
    """Return the clubs of which at least one match has a page."""
    imported = of.uow.imported
    return [
        club
        for club in imported.clubs()
        if any((each := imported.get(n)) and _shows(of, each) for n in imported.of_club(club))
    ]


def _hidden_in(of: RoomReading, club: str) -> frozenset[str]:
    """Return the names in the records of a club that stand for members who are hidden here."""
    rated = (each for each in of.uow.imported.rated_names() if each.club == club)
    return frozenset(each.name for each in rated if is_hidden(of.player(each.member)))


def _shows(of: RoomReading, match: ImportedMatch) -> bool:
    try:
        return of.room.public is not Public.NEVER and not match.summary.lacks_rules
    except NO_MATCH:  # `archive verify` names it
        return False


def _entry(match: ImportedMatch, summary: MatchSummary, hidden: Collection[str]) -> FeedEntry:
    people, nth = dict[int, Person](), count(1)
    for number, name in people_of(match.record).items():
        hides = name in hidden
        shown = hidden_name(next(nth)) if hides else name
        people[number] = Person(number, shown, page=False, hidden=hides)
    return FeedEntry(summary, people, origin=Origin(match.record.club, match.record.match_id))
