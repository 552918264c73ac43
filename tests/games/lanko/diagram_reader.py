"""A reader of painted diagrams that knows only what the text below the board says.

It knows no board, no game and nothing of pbem. It reads what a reader of the email can see, from
the signs and their places in a fixed-width font.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

LABEL = r"\d+|#[A-Z]|\([A-Z]\)|[A-Z]"
SQUARE = re.compile(rf"(?:(X)([BSbs.]{{4}})|({LABEL})([BSPbsp.]))([<>]?)")
BARRIER_LINE = re.compile(r"[ -]*-[ -]*")
GROUP = re.compile(r"(White|Black), (\d+) points")
KIND = re.compile(r"(big castle|small castle|pawn)s? (.+)")


@dataclass(frozen=True)
class Sign:
    """A square in a line: its label, its piece, its mark, and its last column."""

    label: str
    piece: str
    mark: str
    begin: int
    end: int


@dataclass
class Group:
    """The text below the board about one colour."""

    points: int
    pieces: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """Seat: kind: labels."""
    threefold: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Seen:
    """A diagram as its reader understands it."""

    labels: list[str]
    """As often as they are printed."""
    pieces: dict[str, str]
    """Label: piece, castles in the middle as one string; vacant squares left out."""
    places: dict[str, tuple[int, int]]
    """Label: column from the left, row from the top."""
    barriers: set[frozenset[str]]
    start: str | None
    end: str | None
    groups: dict[str, Group]
    legend: list[str]


def read(text: str) -> Seen:
    """Return what a painted diagram shows."""
    board, groups, legend = text.split("\n\n")
    lines = board.split("\n")
    rows = [signs(line) for line in lines if not BARRIER_LINE.fullmatch(line)]
    columns = sorted({sign.end for row in rows for sign in row})
    squares = [sign for row in rows for sign in row]
    marked = {sign.mark: sign.label for sign in squares if sign.mark}
    assert len(marked) == sum(bool(sign.mark) for sign in squares)
    return Seen(
        labels=[sign.label for sign in squares],
        pieces={sign.label: men for sign in squares if (men := sign.piece.replace(".", ""))},
        places={
            sign.label: (columns.index(sign.end), number)
            for number, row in enumerate(rows)
            for sign in row
        },
        barriers={*upright(lines), *level(lines)},
        start=marked.get(">", marked.get("<")),
        end=marked.get("<"),
        groups=dict(read_groups(groups.split("\n"))),
        legend=legend.split("\n"),
    )


def signs(line: str) -> list[Sign]:
    """Return the squares of a line from the left. Only barriers may be between them."""
    found = list(SQUARE.finditer(line))
    rest = SQUARE.sub("", line)
    assert not rest.strip(" |"), f"what is {rest.strip()!r} in {line!r}?"
    return [
        Sign(m[1] or m[3], m[2] or m[4], m[5], m.start(), m.end() - len(m[5]) - 1) for m in found
    ]


def upright(lines: Sequence[str]) -> Iterator[frozenset[str]]:
    """Return pairs of squares with a `|` between them."""
    for line in lines:
        for left, right in pairwise(signs(line) if not BARRIER_LINE.fullmatch(line) else ()):
            if "|" in line[left.end : right.begin]:
                yield frozenset({left.label, right.label})


def level(lines: Sequence[str]) -> Iterator[frozenset[str]]:
    """Return pairs of squares with a `---` between them."""
    for number, line in enumerate(lines):
        if BARRIER_LINE.fullmatch(line):
            for dashes in re.finditer("-+", line):
                above, below = (
                    next(s.label for s in signs(lines[n]) if dashes.start() <= s.end < dashes.end())
                    for n in (number - 1, number + 1)
                )
                yield frozenset({above, below})


def read_groups(lines: Sequence[str]) -> Iterator[tuple[str, Group]]:
    """Return each colour and what belongs to it, from the lists below the board."""
    name, group = "", Group(0)
    for line in joined(lines):
        title = GROUP.fullmatch(line)
        if title:
            name, group = title[1], Group(int(title[2]))
            yield name, group
        elif line.startswith("counting three times: "):
            group.threefold += line.removeprefix("counting three times: ").split(", ")
        else:
            seat, listed = line.split(": ")
            group.pieces[seat] = dict(read_kinds(listed))


def joined(lines: Sequence[str]) -> list[str]:
    """Return lines without their margin, and with wrapped ones joined."""
    whole: list[str] = []
    for line in lines:
        if line.startswith("    "):
            whole[-1] += " " + line.strip()
        else:
            whole.append(line.strip())
    return whole


def read_kinds(text: str) -> Iterator[tuple[str, list[str]]]:
    """Return `big castle A; pawns 3 4` as kinds and labels."""
    if text != "no pieces":
        for part in text.split("; "):
            kind = KIND.fullmatch(part)
            assert kind, f"what is {part!r}?"
            yield kind[1], kind[2].split(" ")
