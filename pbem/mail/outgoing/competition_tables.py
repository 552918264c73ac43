"""Competition tables: tables, brackets and boards of competitions as figures of emails."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from itertools import repeat

from pbem.games.diagram import WIDTH
from pbem.games.phrases import Words, capitalised
from pbem.mail.outgoing.typeset.page import LABEL, TABLE, Figure, element
from pbem.mail.outgoing.typeset.tables import table
from pbem.matches.match import PlayerId
from pbem.matches.table import (
    LOTS,
    OPPONENT,
    ROUND,
    SIGNED,
    UNPLAYED,
    Boards,
    Bracket,
    BracketTie,
    Cell,
    Column,
    Mark,
    Part,
    Side,
    Table,
)
from pbem.matches.words import phrase

SIGNS = {Fraction(0): "0", Fraction(1, 2): "=", Fraction(1): "1"}
"""Sign of a match by its points: lost, drawn, won."""
ROUND_SIGNS = {Fraction(0): "-", Fraction(1, 2): "=", Fraction(1): "+"}
"""The same after the number of the opponent."""
LEAST_NAME = 8
LEAST_VALUES = 3
"""Points and tie-breaks that are shown even if there is room for few rounds."""
PHONE = 34
"""Width of the columns after the names in HTML, which a phone shows without scrolling."""
TREE = 4
"""Most rounds that are drawn as a tree in a text. In HTML, it is one less."""

Names = Mapping[PlayerId, str]


def figure(part: Part, names: Names, words: Words) -> Figure:
    """Return a part of a competition in both forms."""
    if isinstance(part, Bracket):
        return _bracket(part, names, words)
    if isinstance(part, Boards):
        return _boards(part, names, words)
    return _table(part, names, words)


def _table(part: Table, names: Names, words: Words) -> Figure:
    columns = part.columns
    head = ["", "", *(words.text(column.short) for column in columns)]
    lines = [
        [
            f"{row.place}{'*' * row.withdrawn}" if part.placed else "",
            names[row.player],
            *(_cell(cell, of, words) for cell, of in zip(row.cells, columns, strict=True)),
        ]
        for row in part.rows
    ]
    rows = [head, *lines]
    indent = 1 + max(3, *(len(row[0]) for row in rows)) if part.placed else 0
    widths = _widths(rows, columns)
    kept = _fitting(columns, widths, WIDTH - indent - LEAST_NAME)
    legend = ["", *said] if (said := _legend(part, kept, words)) else []
    text = "\n".join([*_in_columns(rows, [(at, widths[at]) for at in kept], indent), *legend])
    crossed = columns[0].key == OPPONENT
    shown = kept if crossed else _fitting(columns, widths, PHONE)
    first = 0 if part.placed else 1

    def html() -> str:
        cells = [[*row[first:2], *(row[at + 2] for at in shown)] for row in rows]
        drawn = table(cells[0], cells[1:], names=1 - first, close=crossed)
        below = " ".join(_legend(part, shown, words))
        return f"{drawn}\n{_small(below)}" if below else drawn

    return Figure(text, lambda _: html())


_SMALL = "margin:0 0 14px;font-size:13px"


def _small(said: str) -> str:
    return element("p", _SMALL, escape(said, quote=False))


def _legend(part: Table, shown: Sequence[int], words: Words) -> list[str]:
    """Return lines about signs, and about abbreviations if there are several or lots."""
    columns = [part.columns[at] for at in shown if part.columns[at].is_abbreviated]
    if len(columns) == 1 and columns[0].key != LOTS:
        columns = []
    told = [f"{words.text(column.short)}: {words.text(column.long)}" for column in columns]
    return _wrapped([*told, *map(words.text, part.notes)])


def _wrapped(told: Sequence[str]) -> list[str]:
    return textwrap.wrap("; ".join(told), WIDTH, break_on_hyphens=False)


def _widths(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> list[int]:
    """Return the width of each column. Those of single matches are as wide as the widest."""
    found = [
        _width(column, max(len(row[at + 2]) for row in rows)) for at, column in enumerate(columns)
    ]
    pairs = list(zip(found, columns, strict=True))
    widest = max((width for width, column in pairs if column.is_detail), default=0)
    return [widest if column.is_detail else width for width, column in pairs]


def _width(column: Column, widest: int) -> int:
    if column.key in (OPPONENT, ROUND):
        return 1 + max(2, widest)
    return max(6 if column.key == "points" else 7, widest + 2)


def _in_columns(
    rows: Sequence[Sequence[str]], kept: Sequence[tuple[int, int]], indent: int
) -> Iterator[str]:
    """Yield lines with some columns of some widths. Names are cut if there is no room."""
    name = min(max(len(row[1]) for row in rows), WIDTH - indent - sum(w for _, w in kept))
    for place, player, *cells in rows:
        start = f"{place:>{indent - 1}} " if indent else ""
        marks = "".join(cells[at].rjust(width) for at, width in kept)
        yield f"{start}{player[:name]:{name}}{marks}".rstrip()


def _fitting(columns: Sequence[Column], widths: Sequence[int], room: int) -> Sequence[int]:
    """Return the columns to show: without the last tie-breaks, if there is no room.

    Then opponents are left out altogether, and of rounds and matches the first ones.
    """
    details = [at for at, column in enumerate(columns) if column.is_detail]
    others = [at for at in range(len(columns)) if at not in details]
    few = others[:LEAST_VALUES]
    tries = [[*details, *others[:last]] for last in range(len(others), len(few) - 1, -1)]
    if columns[0].key == OPPONENT:
        tries += [[*details, *others[:last]] for last in range(len(few), 0, -1)] + [others]
    else:
        tries += [[*details[first:], *few] for first in range(len(details) + 1)]
    return next((kept for kept in tries if sum(widths[at] for at in kept) <= room), few)


def _cell(cell: Cell, column: Column, words: Words) -> str:
    if isinstance(cell, Fraction):
        return _number(cell, column.key)
    return "".join(map(_mark, cell, repeat(words))) or "."


def _mark(mark: Mark, words: Words) -> str:
    if mark.kind == "self":
        return "x"
    if mark.kind == "absent":
        return "-"
    if mark.kind == UNPLAYED:
        return ROUND_SIGNS[mark.points or Fraction()]
    if mark.kind == "bye":
        sign = "" if mark.points is None else ROUND_SIGNS[mark.points]
        return f"{words.text(phrase('mark.bye'))}{sign}"
    if mark.kind == "void":
        return f"{mark.against or ''}/"
    if mark.points is None:
        return f"{mark.against or ''}."
    if mark.kind == "credits":
        return signed(mark.points)
    if mark.against:
        return f"{mark.against}{ROUND_SIGNS.get(mark.points) or _share(mark.points)}"
    return SIGNS.get(mark.points) or _share(mark.points)


def _share(worth: Fraction) -> str:
    """Format a share of a result as a decimal fraction: `.75`."""
    return f"{float(worth):.2f}".removeprefix("0")


def _number(value: Fraction, key: str) -> str:
    if key in SIGNED:
        return signed(value)
    if key == "sonneborn-berger":
        return f"{float(value):.2f}"
    if key in ("points", "buchholz", "direct"):
        return f"{float(value):.1f}"
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def signed(worth: int | Fraction) -> str:
    """Format points: `+3`, `0`, `-3`, or `+2.3` for a shared result."""
    if worth.denominator > 1:
        return f"{float(worth):+.1f}"
    return f"{int(worth):+d}" if worth else "0"


def plain(value: Fraction) -> str:
    """Format points: `2`, `2.5`."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.3g}"


def _boards(part: Boards, names: Names, words: Words) -> Figure:
    one, other = part.teams
    score = f"{plain(part.points[0])} : {plain(part.points[1])}"
    rows = [["", one, score, other]]
    rows += [
        [
            f"{board.number}",
            names[board.players[0]],
            " ".join(_result(pair, words) for pair in board.results) or ".",
            names[board.players[1]],
        ]
        for board in part.boards
    ]
    middle = max(len(row[2]) for row in rows)
    room = (WIDTH - 8 - middle) // 2
    width = min(room, max(len(row[1]) for row in rows))
    text = "\n".join(
        f"{number:>3} {left[:width]:{width}}  {result:^{middle}}  {right[:room]}".rstrip()
        for number, left, result, right in rows
    )
    legend = _wrapped([*map(words.text, part.notes)])

    def html() -> str:
        drawn = table(["", one, score, other], rows[1:], names=1)
        return f"{drawn}\n{_small(' '.join(legend))}" if legend else drawn

    return Figure("\n".join((text, "", *legend) if legend else (text,)), lambda _: html())


def _result(pair: tuple[Mark, Mark], words: Words) -> str:
    one, other = (_mark(mark, words) for mark in pair)
    return one if all(mark.points is None for mark in pair) else f"{one}:{other}"


def _bracket(part: Bracket, names: Names, words: Words) -> Figure:
    rounds, third = len(part.rounds), part.third_place
    if third is not None and all(each.player is None for each in third.sides):
        part = replace(part, third_place=None)
    text = _tree(part, names, words) if rounds <= TREE else _listed(part, names, words)
    html = _tree_html if rounds < TREE else _listed_html
    return Figure(text, lambda _: html(part, names, words))


def _listed(part: Bracket, names: Names, words: Words) -> str:
    lines = []
    for title, ties in _titled(part, words):
        lines += ["", title, *(_tie_line(tie, names, words) for tie in ties)]
    return "\n".join(lines[1:])


def _titled(part: Bracket, words: Words) -> Iterator[tuple[str, Sequence[BracketTie]]]:
    for title, ties in zip(part.titles, part.rounds, strict=True):
        if any(tie.known for tie in ties):
            yield capitalised(words.text(title)), ties
    if part.third_place is not None:
        yield capitalised(words.text(phrase("bracket.third"))), (part.third_place,)


def _tie_line(tie: BracketTie, names: Names, words: Words) -> str:
    sides, room = tie.sides, (WIDTH - 11) // 2
    one, other = (_named(tie, side, names, words) for side in sides)
    score = f"{plain(sides[0].points)} : {plain(sides[1].points)}" if tie.played else "-"
    return f"  {one[:room]:{room}}{score:^9}{other[:room]}".rstrip()


def _named(tie: BracketTie, side: Side, names: Names, words: Words) -> str:
    if side.player is not None:
        return names[side.player]
    return words.text(phrase("mark.bye")) if tie.known else "?"


def _tree(part: Bracket, names: Names, words: Words) -> str:
    """Return the bracket from left to right, with the winner at the end."""
    rounds, size = len(part.rounds), 2 ** len(part.rounds)
    most = (WIDTH - 5 * rounds) // (rounds + 1)
    labels = [
        [_label(tie, side, names, words) for tie in ties for side in tie.sides]
        for ties in part.rounds
    ]
    final = part.rounds[-1][0]
    labels.append([(names[final.winner], "") if final.winner is not None else ("?", "")])
    longest = max(len(name) + 1 + len(points) for each in labels for name, points in each)
    width = min(most, longest)
    lines = [[" "] * WIDTH for _ in range(2 * size - 1)]

    def put(row: int, column: int, said: str) -> None:
        lines[row][column : column + len(said)] = said[: WIDTH - column]

    for at, those in enumerate(labels):
        x, step = at * (width + 5), 2 ** (at + 1)
        for number, (name, points) in enumerate(those):
            row = 2**at - 1 + number * step
            room = width - len(points) - 1 if points else width
            put(row, x, f"{name[:room]:{room}} {points}" if points else name[:width])
            if at:
                put(row, x - 3, "+- ")
            if at < rounds:
                put(row, x + width + 1, "-+")
                for between in range(1, step // 2):
                    put(row + (between if number % 2 == 0 else -between), x + width + 2, "|")
    text = ["".join(line).rstrip() for line in lines]
    if part.third_place is not None:
        title = capitalised(words.text(phrase("bracket.third")))
        text += ["", title, _tie_line(part.third_place, names, words)]
    return "\n".join(text)


def _label(tie: BracketTie, side: Side, names: Names, words: Words) -> tuple[str, str]:
    return _named(tie, side, names, words), plain(side.points) if tie.played else ""


_TD = "padding:6px 10px 6px 0;border-bottom:1px solid #b5ab97;vertical-align:middle"


def _tree_html(part: Bracket, names: Names, words: Words) -> str:
    """Return a table with a column for each round. A tie has the height of the two before it."""
    titles = (capitalised(words.text(title)) for title in part.titles)
    head = "".join(element("th", f"{_TD};text-align:left", escape(title)) for title in titles)
    rows = [f"<tr>{head}</tr>"]
    for line in range(len(part.rounds[0])):
        cells = [
            f'<td rowspan="{2**at}" style="{_TD}">{_tie_html(ties[line >> at], names, words)}</td>'
            for at, ties in enumerate(part.rounds)
            if line % 2**at == 0
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    drawn = element("table", TABLE, "\n".join(("", *rows, "")))
    if part.third_place is None:
        return drawn
    title = capitalised(words.text(phrase("bracket.third")))
    third = _tie_html(part.third_place, names, words)
    return f"{drawn}\n{element('p', LABEL, escape(title))}\n{element('p', _SMALL, third)}"


def _listed_html(part: Bracket, names: Names, words: Words) -> str:
    return "\n".join(
        f"{element('p', LABEL, escape(title))}\n"
        + table(
            ["", "", ""],
            [
                [_named(tie, one, names, words), _score(tie), _named(tie, other, names, words)]
                for tie in ties
                for one, other in [tie.sides]
            ],
        )
        for title, ties in _titled(part, words)
    )


def _score(tie: BracketTie) -> str:
    one, other = tie.sides
    return f"{plain(one.points)} : {plain(other.points)}" if tie.played else ""


def _tie_html(tie: BracketTie, names: Names, words: Words) -> str:
    return "<br>".join(_side_html(tie, side, names, words) for side in tie.sides)


def _side_html(tie: BracketTie, side: Side, names: Names, words: Words) -> str:
    said = escape(_named(tie, side, names, words), quote=False)
    said = f"{said} {plain(side.points)}" if tie.played else said
    return f"<b>{said}</b>" if side.player is not None and side.player == tie.winner else said
