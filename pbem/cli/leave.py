"""`pbem leave`: show a member's leave, or take it for a member who cannot write."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pbem.cli.arguments import MemberArgument
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.listing import JsonOption, json_of, printable
from pbem.cli.shell import player_named
from pbem.mail.outgoing.render import lines_of
from pbem.matches.match import Player
from pbem.service.direct.decide import SHELL
from pbem.service.direct.for_member import leave_for
from pbem.service.leave import Shown, budget_of, shown
from pbem.service.work import reading, writing


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
                leave_for(work, player_named(work, name), " ".join(days), SHELL)
        with reading(club) as work:
            player = player_named(work, name)
            of_theirs = shown(work, player, budget_of(work, player, work.now), work.now)
    if as_json:
        typer.echo(json_of(_data(player, of_theirs)))
        return
    for line in lines_of("_leave_of.txt.j2", {"member": player.name, "leave": of_theirs}):
        typer.echo(printable(line))


def _data(player: Player, leave: Shown) -> dict[str, Any]:
    spans = [*filter(None, [leave.now]), *leave.coming]
    return {
        "name": player.name,
        "on_leave": leave.now is not None,
        "leaves": [{"first": str(each.first), "last": str(each.last)} for each in spans],
        "days_a_year": leave.a_year,
        "left": {str(year.year): year.left for year in leave.years},
    }
