"""The promises of every painter about every game, tested on random matches."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple
from xml.etree import ElementTree

import html5lib

from pbem.games.api import AnyGame, Seat
from pbem.games.diagram import Cell, Diagram, Place
from pbem.matches.match import RecordedAction
from pbem.matches.score import trails
from pbem.painters import svg
from pbem.painters.svg import png
from pbem.painters.table import table
from pbem.painters.terminal import terminal
from tests.games.random_matches import Step, every_match, some_of, walked
from tests.toys.nim import NIM

NOW = datetime(2026, 11, 21, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"
PHONE = 340
"""Pixels that a phone of 375 leaves inside the margins of a mail, about."""


class Seen(NamedTuple):
    """A position of a random match as one seat sees it."""

    diagram: Diagram
    step: Step
    seat: Seat


def seen(game: AnyGame, players: int, seed: int = 7) -> list[Seen]:
    """Return positions of a random match from first to last, each from another seat."""
    steps, seats = walked(game, players, seed), game.info.seats_of(players)
    who = {seat: i for i, held in enumerate(game.info.holders[players]) for seat in held}
    recorded = [
        RecordedAction(i + 1, step.before.turn, step.seat, step.text, (), NOW)
        for i, step in enumerate(steps)
    ]
    found = []
    for number, at in enumerate(range(0, len(steps), max(1, len(steps) // 5))):
        seat = seats[number % len(seats)]
        diagram = game.diagram(steps[at].before, seat)
        marked = replace(diagram, trails=trails(game, recorded[:at], who))
        found.append(Seen(marked, steps[at], seat))
    return found


def pieces_of(diagram: Diagram) -> dict[Place, str]:
    """Return what the plain board shows on each occupied square."""
    return {at: c.piece.strip(" .") for at, c in diagram.cells.items() if c.piece.strip(" .")}


@every_match
def test_pictures_have_every_square_that_an_action_names(game: AnyGame, players: int) -> None:
    for diagram, step, _ in seen(game, players):
        for action in some_of(game, step.before):
            text = game.format(step.before, action)
            paths = game.moved(step.before, action)
            assert {name for path in paths for name in path} <= set(diagram.named)
            assert paths or text == game.closing(step.before)


@every_match
def test_picture_has_each_piece_of_the_plain_board(game: AnyGame, players: int) -> None:
    for diagram, _, _ in seen(game, players):
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


@every_match
def test_picture_names_squares_and_numbers_turns(game: AnyGame, players: int) -> None:
    for diagram, _, _ in seen(game, players):
        texts = [e.text for e in ElementTree.fromstring(svg.svg(diagram, "")).iter(f"{SVG}text")]
        names = [cell.label.strip() or cell.name for cell in diagram.cells.values()]
        turns = {str(trail.turn) for trail in diagram.trails}
        written = {c.piece for c in diagram.cells.values() if not c.name}
        assert set(names) | turns | written <= set(texts)


@every_match
def test_picture_is_small_and_needs_no_styles(game: AnyGame, players: int) -> None:
    for diagram, _, _ in seen(game, players):
        picture = svg.svg(diagram, "")
        assert len(picture) < 25_000
        assert not re.search(r"style|script|http:(?!//www.w3.org/2000/svg)", picture)


@every_match
def test_table_fits_in_a_mail_on_a_phone(game: AnyGame, players: int) -> None:
    for diagram, _, _ in seen(game, players):
        text = table(diagram, title="The <board>")
        html5lib.HTMLParser(strict=True).parse(f"<!doctype html><title>x</title>{text}")
        root = ElementTree.fromstring(text)
        assert root.get("aria-label") == "The <board>"
        assert int(root.get("width", "")) <= PHONE
        assert len(text) < 25_000
        assert "class=" not in text
        for row in root.iter("tr"):
            spans = sum(int(cell.get("colspan", 1)) for cell in row.iter("td"))
            assert spans == diagram.columns + bool(diagram.row_names)


@every_match
def test_table_shows_what_the_plain_board_shows(game: AnyGame, players: int) -> None:
    for diagram, _, _ in seen(game, players):
        named = {cell.name: f"mailto:club@example?body={cell.name}&x" for cell in _cells(diagram)}
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


def _cells(diagram: Diagram) -> list[Cell]:
    return list(diagram.cells.values())


@every_match
def test_terminal_shows_the_same_in_72_columns(game: AnyGame, players: int) -> None:
    for diagram, _, _ in seen(game, players):
        text = re.sub(r"\x1b\[[\d;]*m", "", terminal(diagram))
        assert "\x1b" not in text
        assert max(map(len, text.splitlines())) <= 72
        letters = Counter("".join(pieces_of(diagram).values()))
        assert not letters - Counter(text)


def test_png_is_reproducible_and_has_letters() -> None:
    (first, *_) = seen(NIM, 2)
    picture = svg.svg(first.diagram, "")
    dots = png(picture, 300)
    assert dots[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(dots[16:20], "big") == 300
    assert dots == png(picture, 300)
    assert dots != png(re.sub("<text.*?</text>", "", picture), 300)
