"""`pbem restore`: restore a club from a backup, never over an existing one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from pbem.adapters.backup_file import BackupFile, opened_backup
from pbem.adapters.clock import SystemClock
from pbem.adapters.db.dump import Dump, note_test
from pbem.adapters.db.restore import require_restorable, restoring, staged
from pbem.adapters.db.scratch_database import scratch_database
from pbem.adapters.private_folder import make_private
from pbem.adapters.scratch_folder import scratch_folder
from pbem.cli.backup import newest_backup
from pbem.cli.context import configured, else_before
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.interruption import interruptible
from pbem.cli.listing import printable, size
from pbem.cli.new_config import Changes, change_config, given_url
from pbem.cli.progress import CommandProgress
from pbem.mail.outgoing.letter import to_bytes
from pbem.ports.progress import tracked
from pbem.ports.storage import Storage
from pbem.run.bootstrap.club import served_alone
from pbem.run.config import FILE_NAME, Config, ConfigError, load_config
from pbem.service.records.verify import replay_problems

HELD = (
    "emails are held: until pbem mail release, the club reads and plays but sends nothing, and all "
    "clocks are stopped. For a list, use pbem mail held"
)


def restore(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A backup made by pbem backup. With --test, also a folder of them.",
        ),
    ],
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            callback=else_before,
            help="Where to put the configuration. Default: where it was. An existing one of the "
            "same club stays unchanged, and decides where the rest goes.",
        ),
    ] = None,
    data_dir: Annotated[
        Path | None,
        typer.Option("--data-dir", metavar="FOLDER", help="A different data folder."),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="A different database. Use - to be asked for a URL with a password.",
        ),
    ] = "",
    test: Annotated[
        bool,
        typer.Option(
            "--test",
            help="Only test the backup, or the newest one in a folder: restore it beside the club, "
            "replay all matches, and delete the result. --config is the club's configuration.",
        ),
    ] = False,
) -> None:
    """Restore a club from a backup, never over an existing one, and hold its mail."""
    if test:
        if data_dir is not None or database:
            raise typer.BadParameter("--test takes no --data-dir and no --database")
        _test(file, config)
        return
    shown = CommandProgress()
    with (
        errors_as_sentences(),
        interruptible("Nothing was restored") as command,
        opened_backup(file) as backup,
    ):
        with shown.step("reading the backup") as report:
            backup.check(report)
        typer.echo(f"{file}: {_told(backup)}; every part is intact")
        path = config or Path(backup.manifest.config)
        changes = _changes(data_dir, given_url(database, "database"))
        with _configured(backup, path, changes) as (settings, new):
            problems = _restore(backup, settings, shown, command.too_late)
            typer.echo(f"{settings.club.data_dir}: the data folder, with the database")
            _put_tokens(backup, settings)
            if new is not None:
                new.rename(path)
                typer.echo(f"{path}: the configuration")
        for problem in problems:
            typer.echo(problem, err=True)
        typer.echo(HELD)
    if problems:
        raise typer.Exit(ExitStatus.REFUSED)


OLD = timedelta(days=2)
"""A folder with no newer backup has a problem: the nightly one is missing."""


def _test(to: Path, config: Path | None) -> None:
    """Restore a backup beside the club, which stays as it is, and note that this worked."""
    shown, now = CommandProgress(), SystemClock().now()
    with errors_as_sentences(), interruptible("Nothing was restored"):
        club = configured(config)
        file = newest_backup(to) if to.is_dir() else to
        with (
            opened_backup(file) as backup,
            scratch_folder(club.club.data_dir, "restore-test") as scratch,
        ):
            _require_space(backup, club.club.data_dir)  # leftovers of earlier tests are gone now
            with scratch_database(backup.manifest.database, club.database_url, scratch) as url:
                with shown.step("reading the backup") as report:
                    backup.check(report)
                backup.put(FILE_NAME, scratch / FILE_NAME)
                backed_up = load_config(scratch / FILE_NAME)
                if not _is_same_club(club, backed_up):
                    raise RefusedCommand(
                        f"{file} is from a different club, or the secret has changed since. Make a "
                        "new backup with pbem backup"
                    )
                problems = _restore(backup, _moved(backed_up, scratch / "club", url), shown)
            if to.is_dir() and now - backup.manifest.made_at > OLD:
                problems = [*problems, f"{to}: the newest backup is older than two days"]
            told = _told(backup)
        for problem in problems:
            typer.echo(problem, err=True)
        if not problems:
            typer.echo(f"{file}: {told}. The test found no problems, and the copy was deleted")
            note_test(club.database_url, now)
    if problems:
        raise typer.Exit(ExitStatus.REFUSED)


ROOM = 2
"""Free space for a test, in sizes of the database in the backup.

Besides the copy, an upgrade of its schema and the running club need some.
"""


def _require_space(backup: BackupFile, folder: Path) -> None:
    """Refuse a test that could leave no space for the running club."""
    needed = ROOM * backup.manifest.parts[backup.database].size
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise RefusedCommand(
            f"{folder} has {size(free)} of free space, and a test of this backup needs "
            f"{size(needed)}. Free some space, or test the backup on another machine"
        )


def _moved(config: Config, folder: Path, url: str) -> Config:
    """Return a configuration with another data folder and database, whatever the environment."""
    club = config.club.model_copy(update={"data_dir": folder})
    database = config.database.model_copy(update={"url": url})
    return config.model_copy(update={"club": club, "database": database})


def _told(backup: BackupFile) -> str:
    manifest = backup.manifest
    made_at = f"{manifest.made_at:%Y-%m-%d %H:%M}"
    return printable(f"{manifest.address} as of {made_at} UTC, by pbem {manifest.pbem}")


def _changes(data_dir: Path | None, url: str) -> Changes:
    """Return what to change in the configuration."""
    folder = {} if data_dir is None else {"club": {"data_dir": str(data_dir.absolute())}}
    return {**folder, **({"database": {"url": url}} if url else {})}


@contextmanager
def _configured(
    backup: BackupFile, path: Path, changes: Changes
) -> Iterator[tuple[Config, Path | None]]:
    """Yield the configuration to restore with, and its file if that does not exist yet."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.restoring")
    new.unlink(missing_ok=True)
    try:
        backup.put(FILE_NAME, new)
        if not path.exists():
            if changes:
                change_config(new, changes)
            yield load_config(new), new
            return
        if changes:
            raise ConfigError(
                f"{path} exists and says where the club is. Use --data-dir and --database only "
                "with a new configuration (--config)"
            )
        settings = load_config(path)
        _require_same_club(path, settings, load_config(new))
        typer.echo(f"{path}: exists and stays unchanged")
        yield settings, None
    finally:
        new.unlink(missing_ok=True)


def _require_same_club(path: Path, here: Config, backed_up: Config) -> None:
    if not _is_same_club(here, backed_up):
        raise ConfigError(
            f"{path} is for a different club from the backup, or has different secrets. Move it "
            "away, or choose another place with --config"
        )


def _is_same_club(here: Config, backed_up: Config) -> bool:
    """Return whether replies to emails from before the backup would still prove their sender."""
    known = backed_up.club.secrets.items() <= here.club.secrets.items()
    return here.club.address == backed_up.club.address and known


def _restore(
    backup: BackupFile,
    settings: Config,
    shown: CommandProgress,
    too_late: Callable[[], None] = lambda: None,
) -> Sequence[str]:
    """Restore the database. Return what is wrong with its matches, a sentence each.

    `too_late` is called just before it is in place.
    """
    manifest, url = backup.manifest, settings.database_url
    dump = Dump(manifest.database, manifest.schema, manifest.rows)
    require_restorable(url, dump)
    make_private(settings.club.data_dir, url)
    name = backup.database
    with (
        served_alone(settings, embedded=False),
        scratch_folder(settings.club.data_dir, "restore") as scratch,
    ):
        file = staged(url, scratch)
        with ExitStack() as stack:
            with shown.step("putting the database in place"):
                backup.put(name, file)
                restored = restoring(url, dump, file, SystemClock().now(), too_late)
                storage = stack.enter_context(restored)
            problems = [*_match_problems(storage, shown), *_mail_problems(storage)]
    return problems


def _match_problems(storage: Storage, shown: CommandProgress) -> Iterator[str]:
    with storage.reading() as uow, shown.step("replaying the matches") as report:
        matches = [match.id for match in uow.matches.all()]
        for match_id in tracked(matches, report):
            for problem in replay_problems(uow, match_id):
                yield f"match {match_id}: {problem}"
    typer.echo(f"matches replayed: {len(matches)}")


def _mail_problems(storage: Storage) -> Iterator[str]:
    with storage.reading() as uow:
        waiting = uow.outbox.waiting()
        for mail in waiting:
            posted = uow.outbox.by_message_id(mail.message_id)
            if posted is None:
                continue
            try:
                to_bytes(posted.mail.letter)
            except Exception as error:  # noqa: BLE001  whatever is wrong, report it for this email
                yield f"waiting email {mail.id} cannot be written: {error}"
    typer.echo(f"emails waiting to be sent: {len(waiting)}")


def _put_tokens(backup: BackupFile, settings: Config) -> None:
    """Put the refresh tokens in place. Existing ones stay, as they may be newer."""
    for name in backup.manifest.parts:
        file = settings.club.data_dir / name
        if name.startswith("oauth/") and not file.exists():
            file.parent.mkdir(mode=0o700, exist_ok=True)
            backup.put(name, file)
