"""Pages: read what a stale page shows, render its files, and mark pages that depend on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from math import ceil

from pbem.archive.files import ArchiveFile, beginning, stem
from pbem.archive.site import addresses, pages
from pbem.archive.site.feeds import OwnTurn, turns_feed
from pbem.archive.site.values import (
    CalendarPage,
    ClubPage,
    CompetitionPage,
    FeedEntry,
    GamePage,
    MemberPage,
    MonthRating,
    OpenTable,
    Person,
    RatedPerson,
    RatingCourse,
)
from pbem.games import formats_of, games
from pbem.mail.outgoing.calendar import Deadline, feed as subscribed_to
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.announcement import OPEN
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.overview import Overview
from pbem.matches.ratings import RatingList
from pbem.matches.statistics import LONGEST, statistics
from pbem.ports.room import PageKind, StalePage
from pbem.service.clocks.calendars import concerned_by, deadlines_of, turn_deadline
from pbem.service.clocks.schedule import SECRET_FILES, has_files
from pbem.service.club import Public
from pbem.service.people import shows_page, together
from pbem.service.reading_room.imported import imported_clubs, imported_entries, imported_page
from pbem.service.reading_room.reading import RoomReading
from pbem.service.reliability import paces_of, reliability
from pbem.service.standing import is_listed, listed, rating_list
from pbem.service.statistics import by_opponent
from pbem.settings import calendar, feed

Files = tuple[ArchiveFile, ...]
Marks = tuple[tuple[PageKind, str], ...]


@dataclass(frozen=True)
class Task:
    """The work for a stale page."""

    paint: Callable[[], Files] = tuple
    """Renders its files. Called outside any transaction."""
    gone: tuple[str, ...] = ()
    """Prefixes of the names of files to remove, apart from those that it renders."""
    stale: Marks = field(default=())
    """Pages that become stale with it."""
    listed: PageKind | None = None
    """The list that includes it if it exists."""
    renamed: PlayerId | None = None
    """A player whose name or link changes wherever they appear."""
    news: tuple[MatchSummary, datetime] | None = None
    """A match of which its watchers may get news, and the approximate time now."""


def task_of(of: RoomReading, page: StalePage) -> Task:
    """Return the task for a page."""
    return TASKS[page.kind](of, page.key)


def _person(of: RoomReading, key: str) -> Task:
    lists = (PageKind.MEMBERS, ""), (PageKind.CLUB, "")
    rated = dict.fromkeys(which.game for which in of.uow.ratings.lists_of(int(key)) if which.game)
    games_ = ((PageKind.GAME, game) for game in rated)
    return Task(stale=((PageKind.MEMBER, key), *games_, *lists), renamed=int(key))


def _match(of: RoomReading, key: str) -> Task:
    match = of.uow.matches.get(int(key))
    return _match_files(of, match, _around(of, match))


def _turn(of: RoomReading, key: str) -> Task:
    """Return the task for a turn. With a delay, it may show that a player took over earlier."""
    match = of.uow.matches.get(int(key))
    late = of.room.delay and match.hands.earlier
    return _match_files(of, match, _around(of, match) if late else _feeds(of, match))


def _match_files(of: RoomReading, match: MatchSummary, stale: Marks) -> Task:
    if not of.room.choices.show(match):
        name = stem(match.id, match.game_key)
        everything = f"{addresses.match_stem(match)}.", f"embed/{name}."
        return Task(gone=everything, stale=stale)
    value = of.match_page(match)
    gone = _records_of(match) if value.record is None else ()
    now, result = _now(of), match.result
    is_old = result is not None and result.ended_at <= now - NEWS_AFTER_END
    paint = partial(pages.match_files, of.room.site, value)
    return Task(paint, gone, stale, news=None if is_old else (match, now))


def _records_of(match: MatchSummary) -> tuple[str, ...]:
    forms = "txt", "json", *(each.suffix for each in formats_of(match.game_key))
    return tuple(f"{addresses.match_stem(match)}.{form}" for form in forms)


NEWS_AFTER_END = timedelta(days=7)
"""How long the page of an ended match may be news, however often it is written again."""


def _around(of: RoomReading, match: MatchSummary) -> Marks:
    """Return the pages that mention a match, and the feeds of its players."""
    everybody = {*match.players, *(spell.player for spell in match.hands.earlier)}
    stale = [(PageKind.MEMBER, str(player)) for player in sorted(everybody)]
    stale += [(PageKind.RUNNING, ""), (PageKind.CLUB, ""), (PageKind.GAME, match.game_key)]
    stale += _feeds(of, match)
    if match.place is not None:
        stale.append((PageKind.COMPETITION, str(match.place.competition)))
    if match.result is not None:
        at = match.result.ended_at
        stale.append((PageKind.MONTH, addresses.month(at.year, at.month)))
    return tuple(stale)


def _feeds(of: RoomReading, match: MatchSummary) -> Marks:
    """Return the calendars and feeds of the players."""
    everybody = {*match.players, *(spell.player for spell in match.hands.earlier)}
    subscribed = (player for player in sorted(everybody) if has_files(of.player(player)))
    return tuple((PageKind.FEED, str(player)) for player in subscribed)


def _imported_match(of: RoomReading, key: str) -> Task:
    value = imported_page(of, int(key))
    if value is None:
        name = beginning(-int(key))
        return Task(gone=(f"matches/{name}", f"embed/{name}"))
    gone = _records_of(value.entry.match) if value.record is None else ()
    return Task(partial(pages.match_files, of.room.site, value), gone)


def _imported_club(of: RoomReading, key: str) -> Task:
    stale, entries = ((PageKind.CLUB, ""),), imported_entries(of, key)
    stem_ = addresses.imported_page(key).removesuffix(".html")
    paint = partial(pages.imported_files, of.room.site, key, entries) if entries else tuple
    return Task(paint, (f"{stem_}.", f"{stem_}-"), stale)


def _competition(of: RoomReading, key: str) -> Task:
    competition = of.competition(int(key))
    value = competition_page(of, competition)
    name = addresses.competition_page(competition)
    stem_ = name.removesuffix("html")
    if value is None:
        return Task(gone=(stem_,), listed=PageKind.COMPETITIONS)
    paint = partial(pages.competition_files, of.room.site, value)
    gone = f"{stem_}book.", f"{stem_}certificate-"
    return Task(paint, gone, stale=((PageKind.CLUB, ""),), listed=PageKind.COMPETITIONS)


def _member(of: RoomReading, key: str) -> Task:
    value = member_page(of, int(key))
    if value is None:
        gone = addresses.member_page(int(key)).removesuffix("html")
        return Task(gone=(gone,), listed=PageKind.MEMBERS)
    return Task(partial(pages.member_files, of.room.site, value), listed=PageKind.MEMBERS)


def _feed(of: RoomReading, key: str) -> Task:
    """Return the task for a member's calendar and feed. Files at earlier addresses are removed."""
    player, site, store = of.player(int(key)), of.room.site, of.room.store
    there = store.names(addresses.deadlines_of(player.id))
    if not has_files(player):
        return Task(gone=tuple(there))
    names = {
        file.form: addresses.deadlines(player.id, secret, file.form)
        for file in SECRET_FILES.values()
        if (secret := file.secret_of(player))
    }
    mine = [each for each in of.uow.matches.of_player(player.id) if each.player_to_act == player.id]
    paints = list[Callable[[], ArchiveFile]]()
    if name := names.get(calendar.FILE.form):
        host = site.address.rpartition("@")[2]
        words = of_the_club()
        turns = (turn_deadline(words, host, match, player.id) for match in mine)
        due = [turn for turn in turns if turn is not None]
        for each in of.uow.competitions.announced(OPEN):
            if player.id in concerned_by(each):
                due += deadlines_of(words, host, each, _now(of), concerned=True)
        paints.append(partial(_calendar, name, site.club, due, store.read(name), _now(of)))
    if name := names.get(feed.FILE.form):
        own = [OwnTurn(match, match.clock.flag_at, of.room.choices.show(match)) for match in mine]
        paints.append(partial(turns_feed, site, name, own))
    gone = tuple(each for each in there if each not in names.values())
    return Task(lambda: tuple(paint() for paint in paints), gone=gone)


def _now(of: RoomReading) -> datetime:
    """Return the last heartbeat, as the approximate time now."""
    if of.known.now is None:
        of.known.now = of.uow.service.last_beat() or datetime.fromtimestamp(0, UTC)
    return of.known.now


def _calendar(
    name: str, club: str, deadlines: Sequence[Deadline], before: bytes | None, now: datetime
) -> ArchiveFile:
    return ArchiveFile(name, subscribed_to(club, deadlines, before, now))


def _game(of: RoomReading, key: str) -> Task:
    return Task(partial(pages.game_files, of.room.site, game_page(of, key)))


def _month(of: RoomReading, key: str) -> Task:
    value = calendar_page(of, key)
    paint = partial(pages.calendar_files, of.room.site, value)
    return Task(paint) if value.entries else Task(gone=tuple(file.name for file in paint()))


def _running(of: RoomReading, key: str) -> Task:
    return Task(partial(pages.running_files, of.room.site, running(of)))


def _competitions(of: RoomReading, key: str) -> Task:
    listed = competitions(of)
    return Task(partial(pages.competition_list_files, of.room.site, listed))


def _members(of: RoomReading, key: str) -> Task:
    return Task(partial(pages.member_list_files, of.room.site, members(of)))


def _club(of: RoomReading, key: str) -> Task:
    return Task(partial(pages.club_files, of.room.site, club_page(of)))


TASKS: Mapping[PageKind, Callable[[RoomReading, str], Task]] = {
    PageKind.PERSON: _person,
    PageKind.MATCH: _match,
    PageKind.TURN: _turn,
    PageKind.COMPETITION: _competition,
    PageKind.MEMBER: _member,
    PageKind.GAME: _game,
    PageKind.IMPORTED_MATCH: _imported_match,
    PageKind.IMPORTED_CLUB: _imported_club,
    PageKind.MONTH: _month,
    PageKind.RUNNING: _running,
    PageKind.COMPETITIONS: _competitions,
    PageKind.MEMBERS: _members,
    PageKind.CLUB: _club,
    PageKind.FEED: _feed,
}


def always() -> Marks:
    """Return the pages that even an empty club has."""
    kinds = (PageKind.RUNNING, PageKind.COMPETITIONS, PageKind.MEMBERS, PageKind.CLUB)
    of_games = [(PageKind.GAME, game.info.key) for game in games()]
    return (*of_games, *((kind, "") for kind in kinds))


NEWEST = 20
NEWEST_OF_MEMBER = 100
MOST_MONTHS = 60
"""Maximum number of months in a plot."""
NEWEST_COMPETITIONS = 10
MOST_OPPONENTS = 20
MOST_CHAPTERS = 150
"""Most matches of a competition that are in its book. With more, it has only the tables."""


def competition_page(of: RoomReading, competition: Competition) -> CompetitionPage | None:
    """Return the page of a competition, from its shown matches. None if none is shown."""
    matches = of.uow.matches.of_competition(competition.id)
    shown = [match for match in matches if of.room.choices.show(match) and not match.hides_names]
    entries = of.entries(shown)
    if not entries:
        return None
    shown_matches = [entry.match for entry in entries]
    paces = paces_of(of.uow, competition, of.room.choices, _now(of))
    overview = Overview(competition, shown_matches, paces, _now(of))
    people = together(map(of.player, competition.players))
    chapters = None
    if overview.standing.over:
        chapters = [of.match_page(each) for each in shown] if len(shown) <= MOST_CHAPTERS else []
    return CompetitionPage(overview, entries, people, chapters)


def member_page(of: RoomReading, player: PlayerId) -> MemberPage | None:
    """Return a member's page. None if they don't want one or none of their matches is shown."""
    member, which = of.player(player), of.room.choices
    matches = of.uow.shown.of_player(which, player, NEWEST_OF_MEMBER) if shows_page(member) else ()
    matches = [each for each in matches if not each.hides_names]
    if not matches:
        return None
    results = of.uow.shown.results_of(which, player)
    ended = ceil(sum(each.matches for each in results))
    has = None if member.bot else reliability(of.uow, member, _now(of))
    met = of.uow.shown.played(which, player)
    others = together(map(of.player, by_opponent(met)))
    opponents = [
        (others[each], theirs)
        for each, theirs in by_opponent(met).items()
        if not others[each].hidden
    ]
    return MemberPage(
        together([member])[player],
        of.entries(matches),
        ended,
        results,
        has,
        statistics(met),
        opponents[:MOST_OPPONENTS],
        courses(of, member) if is_listed(member) else (),
    )


def courses(of: RoomReading, member: Player) -> Sequence[RatingCourse]:
    """Return a member's ratings month by month."""
    lists = sorted(of.uow.ratings.lists_of(member.id), key=lambda each: (each.computers, each))
    found = []
    for which in lists:
        steps = of.uow.ratings.course(which, member.id)
        last = {(each.place.ended_at.year, each.place.ended_at.month): each for each in steps}
        months = [MonthRating(*month, step.rating) for month, step in last.items()]
        found.append(RatingCourse(which, months[-MOST_MONTHS:]))
    return found


def game_page(of: RoomReading, game_key: str) -> GamePage:
    """Return the page of a game."""
    which, shown = of.room.choices, of.uow.shown
    return GamePage(
        game_key,
        shown.running_count(which, game_key),
        shown.results(which, game_key),
        of.entries(shown.ended(which, NEWEST, game_key)),
        of.entries(shown.longest(which, game_key, LONGEST)),
        _rated(of, game_key),
    )


def _rated(of: RoomReading, game_key: str) -> Sequence[RatedPerson]:
    """Return the rating list of a game. It is empty if the club shows no matches."""
    if of.room.public is Public.NEVER:
        return ()
    rated = listed(rating_list(of.uow, RatingList(game_key)))
    people = together(each.player for each in rated)
    return [RatedPerson(people[each.player.id], each.rating) for each in rated]


def calendar_page(of: RoomReading, key: str) -> CalendarPage:
    """Return the page of a month such as `2026-11`."""
    year, month = map(int, key.split("-"))
    since = datetime(year, month, 1, tzinfo=UTC)
    before = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    ended = of.uow.shown.ended_between(of.room.choices, since, before)
    return CalendarPage(year, month, of.entries(ended))


def running(of: RoomReading) -> Sequence[FeedEntry]:
    """Return the shown matches that are being played."""
    return of.entries(of.uow.shown.running(of.room.choices))


def competitions(of: RoomReading) -> Sequence[Competition]:
    """Return the competitions with a shown match, newest first."""
    shown = of.uow.shown.competitions(of.room.choices)
    return [of.competition(number) for number in sorted(shown, reverse=True)]


def members(of: RoomReading) -> Sequence[Person]:
    """Return everybody who has a page, by name."""
    which = of.room.choices
    shown = of.uow.shown.players(which)
    players = [each for each in of.uow.players.all() if each.id in shown and shows_page(each)]
    blind = {
        player
        for each in of.uow.shown.running(which)
        if each.hides_names
        for player in each.players
    }
    players = [each for each in players if each.id not in blind or member_page(of, each.id)]
    return list(together(players).values())


def club_page(of: RoomReading) -> ClubPage:
    """Return the front page."""
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
        imported_clubs(of),
    )


def _waiting(of: RoomReading) -> Sequence[OpenTable]:
    """Return the open tables. None are listed if the club shows no matches."""
    if of.room.public is Public.NEVER:
        return ()
    tables = (offer for offer in of.uow.offers.standing() if offer.for_anybody)
    return [
        OpenTable(table, together(map(of.player, table.players), blind=table.is_blind))
        for table in tables
    ]
