"""Pages: what is read for a stale one, what it becomes as files, and what else it makes stale."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from pbem.archive.files import ArchiveFile, stem
from pbem.archive.site import addresses, pages
from pbem.games import GAMES
from pbem.mail.outgoing.calendar import TurnEvent, feed
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.match import MatchSummary, PlayerId
from pbem.ports.room import PageKind, StalePage
from pbem.service.clocks.calendar import turn_event
from pbem.service.room import contents
from pbem.service.room.reading import Reading
from pbem.settings import calendar

Files = tuple[ArchiveFile, ...]
Marks = tuple[tuple[PageKind, str], ...]


@dataclass(frozen=True)
class Task:
    """What is to be done for a stale page."""

    paint: Callable[[], Files] = tuple
    """Its files; to be called when the database is left alone."""
    gone: tuple[str, ...] = ()
    """Beginnings of the names of files that are not to be there any more."""
    stale: Marks = field(default=())
    """Pages that come to be stale by it."""
    listed: PageKind | None = None
    """The list in which it stands if it is there."""
    renamed: PlayerId | None = None
    """Whoever is shown in another way, wherever they are named."""


def task_of(of: Reading, page: StalePage) -> Task:
    """What is to be done for a page."""
    return TASKS[page.kind](of, page.key)


def _person(of: Reading, key: str) -> Task:
    lists = (PageKind.MEMBERS, ""), (PageKind.CLUB, "")
    return Task(stale=((PageKind.MEMBER, key), *lists), renamed=int(key))


def _match(of: Reading, key: str) -> Task:
    match = of.uow.matches.get(int(key))
    stale = _around(of, match)
    if not of.room.choices.show(match):
        name = stem(match.id, match.game_key)
        everything = f"{addresses.match_stem(match)}.", f"embed/{name}."
        return Task(gone=everything, stale=stale)
    value = of.match_page(match)
    records = tuple(f"{addresses.match_stem(match)}.{form}" for form in ("txt", "json"))
    gone = records if value.record is None else ()
    return Task(partial(pages.match_files, of.room.site, value), gone, stale)


def _around(of: Reading, match: MatchSummary) -> Marks:
    """Pages that speak of a match, and calendars of its players."""
    everybody = {*match.players, *(spell.player for spell in match.hands.earlier)}
    stale = [(PageKind.MEMBER, str(player)) for player in sorted(everybody)]
    subscribed = (player for player in sorted(everybody) if calendar.is_on(of.player(player)))
    stale += [(PageKind.FEED, str(player)) for player in subscribed]
    stale += [(PageKind.GAME, match.game_key), (PageKind.RUNNING, ""), (PageKind.CLUB, "")]
    if match.place is not None:
        stale.append((PageKind.COMPETITION, str(match.place.competition)))
    if match.result is not None:
        at = match.result.ended_at
        stale.append((PageKind.MONTH, addresses.month(at.year, at.month)))
    return tuple(stale)


def _competition(of: Reading, key: str) -> Task:
    competition = of.competition(int(key))
    value = contents.competition_page(of, competition)
    name = addresses.competition_page(competition)
    if value is None:
        return Task(gone=(name,), listed=PageKind.COMPETITIONS)
    paint = partial(pages.competition_files, of.room.site, value)
    return Task(paint, stale=((PageKind.CLUB, ""),), listed=PageKind.COMPETITIONS)


def _member(of: Reading, key: str) -> Task:
    value = contents.member_page(of, int(key))
    if value is None:
        gone = addresses.member_page(int(key)).removesuffix("html")
        return Task(gone=(gone,), listed=PageKind.MEMBERS)
    return Task(partial(pages.member_files, of.room.site, value), listed=PageKind.MEMBERS)


def _feed(of: Reading, key: str) -> Task:
    """Calendar of a member's deadlines; whatever had another address before goes."""
    player, store = of.player(int(key)), of.room.store
    there = store.names(addresses.deadlines_of(player.id))
    if not (secret := calendar.secret_of(player)):
        return Task(gone=tuple(there))
    name = addresses.deadlines(player.id, secret)
    host = of.room.site.address.rpartition("@")[2]
    theirs = (
        turn_event(of_the_club(), host, match, player.id)
        for match in of.uow.matches.of_player(player.id)
    )
    turns = [turn for turn in theirs if turn is not None]
    paint = partial(_calendar, name, of.room.site.club, turns, store.read(name), _now(of))
    return Task(paint, gone=tuple(each for each in there if each != name))


def _now(of: Reading) -> datetime:
    """About now: when the club looked at its clocks last."""
    return of.uow.service.last_beat() or datetime.fromtimestamp(0, UTC)


def _calendar(
    name: str, club: str, turns: Sequence[TurnEvent], before: bytes | None, now: datetime
) -> Files:
    return (ArchiveFile(name, feed(club, turns, before, now)),)


def _game(of: Reading, key: str) -> Task:
    return Task(partial(pages.game_files, of.room.site, contents.game_page(of, key)))


def _month(of: Reading, key: str) -> Task:
    value = contents.calendar_page(of, key)
    paint = partial(pages.calendar_files, of.room.site, value)
    return Task(paint) if value.entries else Task(gone=tuple(file.name for file in paint()))


def _running(of: Reading, key: str) -> Task:
    return Task(partial(pages.running_files, of.room.site, contents.running(of)))


def _competitions(of: Reading, key: str) -> Task:
    listed = contents.competitions(of)
    return Task(partial(pages.competition_list_files, of.room.site, listed))


def _members(of: Reading, key: str) -> Task:
    return Task(partial(pages.member_list_files, of.room.site, contents.members(of)))


def _club(of: Reading, key: str) -> Task:
    return Task(partial(pages.club_files, of.room.site, contents.club_page(of)))


TASKS: Mapping[PageKind, Callable[[Reading, str], Task]] = {
    PageKind.PERSON: _person,
    PageKind.MATCH: _match,
    PageKind.COMPETITION: _competition,
    PageKind.MEMBER: _member,
    PageKind.GAME: _game,
    PageKind.MONTH: _month,
    PageKind.RUNNING: _running,
    PageKind.COMPETITIONS: _competitions,
    PageKind.MEMBERS: _members,
    PageKind.CLUB: _club,
    PageKind.FEED: _feed,
}

ALWAYS: Marks = (
    *((PageKind.GAME, game.info.key) for game in GAMES),
    *((kind, "") for kind in (PageKind.RUNNING, PageKind.COMPETITIONS)),
    *((kind, "") for kind in (PageKind.MEMBERS, PageKind.CLUB)),
)
"""Pages that a club has which has nothing else."""
