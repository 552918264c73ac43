"""Contents: the value of each page, by its kind and key; None for one that is not to be there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from math import ceil

from pbem.archive.site.values import (
    CalendarPage,
    ClubPage,
    CompetitionPage,
    Entry,
    GamePage,
    MemberPage,
    Person,
    Waiting,
)
from pbem.matches.competition import Competition
from pbem.matches.match import PlayerId
from pbem.service.room.people import shows_page, together
from pbem.service.room.reading import Reading
from pbem.service.room.room import Public

NEWEST = 20
NEWEST_OF_MEMBER = 100
NEWEST_COMPETITIONS = 10


def competition_page(of: Reading, competition: Competition) -> CompetitionPage | None:
    """A competition as it stands by the matches that are shown; None before there is one."""
    matches = of.uow.matches.of_competition(competition.id)
    entries = of.entries(match for match in matches if of.room.choices.show(match))
    if not entries:
        return None
    standing = competition.standing([entry.match for entry in entries])
    people = together(map(of.player, competition.players))
    return CompetitionPage(competition, standing, entries, people)


def member_page(of: Reading, player: PlayerId) -> MemberPage | None:
    """A member; None for who wants no page, and for who plays nothing that is shown."""
    member, which = of.player(player), of.room.choices
    matches = of.uow.shown.of_player(which, player, NEWEST_OF_MEMBER) if shows_page(member) else ()
    if not matches:
        return None
    results = of.uow.shown.results_of(which, player)
    ended = ceil(sum(each.matches for each in results))
    return MemberPage(together([member])[player], of.entries(matches), ended, results)


def game_page(of: Reading, game_key: str) -> GamePage:
    """A game and what was played."""
    which, shown = of.room.choices, of.uow.shown
    return GamePage(
        game_key,
        shown.running_count(which, game_key),
        shown.results(which, game_key),
        of.entries(shown.ended(which, NEWEST, game_key)),
    )


def calendar_page(of: Reading, key: str) -> CalendarPage:
    """A month, `2026-11`."""
    year, month = map(int, key.split("-"))
    since = datetime(year, month, 1, tzinfo=UTC)
    before = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    ended = of.uow.shown.ended_between(of.room.choices, since, before)
    return CalendarPage(year, month, of.entries(ended))


def running(of: Reading) -> Sequence[Entry]:
    """All that is being played."""
    return of.entries(of.uow.shown.running(of.room.choices))


def competitions(of: Reading) -> Sequence[Competition]:
    """All of which a match is shown, the newest first."""
    shown = of.uow.shown.competitions(of.room.choices)
    return [of.competition(number) for number in sorted(shown, reverse=True)]


def members(of: Reading) -> Sequence[Person]:
    """Everybody who has a page, by name."""
    shown = of.uow.shown.players(of.room.choices)
    players = [each for each in of.uow.players.all() if each.id in shown and shows_page(each)]
    return list(together(players).values())


def club_page(of: Reading) -> ClubPage:
    """The first page."""
    which, shown = of.room.choices, of.uow.shown
    newest = sorted(shown.competitions(which), reverse=True)[:NEWEST_COMPETITIONS]
    months = shown.months(which)
    return ClubPage(
        of.entries(shown.running(which, NEWEST)),
        shown.running_count(which),
        of.entries(shown.ended(which, NEWEST)),
        sum(month.matches for month in months),
        [of.competition(number) for number in newest],
        months,
        _waiting(of),
    )


def _waiting(of: Reading) -> Sequence[Waiting]:
    """Who waits for opponents; nobody where nothing of the club is to be read."""
    if of.room.public is Public.NEVER:
        return ()
    tables = (offer for offer in of.uow.offers.standing() if offer.for_anybody)
    return [Waiting(table, together(map(of.player, table.players))) for table in tables]
