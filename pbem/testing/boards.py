"""The promises of every game about its boards: as text, picture, HTML table and in a terminal."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple
from xml.etree import ElementTree

from pbem.games.api import AnyGame, Seat
from pbem.games.diagram import WIDTH, Cell, Diagram, Place
from pbem.games.phrases import ENGLISH
from pbem.games.text_diagram import paint
from pbem.matches.match import RecordedAction
from pbem.matches.score import trails
from pbem.painters import svg
from pbem.painters.svg import png
from pbem.painters.table import table
from pbem.painters.terminal import terminal
from pbem.testing.board_reader import read_board
from pbem.testing.promises import Promises
from pbem.testing.random_matches import Step, asked, sampled, some_of, walked

NOW = datetime(2026, 11, 21, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"
PHONE = 340
"""Pixels that a phone of 375 leaves inside the margins of an email, about."""
LARGEST = 30_000
"""Characters of a picture or table. Every turn email has one."""
WIDE = 300
PNG = b"\x89PNG\r\n\x1a\n"


class Seen(NamedTuple):
    """A position of a random match as one seat sees it."""

    diagram: Diagram
    step: Step
    seat: Seat


def seen(game: AnyGame, players: int, seed: int) -> Iterator[Seen]:
    """Yield positions of a random match from first to last, each from another seat."""
    steps, seats = walked(game, players, seed), game.info.seats_of(players)
    who = {seat: i for i, held in enumerate(game.info.holders[players]) for seat in held}
    recorded = [
        RecordedAction(i + 1, step.before.turn, step.seat, step.text, (), NOW)
        for i, step in enumerate(steps)
    ]
    for number, at in enumerate(range(0, len(steps), max(1, len(steps) // 5))):
        seat = seats[number % len(seats)]
        diagram = game.diagram(steps[at].before, seat)
        marked = replace(diagram, trails=trails(game, recorded[:at], who))
        yield Seen(marked, steps[at], seat)


def pieces_of(diagram: Diagram) -> dict[Place, str]:
    """Return what the plain board shows on each occupied square."""
    return {at: c.piece.strip(" .") for at, c in diagram.cells.items() if c.piece.strip(" .")}


def _cells(diagram: Diagram) -> list[Cell]:
    return list(diagram.cells.values())


SYMMETRIES = tuple(
    (a, b, c, d)
    for a, b, c, d in (
        *((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)),
        *((-1, 0, 0, 1), (1, 0, 0, -1), (0, 1, 1, 0), (0, -1, -1, 0)),
    )
)
"""Turns and reflections of a board."""


def is_turned(one: Mapping[str, Place], other: Mapping[str, Place]) -> bool:
    """Return whether the squares of two boards differ only by a turn or a reflection."""
    first = next(iter(one))
    (x, y), (u, v) = one[first], other[first]
    moves = {(one[k][0] - x, one[k][1] - y, other[k][0] - u, other[k][1] - v) for k in one}
    return any(
        all((a * p + b * q, c * p + d * q) == (r, s) for p, q, r, s in moves)
        for a, b, c, d in SYMMETRIES
    )


class BoardTests(Promises):
    """Boards: in emails of 72 columns, and in pictures and tables for phones."""

    def test_every_seat_sees_a_diagram_that_fits_an_email(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A board in text has 72 columns of ASCII.

        Shorten labels or the legend, or use fewer columns.
        """
        seats = game.info.seats_of(players)
        names = {seat: f"Maximilian {'von ' * 20}{seat}-{'x' * 80}" for seat in seats}
        for position in [step.after for step in sampled(game, players, seed)]:
            for seat in seats:
                diagram = game.diagram(position, seat)
                for text in (paint(diagram, {}, ENGLISH), paint(diagram, names, ENGLISH)):
                    assert text.isascii()
                    for line in text.split("\n"):
                        assert len(line) <= WIDTH
                        assert line == line.rstrip()
                        assert line.isprintable()

    def test_seats_see_the_same_board_turned(self, game: AnyGame, players: int, seed: int) -> None:
        """`diagram` only turns the board for another seat.

        Names, pieces and grounds of squares stay.
        """
        seats = game.info.seats_of(players)
        for step in sampled(game, players, seed):
            own, *others = (game.diagram(step.after, seat) for seat in seats)
            for other in others:
                assert own.named.keys() == other.named.keys()
                assert is_turned(own.named, other.named)
                for name, place in own.named.items():
                    here, there = own.cells[place], other.cells[other.named[name]]
                    assert sorted(here.tokens) == sorted(there.tokens)
                    assert (here.ground, here.frame) == (there.ground, there.frame)

    def test_printed_board_reads_back(self, game: AnyGame, players: int, seed: int) -> None:
        """`squares` has the pieces of the printed board, by the names at its edges."""
        for step in sampled(game, players, seed):
            for seat in game.info.seats_of(players):
                diagram = game.diagram(step.after, seat)
                if diagram.row_names:
                    board = read_board(paint(diagram, {}, ENGLISH))
                    read = {name: s.piece for name, s in board.squares.items() if s.piece}
                    assert read == game.squares(step.after)["squares"]

    def test_squares_fit_the_engine_protocol(self, game: AnyGame, players: int, seed: int) -> None:
        """`squares` returns what JSON can hold, and leaves out vacant squares."""
        for step in sampled(game, players, seed):
            squares = game.squares(step.after)
            assert json.loads(json.dumps(squares)) == squares
            assert all(squares["squares"].values())

    def test_pictures_have_every_square_that_an_action_names(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """The names of squares in `paths`, or in `moved`, are those of cells (`Cell.name`)."""
        for diagram, step, _ in seen(game, players, seed):
            for action in some_of(game, step.before):
                text = game.format(step.before, action)
                paths = game.moved(step.before, action)
                assert {name for path in paths for name in path} <= set(diagram.named)
                assert paths or text == game.closing(step.before)

    def test_picture_has_each_piece_of_the_plain_board(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A cell has as many `tokens` as letters in `piece`, and its shapes are in
        `Family.pieces`.
        """
        for diagram, _, _ in seen(game, players, seed):
            picture = svg.svg(diagram, "Match <1> & more")
            root = ElementTree.fromstring(picture)
            assert root.findtext(f"{SVG}title") == "Match <1> & more"
            drawn = {group.get("id") for group in root.iter(f"{SVG}g") if group.get("id")}
            uses = [use.attrib for use in root.iter(f"{SVG}use")]
            assert {use["href"].removeprefix("#") for use in uses} <= drawn
            placed = Counter((use["href"], use["x"], use["y"]) for use in uses if "x" in use)
            for place, letters in pieces_of(diagram).items():
                cell = diagram.cells[place]
                assert len(cell.tokens) == len(letters)
                if len(cell.tokens) == 1:
                    x, y = svg.place_of(diagram, cell.name) or (0, 0)
                    assert placed.pop((f"#{svg.token_id(cell.tokens[0])}", str(x), str(y))) == 1
            assert not placed

    def test_picture_names_squares_and_numbers_turns(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """Each cell has a label or a name. A trail has a square that the board shows."""
        for diagram, _, _ in seen(game, players, seed):
            root = ElementTree.fromstring(svg.svg(diagram, ""))
            texts = [each.text for each in root.iter(f"{SVG}text")]
            cells = () if diagram.only_edges_named else diagram.cells.values()
            names = [cell.label.strip() or cell.name for cell in cells]
            turns = {str(trail.turn) for trail in diagram.trails}
            written = {c.piece for c in diagram.cells.values() if not c.name}
            assert set(names) | turns | written <= set(texts)

    def test_picture_is_small_and_needs_no_styles(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A picture fits in an email. Draw simpler outlines in `Family.pieces`."""
        for diagram, _, _ in seen(game, players, seed):
            picture = svg.svg(diagram, "")
            assert len(picture) < LARGEST
            assert not re.search(r"style|script|http:(?!//www.w3.org/2000/svg)", picture)

    def test_picture_becomes_dots(self, game: AnyGame) -> None:
        """A picture can be drawn as PNG. Outlines are SVG paths of straight lines and curves."""
        position, seat = asked(game)
        picture = svg.svg(game.diagram(position, seat), "")
        dots = png(picture, WIDE)
        assert dots[:8] == PNG
        assert int.from_bytes(dots[16:20]) == WIDE
        assert dots == png(picture, WIDE)
        bare = re.sub("<text.*?</text>", "", picture)
        assert bare == picture or dots != png(bare, WIDE), "letters are drawn"

    def test_table_fits_in_an_email_on_a_phone(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A board as an HTML table fits a phone. Use fewer columns, or shorter labels."""
        for diagram, _, _ in seen(game, players, seed):
            text = table(diagram, title="The <board>")
            root = ElementTree.fromstring(text)
            assert root.get("aria-label") == "The <board>"
            assert int(root.get("width", "")) <= PHONE
            assert len(text) < LARGEST
            assert "class=" not in text
            for row in root.iter("tr"):
                spans = sum(int(cell.get("colspan", 1)) for cell in row.iter("td"))
                assert spans == diagram.columns + bool(diagram.row_names)

    def test_table_shows_what_the_plain_board_shows(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """Each named square is one link, and shows its piece, its label or its name."""
        for diagram, _, _ in seen(game, players, seed):
            named = {
                cell.name: f"mailto:club@example?body={cell.name}&x" for cell in _cells(diagram)
            }
            root = ElementTree.fromstring(table(diagram, named))
            said = {link.get("href"): "".join(link.itertext()) for link in root.iter("a")}
            assert set(said) == {href for name, href in named.items() if name}
            everything = "".join(root.itertext())
            for cell in _cells(diagram):
                text = said[named[cell.name]] if cell.name else everything
                piece = cell.piece.strip(" .")
                assert piece in text
                assert piece or (cell.label.strip() or cell.name) in text
            assert all(seat in everything for seat in diagram.around)
            # A later turn may have left the square where an earlier one arrived.
            for trail in diagram.trails[-1:]:
                assert str(trail.turn) in everything

    def test_terminal_shows_the_same_in_72_columns(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A board in a terminal has 72 columns, and all letters of the pieces."""
        for diagram, _, _ in seen(game, players, seed):
            text = re.sub(r"\x1b\[[\d;]*m", "", terminal(diagram))
            assert "\x1b" not in text
            assert max(map(len, text.splitlines())) <= WIDTH
            letters = Counter("".join(pieces_of(diagram).values()))
            assert not letters - Counter(text)

    def test_rules_can_be_mailed(self, game: AnyGame) -> None:
        """The rules start with a heading, `# Name`, in ASCII and at most 72 columns."""
        rules = game.rules(ENGLISH.language)
        assert rules.startswith("# ")
        assert rules.isascii()
        for line in rules.splitlines():
            assert len(line) <= WIDTH, line
            assert line == line.rstrip()
            assert line.isprintable()
