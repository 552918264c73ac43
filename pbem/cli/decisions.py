"""`pbem announce`, `pbem log`: what directors tell many, and what they have done."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.completing import matches
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.listing import Item, JsonOption, minute, moment, print_items
from pbem.cli.terminal import printable
from pbem.ports.play import LoggedDecision
from pbem.service.direct.announcing import announce as announce_to, read_audience, readers
from pbem.service.direct.decide import SHELL
from pbem.service.direct.orders import with_names
from pbem.service.work import Work, reading, writing


def announce(
    whom: Annotated[
        str, typer.Argument(metavar="WHOM", help="match, set, series, tournament or club.")
    ],
    text: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT", help="For all but the club a number; and what they are told."
        ),
    ],
    send: Annotated[bool, typer.Option("--send", help="Else it is only shown.")] = False,
    config: ConfigOption = None,
) -> None:
    """Tell a match, a competition or the club something."""
    with club_of(config) as club, writing(club) as work:
        audience, said = read_audience(whom, " ".join(text))
        told = readers(work, audience)
        typer.echo(printable(f"to {audience}: {', '.join(each.name for each in told) or 'nobody'}"))
        typer.echo(printable(said))
        if send:
            announce_to(work, audience, said, SHELL)
        typer.echo("sent" if send else "not sent; to send it: --send")


def log(
    number: Annotated[
        int | None,
        typer.Argument(metavar="MATCH", help="Of one match only.", autocompletion=matches),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="So many, the newest first.")] = 50,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List what directors did, when and why."""
    with club_of(config) as club, reading(club) as work:
        items = (_logged(work, each) for each in work.decisions.newest(limit, number))
        print_items(items, "nothing has been decided yet", as_json=as_json)


def _logged(work: Work, decision: LoggedDecision) -> Item:
    who = "shell" if decision.by is None else work.players.get(decision.by).name
    line = with_names(work, decision.line)
    data = {
        "id": decision.id,
        "at": moment(decision.at),
        "by": who,
        "match": decision.match_id,
        "line": line,
        "reason": decision.reason,
    }
    why = f"  {' '.join(decision.reason.split())}" if decision.reason else ""
    return Item(f"{minute(decision.at)}  {who}  {line}{why}", data)
