"""`pbem player`: the people of the club."""

from __future__ import annotations

import re
from typing import Annotated
from zoneinfo import available_timezones

import typer

from pbem.cli.context import ConfigOption, club_of
from pbem.mail.incoming.addressing import is_club_address
from pbem.service.ports import StorageError

app = typer.Typer(help="The people of the club.", no_args_is_help=True)

ADDRESS = re.compile(r"[^\s<>@,;:\"]{1,64}@[^\s<>@,;:\"]{1,255}")


@app.command()
def add(
    name: str,
    addresses: Annotated[list[str], typer.Argument(metavar="ADDRESS...")],
    time_zone: Annotated[str, typer.Option(help="IANA name, for due times.")] = "UTC",
    config: ConfigOption = None,
) -> None:
    """Add a player; mail goes to the first address, and is accepted from all."""
    with club_of(config) as club, club.storage.writing() as uow:
        for address in addresses:
            if not ADDRESS.fullmatch(address) or is_club_address(address, club.address):
                raise StorageError(f"{address} is not the e-mail address of a person")
        if time_zone not in available_timezones():
            raise StorageError(f"there is no time zone {time_zone}; one is Europe/Warsaw")
        if not name.strip() or not name.isprintable():
            raise StorageError("a player needs a name, of letters that can be printed")
        player = uow.players.add(name, addresses, time_zone)
    typer.echo(f"player {player.id}: {player.name} <{player.address}>")


@app.command("list")
def list_players(config: ConfigOption = None) -> None:
    """List all players."""
    with club_of(config) as club, club.storage.reading() as uow:
        for player in uow.players.all():
            typer.echo(f"{player.id:4}  {player.name}  {', '.join(player.addresses)}")
