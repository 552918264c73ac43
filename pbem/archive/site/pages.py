"""The pages of the reading room: one function for each kind of value.

Each function returns all files that change with its value. So publishing another match writes the
files of that match, its month (or the current matches), its competition, game and players, and the
club. None of them grows with the archive, except by a line per month.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from markdown_it import MarkdownIt
from markupsafe import Markup

from pbem.archive.files import ArchiveFile
from pbem.archive.site import addresses, program_files
from pbem.archive.site.book import book_of_competition, files_of
from pbem.archive.site.certificate import certificates
from pbem.archive.site.feeds import entries_feed
from pbem.archive.site.line_plots import course_plot, rating_plot
from pbem.archive.site.match_files import files_of_match
from pbem.archive.site.rendering import rendered
from pbem.archive.site.statistics import json_file, member_plots, plots
from pbem.archive.site.values import (
    CalendarPage,
    ClubPage,
    CompetitionPage,
    FeedEntry,
    GamePage,
    MatchPage,
    MemberPage,
    MonthCount,
    Person,
    Site,
)
from pbem.games import game_of, games as all_games, keys
from pbem.games.missing import missing
from pbem.games.phrases import DEFAULT
from pbem.matches.competition import Competition
from pbem.matches.match import COMMON_TERMINATIONS
from pbem.matches.statistics import game_data, member_data
from pbem.painters.examples import example
from pbem.painters.svg import svg
from pbem.resources import folder

Files = tuple[ArchiveFile, ...]


def static_files(site: Site) -> Files:
    """Return the files that no match changes: style, scripts, schema, boards, help and games."""
    page = rendered(site, addresses.GAMES, "games.html.j2")
    return (*files_of_site(), page, *help_files(site))


def club_files(site: Site, page: ClubPage) -> Files:
    """Return the front page, its feed, calendar and search, and the lists for programs."""
    months = [program_files.RUNNING, *(addresses.month(m.year, m.month) for m in page.months)]
    years = sorted({month.year for month in page.months}, reverse=True)
    news = [*page.running, *page.ended]
    return (
        rendered(site, addresses.CLUB, "club.html.j2", club=page),
        _calendar(site, page),
        rendered(
            site,
            addresses.SEARCH,
            "search.html.j2",
            years=years,
            endings=_endings(),
            shards=program_files.shards(months),
        ),
        entries_feed(site, addresses.FEED, addresses.CLUB, news),
        *program_files.whole(site, page),
    )


def _endings() -> list[tuple[str, str]]:
    known = dict(COMMON_TERMINATIONS)
    for game in all_games():
        known = {**game.info.terminations, **known}
    names = {key: key.replace("-", " ").capitalize() for key in known}
    return sorted(names.items(), key=lambda item: item[1])


def _calendar(site: Site, page: ClubPage) -> ArchiveFile:
    by_year = groupby(sorted(page.months, key=_order, reverse=True), lambda each: each.year)
    years = [(year, {month.month: month.matches for month in of}) for year, of in by_year]
    total = sum(each.matches for each in page.months)
    shown = {"years": years, "total": total, "others": page.others}
    return rendered(site, addresses.CALENDAR, "calendar.html.j2", **shown)


def _order(month: MonthCount) -> tuple[int, int]:
    return month.year, month.month


def running_files(site: Site, entries: Sequence[FeedEntry]) -> Files:
    """Return the page of current matches, and their part of search, index and sitemap."""
    page = rendered(site, addresses.RUNNING, "running.html.j2", entries=entries)
    return (page, *program_files.parts(site, program_files.RUNNING, entries))


def calendar_files(site: Site, page: CalendarPage) -> Files:
    """Return the page of a month's ended matches, and their part of search, index and sitemap."""
    address = addresses.calendar_page(page.year, page.month)
    file = rendered(site, address, "month.html.j2", month=page)
    return (file, *program_files.parts(site, addresses.month(page.year, page.month), page.entries))


MOST_IMPORTED = 100
"""Most matches on the first page of another club."""


def imported_files(site: Site, club: str, entries: Sequence[FeedEntry]) -> Files:
    """Return the list of another club's matches, newest first. If it is long, by month too."""
    months = dict[tuple[int, int], list[FeedEntry]]()
    for entry in entries if len(entries) > MOST_IMPORTED else ():
        assert entry.match.result is not None, "only ended matches are imported"
        at = entry.match.result.ended_at
        months.setdefault((at.year, at.month), []).append(entry)

    def page(address: str, shown: Sequence[FeedEntry], month: object = None) -> ArchiveFile:
        data = {"club": club, "count": len(entries), "entries": shown, "month": month}
        return rendered(site, address, "imported.html.j2", by_month=months, **data)

    first = page(addresses.imported_page(club), entries[:MOST_IMPORTED])
    others = (page(addresses.imported_page(club, month), months[month], month) for month in months)
    return (first, *others)


def match_files(site: Site, page: MatchPage) -> Files:
    """Return a match's page, boards, records, pictures and feed, and its page to embed.

    Raises ReplayError if its actions cannot be played.
    """
    return tuple(files_of_match(site, page))


def competition_files(site: Site, page: CompetitionPage) -> Files:
    """Return the page of a competition, and its book and certificates once it is over."""
    of, overview = page.overview.of, page.overview
    address = addresses.competition_page(of)
    named = {who: person.name for who, person in page.people.items() if not person.hidden}
    stem = address.removesuffix(".html")
    awarded = tuple(certificates(overview, named, site.club, stem))
    book: Files = ()
    if page.chapters is not None:
        book = tuple(files_of(book_of_competition(page, page.chapters, site.club), stem))
    return (
        rendered(
            site,
            address,
            "competition.html.j2",
            competition=of,
            overview=overview,
            book=[file.name for file in book],
            certificates=[(player, file.name) for player, file in awarded],
            course=course_plot(overview.course) if overview.course else None,
            entries=page.entries,
            people=page.people,
            terms=of.said,
        ),
        *book,
        *(file for _, file in awarded),
    )


def competition_list_files(site: Site, competitions: Sequence[Competition]) -> Files:
    """Return the list of all competitions, newest first. Write it when one starts."""
    name = addresses.COMPETITIONS
    return (rendered(site, name, "competitions.html.j2", competitions=competitions),)


def member_files(site: Site, page: MemberPage) -> Files:
    """Return a member's page and feed."""
    person, running = page.person, [each for each in page.entries if each.match.result is None]
    ended = [each for each in page.entries if each.match.result is not None]
    address, feed = addresses.member_page(person.id), addresses.member_feed(person.id)
    return (
        rendered(
            site,
            address,
            "member.html.j2",
            person=person,
            running=running,
            ended=ended,
            count=max(page.ended_count, len(ended)),
            results=page.results,
            has=page.has,
            statistics=[member_plots(each) for each in page.statistics],
            opponents=page.opponents,
            ratings=[rating_plot(each) for each in page.ratings],
        ),
        json_file(addresses.member_statistics(person.id), map(member_data, page.statistics)),
        entries_feed(site, feed, address, page.entries, person),
    )


def member_list_files(site: Site, people: Sequence[Person]) -> Files:
    """Return the list of everyone who has a page, by name. Write it when that changes."""
    return (rendered(site, addresses.MEMBERS, "members.html.j2", people=people),)


MOST_RATED = 100
"""Maximum number of members in one rating list."""


def game_files(site: Site, page: GamePage) -> Files:
    """Return a game's page with rules and statistics, without them if it is not installed."""
    is_there = page.game_key in keys()
    game = game_of(page.game_key) if is_there else missing(page.game_key, 0, ())
    shown = page.results if is_there else ()
    return (
        rendered(
            site,
            addresses.game_page(game),
            "game.html.j2",
            game=game,
            running=page.running,
            ended=sum(each.matches for each in page.results),
            statistics=[plots(game, each) for each in shown if each.matches],
            board=is_there,
            newest=page.newest,
            longest=page.longest,
            rated=[each for each in page.rated if not each.rating.provisional][:MOST_RATED],
            provisional=[each for each in page.rated if each.rating.provisional][:MOST_RATED],
            rules=_typeset(game.rules(DEFAULT)),
        ),
        json_file(
            addresses.game_statistics(game),
            (game_data(page.game_key, each) for each in shown if each.matches),
        ),
    )


HELP = ("players", "clocks", "commands")
"""Pages in docs/ that are help pages of the site too."""


def help_files(site: Site) -> Iterator[ArchiveFile]:
    """Yield the help pages for players."""
    for name in HELP:
        text = (folder("docs") / f"{name}.md").read_text("utf-8")
        title, _, rest = text.removeprefix("# ").partition("\n")
        yield rendered(
            site,
            addresses.help_page(name),
            "help.html.j2",
            heading=title,
            text=_typeset(_relinked(rest), lowered=0, linked=True),
        )


def _relinked(markdown: str) -> str:
    """Return Markdown with links to help pages only. All other links become plain text."""

    def relink(found: re.Match[str]) -> str:
        name, anchor = found[2].removesuffix(".md"), found[3] or ""
        if not name or name in HELP:
            return f"[{found[1]}]({name and name + '.html'}{anchor})"
        return found[1]

    text = re.sub(r"<a id=[^>]*></a>\n?", "", markdown)
    return re.sub(r"\[([^\]]*)\]\((?!\w+:)([^)#]*)(#[^)]*)?\)", relink, text)


def _anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and Sphinx make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def _typeset(markdown: str, lowered: int = 1, linked: bool = False) -> Markup:
    """Return Markdown as HTML, with headings some levels lower and any HTML in it escaped.

    `linked` gives headings an anchor.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(markdown)
    seen = Counter[str]()
    for number, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1:]) + lowered}"
        if linked and token.type == "heading_open":
            anchor = _anchor(tokens[number + 1].content)
            token.attrs["id"] = f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor
            seen[anchor] += 1
        if token.type == "code_block":
            token.attrs["tabindex"] = "0"
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704


def files_of_site() -> Iterator[ArchiveFile]:
    """Yield the files that no match changes, except the list of games."""
    for path in sorted((folder("templates") / "web" / "static").iterdir()):
        yield ArchiveFile(f"static/{path.name}", path.read_bytes())
    schema = folder("templates") / "web" / addresses.INDEX_SCHEMA
    yield ArchiveFile(addresses.INDEX_SCHEMA, schema.read_bytes())
    for game in all_games():
        name = f"static/boards/{game.info.key}.svg"
        yield ArchiveFile(name, svg(example(game), game.info.title).encode())
