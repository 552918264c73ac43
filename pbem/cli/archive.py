"""`pbem archive`: records."""

from __future__ import annotations

import typer

from pbem.cli.context import ConfigOption, club_of
from pbem.service.publish_archive import publish_all
from pbem.service.verify_archive import verify_all

app = typer.Typer(help="Records of matches.", no_args_is_help=True)


@app.command()
def publish(config: ConfigOption = None) -> None:
    """Write the records of ended matches that are not written yet."""
    with club_of(config) as club:
        typer.echo(f"{len(publish_all(club.storage, club.archive, club.clock))} written")


@app.command()
def verify(config: ConfigOption = None) -> None:
    """Replay every stored match, and compare the ended ones with their records."""
    with club_of(config) as club:
        problems = list(verify_all(club.storage, club.archive))
    for problem in problems:
        typer.echo(problem)
    if problems:
        raise typer.Exit(1)
    typer.echo("every match replays, and every record agrees")
