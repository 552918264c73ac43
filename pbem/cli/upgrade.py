"""`pbem upgrade`: the schema brought up to date, or the club moved to PostgreSQL."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.context import ConfigOption, configured
from pbem.cli.moving import move_club
from pbem.cli.newest_schema import bring_up, tell_plan
from pbem.cli.sentences import Refused, errors_as_sentences
from pbem.cli.statuses import ExitStatus
from pbem.config import find_config


def upgrade(
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only tell what is to be done, and who works; ends with 3 if anything."
        ),
    ] = False,
    while_others_work: Annotated[
        bool,
        typer.Option(
            "--while-others-work",
            help="Do not ask the club's other processes to end first; they notice, and end.",
        ),
    ] = False,
    no_backup: Annotated[
        bool,
        typer.Option("--no-backup", help="Make none first, as there is one already."),
    ] = False,
    to_postgresql: Annotated[
        str,
        typer.Option(
            "--to-postgresql",
            metavar="URL",
            help="Move the club, which is stopped, to an empty PostgreSQL database; - asks for the "
            "URL, which may hold a password that others should not see.",
        ),
    ] = "",
    write_config: Annotated[
        bool, typer.Option("--write-config", help="Then let the configuration name it.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Bring the database to the schema of this pbem, or move the club to PostgreSQL."""
    with errors_as_sentences():
        path, settings = find_config(config), configured(config)
        if to_postgresql and check:
            raise Refused("--check tells of the schema alone; leave it out to move the club")
        if write_config and not to_postgresql:
            raise Refused("--write-config belongs to --to-postgresql URL")
        if to_postgresql:
            move_club(path, settings, to_postgresql, write_config=write_config)
        elif check:
            if tell_plan(settings):
                raise typer.Exit(ExitStatus.TO_BE_DONE)
        else:
            bring_up(path, settings, while_others_work=while_others_work, with_backup=not no_backup)
