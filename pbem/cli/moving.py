"""A club that moves to PostgreSQL, as `pbem upgrade --to-postgresql` has it."""

from __future__ import annotations

from pathlib import Path

import typer

from pbem.adapters.db import Move, file_of, moving, without_password
from pbem.bootstrap import served_alone
from pbem.cli.changed_config import Changes, change_config, lines_of
from pbem.cli.database_url import given_url
from pbem.config import Config, ConfigError
from pbem.ports.process import StorageError
from pbem.service.records.verify import replay_problems


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
