"""`pbem upgrade`: bring the schema up to date, or move the club to PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.adapters.db import Move, file_of, moving, without_password
from pbem.bootstrap import served_alone
from pbem.cli.changed_config import Changes, change_config, lines_of
from pbem.cli.context import ConfigOption, configured
from pbem.cli.database_url import given_url
from pbem.cli.newest_schema import bring_up, tell_plan
from pbem.cli.sentences import Refused, errors_as_sentences
from pbem.cli.statuses import ExitStatus
from pbem.config import Config, ConfigError, find_config
from pbem.ports.process import StorageError
from pbem.service.records.verify import replay_problems


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


def move_club(path: Path, settings: Config, to: str, *, write_config: bool) -> None:
    """Moves the club of a configuration, which is told of it, or tells how."""
    url = given_url(to, "PostgreSQL database")
    with served_alone(settings, embedded=False):
        _move(settings, url)
    _tell_config(path, url, write=write_config)


def _move(settings: Config, url: str) -> None:
    database = file_of(settings.database_url)
    if database is None:
        raise ConfigError("the club's database is none of SQLite: url in [database] names a server")
    with moving(database, url) as move:
        copied = move.carry(_tell_table)
        what = "copied, and compared" if copied else "there already, and the same"
        typer.echo(f"every table is {what}")
        _replay(move)
    typer.echo(f"the club has moved to {without_password(url)}")
    typer.echo(f"{database} stays as it was; {database.name}.moved beside it tells the way back")


def _tell_table(name: str, rows: int) -> None:
    if rows:
        typer.echo(f"{name}: {rows}")


def _replay(move: Move) -> None:
    """Plays every match there; what goes wrong here in the same way does not hold up the move."""
    matches = [match.id for match in move.after.matches.all()]
    for match_id in matches:
        problems = replay_problems(move.after, match_id)
        if problems and problems != replay_problems(move.before, match_id):
            raise StorageError(f"match {match_id} is another one there: {' '.join(problems)}")
        for problem in problems:
            typer.echo(f"match {match_id}, here and there: {problem}")
    typer.echo(f"every match is played again: {len(matches)}")


def _tell_config(path: Path, url: str, *, write: bool) -> None:
    if write:
        change_config(path, _changes(url))
        typer.echo(f"{path} names the new database")
        return
    typer.echo(f"change these lines of {path}, with the password (--write-config would have):")
    for line in lines_of(_changes(without_password(url))):
        typer.echo(f"    {line}")


def _changes(url: str) -> Changes:
    """Where the club is, and that many may work on it; pbem serve alone does so as before."""
    return {"database": {"url": url}, "jobs": {"engine": "procrastinate"}}
