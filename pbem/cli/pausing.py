"""`pbem pause`, `pbem resume`: no time counts in a competition, or in the whole club."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from pbem.cli.context import ConfigOption, club_of
from pbem.cli.terminal import printable
from pbem.service.direct import orders
from pbem.service.direct.announcing import Audience
from pbem.service.direct.decide import SHELL, Director, decide
from pbem.service.direct.orders import Order
from pbem.service.direct.pausing import pause as pause_all, read_whom, resume as resume_all
from pbem.service.work import Work, writing

Which = Annotated[
    str,
    typer.Argument(
        metavar="WHICH", help="club, set, series or tournament; or the number of a match."
    ),
]
Pausing = Callable[[Work, Audience, str, Director], str]


def pause(
    which: Which,
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT",
            help="For all but the club a number; how long, such as 2w, else until it is resumed; "
            "and why, which the players are told.",
        ),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Charge no time in the club, a competition or a match."""
    _done(which, text, pause_all, orders.pausing, config)


def resume(
    which: Which,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="For all but the club a number; and why."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Charge time there again."""
    _done(which, text, resume_all, orders.resumption, config)


def _done(
    which: str,
    words: list[str] | None,
    of_all: Pausing,
    of_match: Callable[[int, str], Order],
    config: ConfigOption,
) -> None:
    text = " ".join(words or [])
    with club_of(config) as club, writing(club) as work:
        if which.isascii() and which.isdigit() and len(which) <= 9:
            order = of_match(int(which), text)
            decide(work, order, SHELL)
            line = order.line
        else:
            line = of_all(work, *read_whom(which, text), SHELL)
        typer.echo(printable(f"done: {line}"))
