"""`pbem player`: the people of the club."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.context import ConfigOption, club_of

app = typer.Typer(help="The people of the club.", no_args_is_help=True)


@app.command()
def add(
    name: str,
    addresses: Annotated[list[str], typer.Argument(metavar="ADDRESS...")],
    time_zone: Annotated[str, typer.Option(help="IANA name, for due times.")] = "UTC",
    config: ConfigOption = None,
) -> None:
    """Add a player; mail goes to the first address, and is accepted from all."""
    with club_of(config) as club, club.storage.writing() as uow:
        player = uow.players.add(name, addresses, time_zone)
    typer.echo(f"player {player.id}: {player.name} <{player.address}>")


@app.command("list")
def list_players(config: ConfigOption = None) -> None:
    """List all players."""
    with club_of(config) as club, club.storage.reading() as uow:
        for player in uow.players.all():
            typer.echo(f"{player.id:4}  {player.name}  {', '.join(player.addresses)}")
