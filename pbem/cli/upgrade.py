"""`pbem upgrade`: upgrade the schema, or move the club to PostgreSQL."""

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
from pbem.cli.interruption import Interruptible, interruptible
from pbem.cli.listing import size
from pbem.cli.new_config import Changes, change_config, given_url, lines_of
from pbem.cli.progress import CommandProgress
from pbem.log import get_logger
from pbem.matches.zones import minute
from pbem.ports.process import StorageError, StorageUnavailable
from pbem.ports.progress import Report, tracked
from pbem.run.bootstrap.club import served_alone
from pbem.run.bootstrap.schema_wait import schema_of_club
from pbem.run.config import Config, ConfigError, find_config
from pbem.service.records.verify import replay_problems

log = get_logger(__name__)

UP_TO_DATE = "the database is up to date"
END_THEM = (
    "Stop them first, for example with systemctl stop 'pbem*.service' 'pbem*.socket' on each "
    "machine. Or use --while-others-work: they notice and stop on their own"
)


def tell_plan(settings: Config) -> bool:
    """Print what an upgrade will do. Return whether there is anything to do."""
    if schema_of_club(settings).is_empty:
        typer.echo("there is no database yet. The first command that needs it creates it")
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


def bring_up(
    path: Path,
    settings: Config,
    shown: CommandProgress,
    command: Interruptible,
    *,
    while_others_work: bool,
    with_backup: bool,
) -> None:
    """Bring the database to the newest schema. Raises StorageUnavailable, AlreadyServed."""
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
                _back_up(path, settings, new, shown)
            with shown.step("upgrading the database"):
                _carry_out(settings, new, command)
    typer.echo(f"{UP_TO_DATE}. Restart what you stopped")


def _tell(settings: Config, new: Upgrade) -> None:
    for line in (*_changes(new), *_room(settings, new.plan)):
        typer.echo(line)


def _changes(new: Upgrade) -> Iterator[str]:
    """Yield the coming revisions, and the tables that they change."""
    yield f"from schema {new.schema.found} to {new.schema.known}:"
    for each in new.plan.revisions:
        yield f"  {each.revision}  {each.words}"
    for table in new.plan.tables:
        yield f"changes {table.name}: {_counted(table.rows, 'row')}, {size(table.bytes)}"
    yield f"this takes {_long(new.plan.seconds)}, during which nothing else can use the database"


def _backup_line(new: Upgrade) -> str:
    newest = new.newest_backup()
    known = (
        "no backup is known" if newest is None else f"the newest backup is from {minute(newest)}"
    )
    return f"{known}; pbem upgrade makes one first"


def _back_up(path: Path, settings: Config, new: Upgrade, shown: CommandProgress) -> None:
    """Make a backup, to be able to go back. Raises StorageUnavailable, and then nothing is done."""
    to = settings.club.data_dir / f"before-{new.schema.found}.tar"
    try:
        make_backup(path, settings, to, SystemClock().now(), shown)
    except StorageUnavailable as error:
        raise StorageUnavailable(
            f"{error}. Nothing was changed, as there would be no way back. If you have a backup "
            "of your own, use pbem upgrade --no-backup"
        ) from error
    typer.echo(
        f"to go back, run pbem restore {to} with the old version of pbem. You can delete it later"
    )


def _room(settings: Config, plan: Plan) -> Iterator[str]:
    """Yield how much disk space a file needs, with a backup. PostgreSQL has its own machine."""
    path = file_of(settings.database_url)
    if path is None:
        return
    copy = path.stat().st_size
    room = copy + max(copy, plan.room)  # the backup, and what it or the upgrade needs besides
    free = shutil.disk_usage(path.parent).free
    wanted = f"for a while, it needs up to {size(room)} beside {path.name}"
    yield f"{wanted}; {size(free)} are free"
    if free < room:
        yield f"FREE SOME SPACE first: otherwise it may fail, and leaves {path.name} unchanged"


def _alone(
    settings: Config, new: Upgrade, *, while_others_work: bool
) -> AbstractContextManager[object]:
    """A block during which nobody else works. Raises AlreadyServed, Refused."""
    if while_others_work:
        return nullcontext()
    if others := new.others():
        raise RefusedCommand(f"the database is in use by: {', '.join(others)}. {END_THEM}")
    return served_alone(settings, embedded=False)


def _others(settings: Config, new: Upgrade) -> Sequence[str]:
    """Return who is using the database now."""
    try:
        with served_alone(settings, embedded=False):
            return new.others()
    except AlreadyServed as error:
        return (str(error),)


def _carry_out(settings: Config, new: Upgrade, command: Interruptible) -> None:
    """Upgrade completely or not at all. If it fails, say what state the database is in."""
    try:
        new.carry_out()
        command.too_late()
    except StorageUnavailable:
        raise
    except KeyboardInterrupt:
        if not schema_of_club(settings).is_current:
            raise
        command.too_late()  # the upgrade was just committed
    except Exception as error:
        log.exception("the upgrade failed")
        raise RefusedCommand(
            f"the upgrade failed, and the database is unchanged: schema {new.schema.found}. The "
            "old version of pbem can still use it. The output above says what went wrong"
        ) from error


def _counted(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number} {thing}s"


def _long(seconds: int) -> str:
    if seconds < 60:
        return f"up to {_counted(seconds, 'second')}"
    return f"up to {_counted(round(seconds / 60), 'minute')}"


def move_club(
    path: Path,
    settings: Config,
    to: str,
    shown: CommandProgress,
    command: Interruptible,
    *,
    write_config: bool,
) -> None:
    """Move the club of a configuration. Change that configuration, or say how to."""
    url = given_url(to, "PostgreSQL database")
    with served_alone(settings, embedded=False):
        _move(settings, url, shown, command)
    _tell_config(path, url, write=write_config)


def _move(settings: Config, url: str, shown: CommandProgress, command: Interruptible) -> None:
    database = file_of(settings.database_url)
    if database is None:
        raise ConfigError("the club is not on SQLite: url in [database] names a server")
    with moving(database, url) as move:
        with shown.step("copying the tables") as report:
            copied = move.carry(_tell_table, report)
        what = "copied and compared" if copied else "already there, and the same"
        typer.echo(f"every table is {what}")
        with shown.step("replaying the matches") as report:
            _replay(move, report)
        command.too_late()
    typer.echo(f"the club has moved to {without_password(url)}")
    typer.echo(f"{database} stays unchanged. To go back, read {database.name}.moved beside it")


def _tell_table(name: str, rows: int) -> None:
    if rows:
        typer.echo(f"{name}: {rows}")


def _replay(move: DatabaseMove, report: Report) -> None:
    """Replay every match there. A match that fails the same way here does not stop the move."""
    matches = [match.id for match in move.after.matches.all()]
    for match_id in tracked(matches, report):
        problems = replay_problems(move.after, match_id)
        if problems and problems != replay_problems(move.before, match_id):
            raise StorageError(f"match {match_id} is not the same there: {' '.join(problems)}")
        for problem in problems:
            typer.echo(f"match {match_id}, here and there: {problem}")
    typer.echo(f"matches replayed: {len(matches)}")


def _tell_config(path: Path, url: str, *, write: bool) -> None:
    if write:
        change_config(path, _moved(url))
        typer.echo(f"{path} now names the new database")
        return
    typer.echo(
        f"change these lines of {path}, and add the password (--write-config would do both):"
    )
    for line in lines_of(_moved(without_password(url))):
        typer.echo(f"    {line}")


def _moved(url: str) -> Changes:
    """Return the settings for the new database, which several processes can use."""
    return {"database": {"url": url}, "jobs": {"engine": "procrastinate"}}


def upgrade(
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Only show what would be done and what uses the database. The exit status is 3 "
            "if there is anything to do.",
        ),
    ] = False,
    while_others_work: Annotated[
        bool,
        typer.Option(
            "--while-others-work",
            help="Do not stop the club's other processes first. They notice and stop on their own.",
        ),
    ] = False,
    no_backup: Annotated[
        bool,
        typer.Option("--no-backup", help="Skip the backup: you already have one."),
    ] = False,
    to_postgresql: Annotated[
        str,
        typer.Option(
            "--to-postgresql",
            metavar="URL",
            help="Move the club to an empty PostgreSQL database, while it is stopped. Use - to be "
            "asked for a URL with a password that others should not see.",
        ),
    ] = "",
    write_config: Annotated[
        bool, typer.Option("--write-config", help="Then update the configuration to use it.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Upgrade the database for this version of pbem, or move the club to PostgreSQL."""
    left = "The club has not moved" if to_postgresql else "The database is unchanged"
    shown = CommandProgress()
    with errors_as_sentences(), interruptible(left) as command:
        path, settings = find_config(config), configured(config)
        if to_postgresql and check:
            raise RefusedCommand("--check only checks the schema. Leave it out to move the club")
        if write_config and not to_postgresql:
            raise RefusedCommand("--write-config needs --to-postgresql URL")
        if to_postgresql:
            move_club(path, settings, to_postgresql, shown, command, write_config=write_config)
        elif check:
            if tell_plan(settings):
                raise typer.Exit(ExitStatus.TO_BE_DONE)
        else:
            bring_up(
                path,
                settings,
                shown,
                command,
                while_others_work=while_others_work,
                with_backup=not no_backup,
            )
