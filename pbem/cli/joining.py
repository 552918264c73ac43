"""`pbem member waiting|approve|refuse`: who would like to join, where a director lets them in."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.context import ConfigOption, club_of
from pbem.cli.listing import Item, JsonOption, moment, print_items
from pbem.cli.terminal import printable
from pbem.commands import command_words
from pbem.service.direct.decide import SHELL, log
from pbem.service.members import joining
from pbem.service.members.names import free_name
from pbem.service.questions import Application, Pending
from pbem.service.work import reading, writing

NumberArgument = Annotated[
    int, typer.Argument(metavar="NUMBER", help="As pbem member waiting shows it.")
]


def attach(app: typer.Typer) -> None:
    """Puts the commands into the group of the members."""
    app.command("waiting")(list_waiting)
    app.command("approve")(approve)
    app.command("refuse")(refuse)


def list_waiting(as_json: JsonOption = False, config: ConfigOption = None) -> None:
    """List who would like to join and waits for your consent."""
    with club_of(config) as club, reading(club) as work:
        items = map(_item, joining.applications(work))
        print_items(items, "nobody waits", as_json=as_json)


def approve(
    number: NumberArgument,
    name: Annotated[str, typer.Option(help="Another name than they wished for.")] = "",
    config: ConfigOption = None,
) -> None:
    """Let somebody in, who is welcomed by mail."""
    with club_of(config) as club, writing(club) as work:
        pending = joining.application(work, number)
        wanted = name or pending.asked.name
        own = free_name(work, wanted, command_words(), own=pending.question.holder)
        player = joining.approve(work, pending, own)
        log(work, SHELL, f"approve {{{player.id}}}", "")
    typer.echo(printable(f"member {player.id}: {player.name} <{player.address}>"))


def refuse(
    number: NumberArgument,
    reason: Annotated[
        list[str] | None, typer.Argument(metavar="REASON", help="They are told.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Do not let somebody in, who is told so by mail."""
    with club_of(config) as club, writing(club) as work:
        pending = joining.application(work, number)
        joining.refuse(work, pending, " ".join(reason or ()))
        log(work, SHELL, "refuse", " ".join(reason or ()))
    typer.echo(printable(f"{pending.asked.name} is not let in, and is told"))


def _item(pending: Pending[Application]) -> Item:
    question, asked = pending.question, pending.asked
    line = printable(f"{question.id:4}  {asked.name}  {question.holder}  {asked.zone}")
    data = {
        "number": question.id,
        "name": asked.name,
        "address": question.holder,
        "time_zone": asked.zone,
        "expires_at": moment(question.expires_at),
    }
    return Item(line, data)
