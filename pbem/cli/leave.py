"""`pbem leave`: show a member's leave, or take it for a member who cannot write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pbem.cli.arguments import MemberArgument
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.listing import JsonOption, json_of, printable
from pbem.cli.shell import player_named
from pbem.mail.dates.day import read_day
from pbem.mail.dates.span import read_span
from pbem.mail.outgoing.kinds import LeaveTaken
from pbem.matches.leave import Leave
from pbem.matches.match import Player
from pbem.matches.zones import day_at
from pbem.ports.process import StorageError
from pbem.service.direct.decide import SHELL, Director, log
from pbem.service.leave import (
    Shown,
    Taking,
    budget_of,
    changes,
    coming_back,
    do,
    shown,
    taking,
)
from pbem.service.post.post import post
from pbem.service.work import Work, reading, writing

BACK = "back"


def leave(
    name: MemberArgument,
    days: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DAYS",
            help="3 days, until Sunday, 7 days from Monday, two dates. To end: back, back Friday.",
        ),
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Show a member's leave, take leave for them, or end it."""
    with club_of(config) as club:
        if days:
            with writing(club) as work:
                _do(work, player_named(work, name), " ".join(days))
        with reading(club) as work:
            player = player_named(work, name)
            of_theirs = shown(work, player, budget_of(work, player, work.now), work.now)
    if as_json:
        typer.echo(json_of(_data(player, of_theirs)))
        return
    for line in _lines(player, of_theirs):
        typer.echo(printable(line))


def _do(work: Work, member: Player, line: str) -> None:
    do_for(work, member, _read(work, member, line), line, SHELL)


def _read(work: Work, member: Player, line: str) -> Taking:
    """Return what to do. Raises DateError."""
    first, _, day = line.partition(" ")
    today = day_at(work.now, member.time_zone)
    if first.casefold() != BACK:
        return taking(read_span(line, today), work.now)
    return coming_back(work.now, read_day(day, today).not_before(today) if day else None)


def _data(player: Player, leave: Shown) -> dict[str, Any]:
    spans = [*filter(None, [leave.now]), *leave.coming]
    return {
        "name": player.name,
        "on_leave": leave.now is not None,
        "leaves": [{"first": str(each.first), "last": str(each.last)} for each in spans],
        "days_a_year": leave.a_year,
        "left": {str(year.year): year.left for year in leave.years},
    }


def _lines(player: Player, leave: Shown) -> Iterator[str]:
    yield f"{player.name}: {_span(leave.now) if leave.now else 'not on leave'}"
    for each in leave.coming:
        yield f"to come: {_span(each)}"
    for year in leave.years:
        yield f"{year.year}: {year.left} of {leave.a_year} days left"


def _span(leave: Leave) -> str:
    return f"on leave from {leave.first} to {leave.last}"


def do_for(work: Work, member: Player, taking: Taking, line: str, by: Director) -> None:
    """Carry out a line as written. Raises LeaveError, and StorageError for a bot."""
    if member.bot:
        raise StorageError(f"{member.name} is a computer opponent")
    before, after = do(work, member.id, taking, work.now)
    log(work, by, f"leave {{{member.id}}} {line}", "")
    change = changes(before, after, work.now)
    if change is not None:
        leave, year = change.leave, change.leave.last.year
        why = "ended" if change.ends else "director"
        post(work, LeaveTaken(None, why, leave.first, leave.last, year, after.left(year)), member)
