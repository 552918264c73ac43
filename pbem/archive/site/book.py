"""Books: a match with boards, turns, notes and times, or a competition with its tables and matches.

A book holds what the pages show, no more. The same value becomes an HTML file that needs no other
file, and a PDF.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from pbem.archive.files import ArchiveFile, stem
from pbem.archive.press import available, printed
from pbem.archive.site.match_files import drawing, drawn_on, tokens_of, view_box, whose
from pbem.archive.site.rendering import cell, day_words, macros, page_of, points
from pbem.archive.site.replaying import Replayed, Step, replayed
from pbem.archive.site.sides import seat_titles, title_of
from pbem.archive.site.values import CompetitionPage, MatchPage
from pbem.archive.words import result_words, signed
from pbem.games.phrases import ENGLISH, capitalised
from pbem.matches.table import UNPLAYED, Boards, Bracket, Cell, Mark, Row, Table
from pbem.painters.svg import FONTS
from pbem.painters.tokens import definitions
from pbem.resources import folder

MOST_BOARDS = 40
"""Most boards of a match. They are after turns at equal distances, and the last one."""


@dataclass(frozen=True)
class BookTurn:
    """A turn, with what was said and done in it."""

    number: int
    lines: Sequence[tuple[str, str]]
    """Seats, and what they played."""
    at: str
    events: Sequence[str]
    notes: Sequence[tuple[str, str]]
    """Texts, and who wrote them."""
    board: Markup | None = None
    """Marks and pieces of the board after it."""


@dataclass(frozen=True)
class Chapter:
    """A match."""

    title: str
    players: Sequence[tuple[str, str]]
    """Seats, and who held them at the end."""
    result: str
    started: str
    ended: str
    view_box: str
    ground: Markup
    turns: Sequence[BookTurn]


@dataclass(frozen=True)
class BookTable:
    """A table of a competition, in words."""

    kind: str
    """`table`, `bracket` or `boards`."""
    number: int
    """Number of the division, 0 if there is only one."""
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    """Column with names."""
    legend: Sequence[str] = ()


@dataclass(frozen=True)
class Book:
    """A book."""

    title: str
    game: str
    club: str
    at: datetime
    """The moment of its last event, which is the date of its file."""
    symbols: Markup
    """All pieces."""
    chapters: Sequence[Chapter]
    tables: Sequence[BookTable] = ()
    winners: Sequence[str] = ()
    is_competition: bool = False


def book_of_match(page: MatchPage, club: str) -> Book:
    """Return the book of a match. Raises ReplayError if its actions cannot be played."""
    match, played = page.entry.match, replayed(page)
    title, every = title_of(page.entry), -(-len(played.steps) // MOST_BOARDS)
    shown = {*range(0, len(played.steps), every), len(played.steps) - 1}
    chapter = _chapter(page, played, f"{match.game.info.title}, match {match.id}", shown)
    at = _last(page)
    return Book(title, match.game.info.title, club, at, _symbols([played]), [chapter])


def book_of_competition(page: CompetitionPage, matches: Sequence[MatchPage], club: str) -> Book:
    """Return the book of a competition: its tables, and each match with its last board."""
    of, kind = page.overview.of, ENGLISH.text(page.overview.of.called or page.overview.of.kind)
    games = [replayed(each) for each in matches]
    names = {player: person.name for player, person in page.people.items()}
    chapters = [
        _chapter(each, played, title_of(each.entry), {len(played.steps) - 1})
        for each, played in zip(matches, games, strict=True)
    ]
    at = max(map(_last, matches), default=of.created_at)
    standing = page.overview.standing
    teams = getattr(standing, "teams", ())
    winners = [teams[0].name] if teams else [names[player] for player in standing.winners]
    return Book(
        f"{capitalised(kind)} {of.number}",
        of.title,
        club,
        at,
        _symbols(games),
        chapters,
        tuple(_tables(page, names)),
        winners,
        is_competition=True,
    )


def book_files(page: MatchPage, club: str) -> Iterator[ArchiveFile]:
    """Yield the book of a match as HTML, and as PDF if Typst is installed."""
    match = page.entry.match
    yield from files_of(book_of_match(page, club), stem(match.id, match.game_key), alone=True)


def files_of(book: Book, name: str, *, alone: bool = False) -> Iterator[ArchiveFile]:
    """Yield a book as HTML, and as PDF if Typst is installed. `alone` is for a file of an email."""
    page = f"{name}.book.html"
    yield ArchiveFile(page, html(book, "" if alone else page))
    if (printed_ := pdf(book)) is not None:
        yield ArchiveFile(f"{name}.book.pdf", printed_)


def html(book: Book, page: str = "") -> bytes:
    """Return a book as HTML. Without an address in the site, it needs no other file."""
    style = "" if page else Markup(_style())  # noqa: S704  # our own file
    return page_of("book.html.j2", book=book, fonts=FONTS, page=page, style=style).encode()


@cache
def _style() -> str:
    return (folder("templates") / "web" / "static" / "book.css").read_text("utf-8")


def pdf(book: Book) -> bytes | None:
    """Return a book as PDF. None if Typst is not installed."""
    return printed("book", _as_json(book), book.at) if available() else None


def _as_json(book: Book) -> Mapping[str, Any]:
    data = asdict(replace(book, at=datetime.fromtimestamp(0, UTC)))
    del data["at"], data["symbols"]
    for chapter, of in zip(data["chapters"], book.chapters, strict=True):
        for turn in chapter["turns"]:
            if turn["board"] is not None:
                turn["board"] = _picture(of, book.symbols, turn["board"])
        del chapter["ground"], chapter["view_box"]
    return data


def _picture(of: Chapter, symbols: str, drawn: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{of.view_box}" font-weight="600"'
        f' font-family="{FONTS}">{symbols}{of.ground}{drawn}</svg>'
    )


def _symbols(games: Sequence[Replayed]) -> Markup:
    diagrams = [diagram for played in games for diagram in played.diagrams]
    return Markup(f"<defs>{definitions(tokens_of(diagrams))}</defs>")  # noqa: S704  # by the painters


def _last(page: MatchPage) -> datetime:
    match = page.entry.match
    moments = [match.started_at, *(action.at for action in page.actions)]
    return match.result.ended_at if match.result else max(moments)


def _chapter(page: MatchPage, played: Replayed, title: str, boards: set[int]) -> Chapter:
    match, people = page.entry.match, page.entry.people
    seats = seat_titles(match.game.info, match.seats)
    names = {player: person.name for player, person in people.items()}
    told = macros(
        "_match.html.j2", entry=page.entry, match=match, whose=whose(match, page.happenings)
    )
    turns = [
        BookTurn(
            step.turn,
            [(seats[line.seat], " ".join(line.texts) or "–") for line in step.lines],
            f"{day_words(step.at)}, {step.at.astimezone(UTC):%H:%M}" if step.at else "",
            list(_events(told, step)),
            [(n.text, names.get(n.author, "")) for n in step.notes if n.text],
            drawn_on(played.diagram(at)) if at in boards else None,
        )
        for at, step in enumerate(played.steps)
    ]
    return Chapter(
        title,
        [(seats[seat], names[player]) for seat, player in match.seats.items()],
        result_words(match, names),
        day_words(match.started_at),
        day_words(match.result.ended_at) if match.result else "",
        view_box(played.diagrams[0]),
        drawing(played).grounds[0],
        [turn for turn in turns if turn.number or turn.board is not None],
    )


def _events(told: Any, step: Step) -> Iterator[str]:
    for before, each in pairwise((None, *step.happenings)):
        said = told.happening(each, before)
        if said.strip():
            yield Markup(said).unescape().strip()  # noqa: S704


def _tables(page: CompetitionPage, names: Mapping[int, str]) -> Iterator[BookTable]:
    for part in page.overview.parts:
        if isinstance(part, Table):
            yield _table(part, names)
        elif isinstance(part, Boards):
            yield _boards(part, names)
        else:
            yield _bracket(part, names)
    course = page.overview.course
    if course is not None:
        yield BookTable(
            "rounds" if course.by_round else "course",
            0,
            ["", *(f"{step.number}" for step in course.steps)],
            [[names[row.player], *map(str, row.cells)] for row in course.table.rows],
            names=0,
        )


def _table(part: Table, names: Mapping[int, str]) -> BookTable:
    head = ["", "", *(ENGLISH.text(column.short) for column in part.columns)]
    legend = [
        f"{ENGLISH.text(column.short)}: {ENGLISH.text(column.long)}"
        for column in part.columns
        if column.is_abbreviated
    ]
    rows = [
        [f"{row.place or ''}{'*' * row.withdrawn}", names[row.player], *_cells(row, part)]
        for row in part.rows
    ]
    return BookTable(
        "table", part.division, head, rows, 1, [*legend, *map(ENGLISH.text, part.notes)]
    )


def _cells(row: Row, part: Table) -> Iterator[str]:
    for value, column in zip(row.cells, part.columns, strict=True):
        yield _marks(value) if isinstance(value, tuple) else cell(value, column)


def _marks(marks: Cell) -> str:
    assert isinstance(marks, tuple), "a detail has marks"
    return " ".join(map(_mark, marks))


def _mark(mark: Mark) -> str:
    signs = {"self": "×", "absent": "–", "void": "/", UNPLAYED: "+" if mark.points else "–"}
    if mark.kind in signs:
        return signs[mark.kind]
    if mark.kind == "bye":
        return "" if mark.points is None else points(mark.points)
    worth = "·" if mark.points is None else points(mark.points)
    if mark.kind == "credits" and mark.points is not None:
        worth = signed(mark.points)
    return f"{mark.against}: {worth}" if mark.against else worth


def _boards(part: Boards, names: Mapping[int, str]) -> BookTable:
    score = f"{points(part.points[0])} : {points(part.points[1])}"
    rows = [
        [
            f"{board.number}",
            names[board.players[0]],
            "  ".join(map(_result, board.results)),
            names[board.players[1]],
        ]
        for board in part.boards
    ]
    head = ["", part.teams[0], score, part.teams[1]]
    return BookTable("boards", 0, head, rows, legend=[*map(ENGLISH.text, part.notes)])


def _result(pair: tuple[Mark, Mark]) -> str:
    one, other = map(_mark, pair)
    return one if all(mark.points is None for mark in pair) else f"{one} : {other}"


def _bracket(part: Bracket, names: Mapping[int, str]) -> BookTable:
    ties = [
        (ENGLISH.text(title), tie)
        for title, ties in zip(part.titles, part.rounds, strict=True)
        for tie in ties
    ]
    if part.third_place is not None:
        ties.append(("", part.third_place))
    rows = []
    for title, tie in ties:
        one, other = ("–" if side.player is None else names[side.player] for side in tie.sides)
        score = " : ".join(points(side.points) for side in tie.sides) if tie.played else ""
        rows.append([capitalised(title), one, score, other])
    return BookTable("bracket", 0, ["", "", "", ""], rows)
