"""The board of a match for the command line: in a terminal, and as a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pbem.config import shows_colours
from pbem.games.api import Seat
from pbem.games.captions import Captions
from pbem.games.diagram import Diagram
from pbem.games.phrases import ENGLISH
from pbem.games.plain import paint_all, paint_lists
from pbem.matches.match import Match
from pbem.matches.trails import trails
from pbem.painters.alt import alt
from pbem.painters.png import png
from pbem.painters.svg import svg
from pbem.painters.terminal import terminal
from pbem.service.work import Work

PIXELS = 1200
"""How wide a picture is that is made of dots."""
ENDINGS = (".svg", ".png")


def _known(path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in ENDINGS:
        raise typer.BadParameter(f"a picture ends in {' or '.join(ENDINGS)}, not {path.name!r}")
    return path


PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        metavar="FILE",
        callback=_known,
        help="Write the board into a file as well: .svg or .png.",
    ),
]


def board(work: Work, match: Match, seat: Seat) -> Diagram:
    """The board of a match with the last turn of each player."""
    recorded = work.matches.recorded(match.id)
    diagram: Diagram = match.game.diagram(match.position, seat)
    return replace(diagram, trails=trails(match.game, recorded, match.seats))


def shown(diagram: Diagram, names: Mapping[Seat, str]) -> str:
    """A board with its lists: in colours where the terminal has them, else as mails show it."""
    captions = Captions(diagram, names, ENGLISH)
    if not shows_colours(sys.stdout):
        return paint_all(captions)
    return f"{terminal(diagram)}\n\n{paint_lists(captions)}"


def write_picture(path: Path, diagram: Diagram, match: Match, seat: Seat) -> None:
    """The board as a file; the ending says of which kind. Raises OSError."""
    picture = svg(diagram, alt(diagram, match.id, match.turn, seat))
    if path.suffix.lower() == ".svg":
        path.write_text(picture, "utf-8")
    else:
        path.write_bytes(png(picture, PIXELS))
