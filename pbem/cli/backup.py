"""`pbem backup`: the whole club in one file, while it runs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from pbem.adapters.backup_file import BackupUnusable, Manifest, opened_backup, part_of, write_backup
from pbem.adapters.clock import SystemClock
from pbem.adapters.db.dump import dump as dumped, note_backup
from pbem.adapters.db.engine import file_of
from pbem.adapters.scratch_folder import scratch_folder, synced
from pbem.cli.context import ConfigOption, configured
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.cli.interruption import interruptible
from pbem.cli.listing import size
from pbem.cli.progress import CommandProgress
from pbem.ports.process import StorageUnavailable
from pbem.run.config import FILE_NAME, Config, find_config

STDOUT = "-"
NAME = "pbem-{:%Y%m%dT%H%M%SZ}.tar"
"""Name of a backup in a folder. Sorted by name, they are sorted by time."""
NAMES = "pbem-" + 8 * "[0-9]" + "T" + 6 * "[0-9]" + "Z.tar"


def backup(
    to: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FOLDER",
            help="The file to write, or a folder for files named by date and time. Use - "
            "for standard output.",
        ),
    ],
    keep: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Keep only the N newest backups in the folder. 0 keeps all."
        ),
    ] = 0,
    config: ConfigOption = None,
) -> None:
    """Back up the running club to one file: database, configuration, access tokens."""
    shown = CommandProgress()
    with errors_as_sentences(), interruptible("No backup was written") as command:
        path, settings = find_config(config), configured(config)
        if keep and not Path(to).is_dir():
            raise RefusedCommand(f"--keep needs a folder of backups, and {to} is not a folder")
        now = SystemClock().now()
        if to == STDOUT:
            _write_out(path, settings, now, shown)
            command.too_late()
        else:
            make_backup(path, settings, Path(to), now, shown, keep, command.too_late)
        _note(settings, now)


def _write_out(path: Path, settings: Config, now: datetime, shown: CommandProgress) -> None:
    with scratch_folder(settings.club.data_dir, "backup") as folder:
        with _made(path, settings, folder, now, shown).open("rb") as stream:
            shutil.copyfileobj(stream, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def make_backup(
    path: Path,
    settings: Config,
    to: Path,
    now: datetime,
    shown: CommandProgress,
    keep: int = 0,
    too_late: Callable[[], None] = lambda: None,
) -> None:
    """Write a backup of a configured club to a file or a folder, and report it.

    The file is written under a temporary name. Once it has been read back, `too_late` is called and
    the file is renamed.
    """
    target = to / NAME.format(now) if to.is_dir() else to
    _require_replaceable(target)
    with scratch_folder(target.parent, target.name) as folder:
        made = _made(path, settings, folder, now, shown)
        too_late()
        made.rename(target)
    synced(target.parent)
    typer.echo(f"{target}: {size(target.stat().st_size)}, read back and verified")
    for old in _older(target, keep):
        old.unlink()
        typer.echo(f"{old}: removed")


def _require_replaceable(target: Path) -> None:
    """Raise Refused if the target is not a backup: it may be the configuration."""
    if not target.exists() or (target.is_file() and not target.stat().st_size):
        return
    try:
        if not target.is_file():
            raise BackupUnusable(f"{target} is not a file. Choose another name")
        with opened_backup(target):
            return
    except BackupUnusable as error:
        raise RefusedCommand(
            f"{target} exists but is not a complete backup. Choose another name"
        ) from error


def newest_backup(folder: Path) -> Path:
    """Return the newest backup in a folder, by its name. Raises RefusedCommand if there is none."""
    newest = max(folder.glob(NAMES), default=None)
    if newest is None:
        raise RefusedCommand(f"{folder} has no backup")
    return newest


def _older(newest: Path, keep: int) -> list[Path]:
    """Return the backups to delete: older than one made just now, beyond those to keep.

    If the clock was once ahead, other backups can look newer.
    """
    others = sorted(each for each in newest.parent.glob(NAMES) if each != newest)
    return others[: max(0, len(others) + 1 - keep)] if keep else []


def _made(
    path: Path, settings: Config, folder: Path, now: datetime, shown: CommandProgress
) -> Path:
    """Return a backup that was read back, in a folder that is deleted afterwards."""
    kind = "sqlite" if file_of(settings.database_url) is not None else "pgdump"
    database = folder / f"database.{kind}"
    with shown.step("copying the database") as report:
        found = dumped(settings.database_url, database, report)
    files = {**_copied(path, settings, folder), database.name: database}
    club = settings.club
    archive = folder / "archive"
    with shown.step("writing the backup"), archive.open("wb") as stream:
        manifest = Manifest(
            pbem=metadata.version("pbem"),
            made_at=now,
            club=club.name,
            address=club.address,
            config=str(path.absolute()),
            database=found.database,
            schema=found.schema,
            rows=found.rows,
            parts={name: part_of(file) for name, file in files.items()},
        )
        write_backup(stream, manifest, files)
        stream.flush()
        os.fsync(stream.fileno())
    archive.chmod(0o600)
    with shown.step("reading it back") as report, opened_backup(archive) as written:
        written.check(report)
    return archive


def _copied(path: Path, settings: Config, folder: Path) -> dict[str, Path]:
    """Return copies of the current configuration and of the refresh tokens received since.

    A provider may refuse to issue them again.
    """
    tokens = sorted((settings.club.data_dir / "oauth").glob("refresh-token-*"))
    kept = {f"oauth/{each.name}": each for each in tokens if each.suffix != ".lock"}
    copies = dict[str, Path]()
    for name, file in {FILE_NAME: path, **kept}.items():
        copies[name] = Path(shutil.copyfile(file, folder / file.name))
    return copies


def _note(settings: Config, now: datetime) -> None:
    """Note in the database when the newest backup was made. A failure does not spoil the backup."""
    try:
        note_backup(settings.database_url, now)
    except StorageUnavailable as error:
        typer.echo(
            f"pbem: the backup is complete, but pbem status cannot show it: {error}", err=True
        )
