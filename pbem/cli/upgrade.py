"""`pbem upgrade`: the schema brought up to date, or the club moved to PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from pbem.adapters.clock import SystemClock
from pbem.adapters.db.engine import file_of, without_password
from pbem.adapters.db.move import DatabaseMove, moving
from pbem.adapters.db.upgrading import Plan, Upgrade, upgrading
from pbem.adapters.folder_lock import AlreadyServed
from pbem.cli.backup import make_backup
from pbem.cli.context import ConfigOption, configured, opened
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.listing import minute, size
from pbem.cli.new_config import Changes, change_config, given_url, lines_of
from pbem.log import get_logger
from pbem.ports.process import StorageError, StorageUnavailable
from pbem.run.bootstrap.club import served_alone
from pbem.run.bootstrap.schema_wait import schema_of_club
from pbem.run.config import Config, ConfigError, find_config
from pbem.service.records.verify import replay_problems

log = get_logger(__name__)

UP_TO_DATE = "the database is up to date"
END_THEM = (
    "End them first, as by systemctl stop 'pbem*.service' 'pbem*.socket' on each machine; "
    "or say --while-others-work: they notice, and end by themselves"
)


def tell_plan(settings: Config) -> bool:
    """Tells what an upgrade will do; whether there is anything to do."""
    if schema_of_club(settings).is_empty:
        typer.echo("there is no database yet; the first command that needs it makes it")
        return True
    with upgrading(settings.database_url) as new:
        if new.schema.is_current:
            typer.echo(f"{UP_TO_DATE}: schema {new.schema.found}")
            return False
        _tell(settings, new)
        typer.echo(_backup_line(new))
        for other in _others(settings, new):
            typer.echo(f"at work: {other}")
    return True


def bring_up(path: Path, settings: Config, *, while_others_work: bool, with_backup: bool) -> None:
    """Brings the database to the newest schema; raises StorageUnavailable, AlreadyServed."""
    if schema_of_club(settings).is_empty:
        with opened(settings):
            typer.echo(UP_TO_DATE)
        return
    with upgrading(settings.database_url) as new:
        if new.schema.is_current:
            typer.echo(UP_TO_DATE)
            return
        with _alone(settings, new, while_others_work=while_others_work):
            _tell(settings, new)
            if with_backup:
                _back_up(path, settings, new)
            _carry_out(new)
    typer.echo(f"{UP_TO_DATE}: start what was ended")


def _tell(settings: Config, new: Upgrade) -> None:
    for line in (*_changes(new), *_room(settings, new.plan)):
        typer.echo(line)


def _changes(new: Upgrade) -> Iterator[str]:
    """The revisions that are to come, and the tables that they change."""
    yield f"from schema {new.schema.found} to {new.schema.known}:"
    for each in new.plan.revisions:
        yield f"  {each.revision}  {each.words}"
    for table in new.plan.tables:
        yield f"changes {table.name}: {_counted(table.rows, 'row')}, {size(table.bytes)}"
    yield f"that takes {_long(new.plan.seconds)}; nobody else can work meanwhile"


def _backup_line(new: Upgrade) -> str:
    newest = new.newest_backup()
    known = "no backup is known" if newest is None else f"the newest backup is of {minute(newest)}"
    return f"{known}; pbem upgrade makes one first"


def _back_up(path: Path, settings: Config, new: Upgrade) -> None:
    """The way back; raises StorageUnavailable, and then nothing is done."""
    to = settings.club.data_dir / f"before-{new.schema.found}.tar"
    try:
        make_backup(path, settings, to, SystemClock().now())
    except StorageUnavailable as error:
        raise StorageUnavailable(
            f"{error}. Nothing was changed, as there is no way back; with a backup of your own say "
            "pbem upgrade --no-backup"
        ) from error
    typer.echo(f"the way back is pbem restore {to}, by the pbem of before; delete it some day")


def _room(settings: Config, plan: Plan) -> Iterator[str]:
    """How much room is wanted beside a file, with a backup; PostgreSQL has its own machine."""
    path = file_of(settings.database_url)
    if path is None:
        return
    copy = path.stat().st_size
    room = copy + max(copy, plan.room)  # the backup, and what it or then the upgrade needs beside
    free = shutil.disk_usage(path.parent).free
    wanted = f"it wants up to {size(room)} beside {path.name} for a while"
    yield f"{wanted}; {size(free)} are free"
    if free < room:
        yield f"MAKE ROOM first: with less it may fail, and leaves {path.name} as it was"


def _alone(
    settings: Config, new: Upgrade, *, while_others_work: bool
) -> AbstractContextManager[object]:
    """A block in which nobody else works; raises AlreadyServed, Refused."""
    if while_others_work:
        return nullcontext()
    if others := new.others():
        raise RefusedCommand(f"others work on the database: {', '.join(others)}. {END_THEM}")
    return served_alone(settings, embedded=False)


def _others(settings: Config, new: Upgrade) -> Sequence[str]:
    """Who works on the database now."""
    try:
        with served_alone(settings, embedded=False):
            return new.others()
    except AlreadyServed as error:
        return (str(error),)


def _carry_out(new: Upgrade) -> None:
    """All of it or nothing; whatever goes wrong, it is told how the database is then."""
    try:
        new.carry_out()
    except StorageUnavailable:
        raise
    except Exception as error:
        log.exception("the upgrade failed")
        raise RefusedCommand(
            f"the upgrade failed, and the database is as it was: schema {new.schema.found}. The "
            "pbem of before can go on with it; what is told above says what went wrong"
        ) from error


def _counted(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number} {thing}s"


def _long(seconds: int) -> str:
    if seconds < 60:
        return f"up to {_counted(seconds, 'second')}"
    return f"up to {_counted(round(seconds / 60), 'minute')}"


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


def _replay(move: DatabaseMove) -> None:
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
        change_config(path, _moved(url))
        typer.echo(f"{path} names the new database")
        return
    typer.echo(f"change these lines of {path}, with the password (--write-config would have):")
    for line in lines_of(_moved(without_password(url))):
        typer.echo(f"    {line}")


def _moved(url: str) -> Changes:
    """Where the club is, and that many may work on it; pbem serve alone does so as before."""
    return {"database": {"url": url}, "jobs": {"engine": "procrastinate"}}


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
            raise RefusedCommand("--check tells of the schema alone; leave it out to move the club")
        if write_config and not to_postgresql:
            raise RefusedCommand("--write-config belongs to --to-postgresql URL")
        if to_postgresql:
            move_club(path, settings, to_postgresql, write_config=write_config)
        elif check:
            if tell_plan(settings):
                raise typer.Exit(ExitStatus.TO_BE_DONE)
        else:
            bring_up(path, settings, while_others_work=while_others_work, with_backup=not no_backup)
