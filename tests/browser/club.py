"""Create a club with random matches of every game, and its reading room in a folder."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from math import sin
from pathlib import Path

from pbem.archive.files import ArchiveFile, stem
from pbem.archive.site import pages
from pbem.archive.site.values import (
    CalendarPage,
    ClubPage,
    CompetitionPage,
    FeedEntry,
    GamePage,
    MatchPage,
    MemberPage,
    MemberResults,
    MonthCount,
    MonthRating,
    Note,
    OpenTable,
    Origin,
    Person,
    RatedPerson,
    RatingCourse,
    Site,
)
from pbem.games import games
from pbem.matches.announcement import Announcement, Phase
from pbem.matches.competition import Competition
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.history import Kind
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId
from pbem.matches.offer import Offer, OfferEntry
from pbem.matches.offer_terms import Begins, OfferTerms
from pbem.matches.overview import Overview
from pbem.matches.ratings import Rating, RatingList
from pbem.matches.statistics import Results
from tests.matches.all_kinds import played
from tests.matches.playing import ANNA, BERT, CLARA, START, Contest
from tests.matches.records import played_at_random

HOSTILE = '</script><b id="bad">Emil & "Co" <img src=x onerror=alert(1)>'
LONG = "Donaudampfschifffahrtskommission"
NAMES = {1: "Anna Żuk", 2: "Bert", 3: "Clara de la Fontaine-Montgomery", 4: LONG, 5: HOSTILE}
PEOPLE = {id_: Person(id_, name, page=id_ != 4) for id_, name in NAMES.items()}
SITE = Site("Club of the Plus & Cross", "correspondence-games@plus-and-cross.example")

PLAYED = {
    1: ("lanko-88", 4, 1, 61),
    2: ("lanko-68", 3, 10, 10_000),
    3: ("lanko-103", 4, 28, 10_000),
    4: ("lanrick-1881", 2, 4, 90),
    5: ("lanrick-1893", 2, 5, 10_000),
    6: ("lancelot", 5, 6, 10_000),
    7: ("lanko-103", 2, 7, 24),
    8: ("lancelot", 3, 8, 30),
    9: ("lanko-88", 2, 9, 0),
}
"""Game, players, seed and maximum number of actions of each match."""


@cache
def contest(number: int) -> Contest:
    """Play a match. The first ends by resignation, the others run their course."""
    found = played_at_random(*PLAYED[number])
    if number == 1:
        found.does(Kind.DRAW_OFFERED, ANNA)
        for player in found.match.side_of(BERT):
            found.does(Kind.RESIGNED, player)
    found.match = replace(found.match, id=number, club="Club")
    return found


def file_of(number: int) -> str:
    """Return the base name of a match's files."""
    return stem(number, contest(number).match.game_key)


def entry(number: int, competition: Competition | None = None) -> FeedEntry:
    """Return a match's entry in a list."""
    return FeedEntry(contest(number).match, PEOPLE, competition)


def match_page(number: int) -> MatchPage:
    """Return a match's page, with notes."""
    found = contest(number)
    written = {
        2: "Good luck to you all!\nIt rains here.",
        3: f"{HOSTILE} --> <!-- ]]> </title>",
        7: "I had this position once, years ago, and lost it.",
    }
    notes = [
        Note(turn, found.match.players[turn % len(found.match.players)], text, START)
        for turn, text in written.items()
        if turn < found.match.turn
    ]
    delayed = 3 if number == 7 else 0
    listed, record = entry(number, COMPETITION_OF.get(number)), found.record(NAMES)
    return MatchPage(listed, found.actions, found.happenings, notes, delayed, record)


def imported_page(number: int) -> MatchPage:
    """Return the page of a match as if another club had played it, whose name is hostile."""
    found, people = match_page(number), {id_: replace(p, page=False) for id_, p in PEOPLE.items()}
    match = replace(found.entry.match, id=-number)
    return replace(found, entry=FeedEntry(match, people, origin=Origin(HOSTILE, 12)), notes=())


SET = MatchSet("lanko-68", (ANNA, BERT, CLARA), MatchOptions(), START, id=3, number=3)
SERIES = Series("lanrick-1893", (ANNA, BERT), MatchOptions(), START, id=4, number=1, games=4)
TOURNAMENT = RoundRobin("lanrick-1881", (1, 2, 3, 4, 5), MatchOptions(), START, id=5, number=2)
COMPETITION_OF: dict[int, Competition] = {2: SET, 4: TOURNAMENT, 5: SERIES}


def competition_page(number: int) -> CompetitionPage:
    """Return the page of a match's competition, of which only that match has started."""
    competition = COMPETITION_OF[number]
    pairing = competition.due(())[0]
    match = replace(contest(number).match, place=competition.place(pairing))
    entries = [FeedEntry(match, PEOPLE, competition)]
    return CompetitionPage(Overview(competition, [match]), entries, PEOPLE)


CROWD = ["Fritz", "Gerda", "Hanna", "Ivo", "Jan", "Karla", "Lena", "Moritz", "Nils", "Olga", "Paul"]
PLAYED_KINDS = ("swiss", "knock-out", "league", "set-league", "team-match", "ladder", "open-house")


def crowded_pages() -> list[CompetitionPage]:
    """Return the page of each other kind of competition, of which a part is played."""
    people = {id_: Person(id_, name, page=False) for id_, name in enumerate(CROWD, 6)} | PEOPLE
    clubs = (played(kind, 8, 5, 0.7) for kind in PLAYED_KINDS)
    shown = [Overview(_announced(each.of), each.stored) for each in clubs]
    found = [CompetitionPage(each, (), people) for each in shown]
    over = played("tournament", 5, 5, 1)
    return [*found, CompetitionPage(Overview(over.of, over.stored), (), people, [match_page(4)])]


def _announced(of: Competition) -> Competition:
    """Return a competition as if members had entered it, and the last player had withdrawn."""
    announcement = Announcement(START.date(), 2, 16, phase=Phase.RUNNING)
    return replace(of, announcement=announcement).without(of.players[-1], of.last_round or 9)


def running() -> list[FeedEntry]:
    """Return the running matches."""
    return [entry(number) for number in PLAYED if contest(number).match.result is None]


def ended() -> list[FeedEntry]:
    """Return the matches that have ended."""
    return [entry(number) for number in PLAYED if contest(number).match.result is not None]


def month_of(each: FeedEntry) -> tuple[int, int]:
    """Return the month in which a match ended."""
    assert each.match.result is not None
    return each.match.result.ended_at.year, each.match.result.ended_at.month


def member_page(player: PlayerId) -> MemberPage:
    """Return the page of a member with all their matches."""
    entries = [each for each in (*running(), *ended()) if player in each.match.players]
    over = [each.match for each in entries if each.match.result is not None]
    results = [
        MemberResults(key, len(of), sum(_won(m, player) for m in of), sum(_drawn(m) for m in of))
        for key in sorted({match.game_key for match in over})
        if (of := [match for match in over if match.game_key == key])
    ]
    return MemberPage(PEOPLE[player], entries, len(over), results, ratings=courses())


def courses() -> list[RatingCourse]:
    """Return two years in all games together, and one month with computers."""
    months = [
        MonthRating(2025 + n // 12, 1 + n % 12, Rating(25 + 6 * sin(n / 3), 8 / (1 + n / 4), 2 * n))
        for n in range(1, 24, 2)
    ]
    return [
        RatingCourse(RatingList(), months),
        RatingCourse(RatingList("lanko-68", computers=True), months[:1]),
    ]


def _won(match: MatchSummary, player: PlayerId) -> bool:
    return match.result is not None and any(match.seats[s] == player for s in match.result.winners)


def _drawn(match: MatchSummary) -> bool:
    return match.result is not None and not match.result.winners


def game_page(key: str) -> GamePage:
    """Return the page of a game with more results than fit on it."""
    game = next(game for game in games() if game.info.key == key)
    players, endings = max(game.info.holders), sorted(game.info.terminations)
    seats = game.info.seats_of(players)
    won = {seat: 14 - 2 * number for number, seat in enumerate(seats)}
    lengths = {40 + 7 * number % 90: 1 + number % 5 for number in range(24)}
    by_ending = {ending: 5 + 3 * number for number, ending in enumerate(endings)}
    results = Results(players, sum(by_ending.values()), 3, won, lengths, by_ending)
    mine = [each for each in (*running(), *ended()) if each.match.game_key == key]
    running_count = sum(each.match.result is None for each in mine)
    return GamePage(key, running_count, [results], mine, rated=rated())


def rated() -> list[RatedPerson]:
    """Return a rating list in which some are provisional."""
    return [RatedPerson(PEOPLE[n], Rating(33 - 4 * n, n, 6 * n)) for n in (1, 2, 3)]


def waiting() -> list[OpenTable]:
    """Return tables that wait for opponents."""
    match = OfferTerms("lancelot", 5, MatchOptions())
    terms = match, OfferTerms("lanko-88", 2, MatchOptions(), Begins.SERIES, games=4)
    return [
        OpenTable(Offer(of, (OfferEntry(player),), START, START, open=True, number=number), PEOPLE)
        for number, (player, of) in enumerate(zip((4, 5), terms, strict=True), 12)
    ]


def files(site: Site = SITE) -> list[ArchiveFile]:
    """Return all files of the reading room."""
    months = Counter(map(month_of, ended()))
    counts = [MonthCount(year, month, number) for (year, month), number in sorted(months.items())]
    all_competitions = list(COMPETITION_OF.values())
    lists = running(), len(running()), ended(), len(ended()), all_competitions, counts
    club = ClubPage(*lists, waiting(), [HOSTILE])
    found = [*pages.static_files(site), *pages.club_files(site, club)]
    found += pages.running_files(site, running())
    for year, month in months:
        of = [each for each in ended() if month_of(each) == (year, month)]
        found += pages.calendar_files(site, CalendarPage(year, month, of))
    for number in PLAYED:
        found += pages.match_files(site, match_page(number))
    found += pages.match_files(site, imported_page(6))
    found += pages.imported_files(site, HOSTILE, [imported_page(6).entry])
    for number in COMPETITION_OF:
        found += pages.competition_files(site, competition_page(number))
    for page in crowded_pages():
        found += pages.competition_files(site, page)
    found += pages.competition_list_files(site, all_competitions)
    for player, person in PEOPLE.items():
        found += pages.member_files(site, member_page(player)) if person.page else ()
    found += pages.member_list_files(site, [each for each in PEOPLE.values() if each.page])
    for game in games():
        found += pages.game_files(site, game_page(game.info.key))
    return found


def write(folder: Path, site: Site = SITE) -> None:
    """Write the reading room to a folder."""
    for file in files(site):
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
