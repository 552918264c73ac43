"""`pbem restore`: a club put back from a backup, where there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pbem.adapters.backup_file import BackupFile, opened_backup
from pbem.adapters.clock import SystemClock
from pbem.adapters.db.dump import Dump
from pbem.adapters.db.restore import require_restorable, restoring, staged
from pbem.adapters.private_folder import make_private
from pbem.adapters.scratch_folder import scratch_folder
from pbem.cli.context import else_before
from pbem.cli.error_messages import errors_as_sentences
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.listing import printable
from pbem.cli.new_config import Changes, change_config, given_url
from pbem.mail.outgoing.letter import to_bytes
from pbem.ports.storage import Storage
from pbem.run.bootstrap.club import served_alone
from pbem.run.config import FILE_NAME, Config, ConfigError, load_config
from pbem.service.records.verify import replay_problems

HELD = (
    "mail is held: the club reads and plays, but writes to nobody, and no time counts, until "
    "pbem mail release (pbem mail held lists it)"
)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What pbem backup has written.")],
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            callback=else_before,
            help="Where the configuration is to be, else where it was; one of the same club that "
            "is there stays as it is, and says where the rest goes.",
        ),
    ] = None,
    data_dir: Annotated[
        Path | None,
        typer.Option("--data-dir", metavar="FOLDER", help="Another data folder than it had."),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Another database than it had; - asks for the URL, which may hold a password.",
        ),
    ] = "",
) -> None:
    """Put a club back from a backup, where there is none, and hold its mail."""
    with errors_as_sentences(), opened_backup(file) as backup:
        backup.check()
        typer.echo(f"{file}: {_told(backup)}; every part is as it was")
        path = config or Path(backup.manifest.config)
        changes = _changes(data_dir, given_url(database, "database"))
        with _configured(backup, path, changes) as (settings, new):
            problems = _restore(backup, settings)
            _put_tokens(backup, settings)
            if new is not None:
                new.rename(path)
                typer.echo(f"{path}: the configuration")
        for problem in problems:
            typer.echo(problem, err=True)
        typer.echo(HELD)
    if problems:
        raise typer.Exit(ExitStatus.REFUSED)


def _told(backup: BackupFile) -> str:
    manifest = backup.manifest
    made_at = f"{manifest.made_at:%Y-%m-%d %H:%M}"
    return printable(f"{manifest.address} as of {made_at} UTC, by pbem {manifest.pbem}")


def _changes(data_dir: Path | None, url: str) -> Changes:
    """What the configuration is to say otherwise."""
    folder = {} if data_dir is None else {"club": {"data_dir": str(data_dir.absolute())}}
    return {**folder, **({"database": {"url": url}} if url else {})}


@contextmanager
def _configured(
    backup: BackupFile, path: Path, changes: Changes
) -> Iterator[tuple[Config, Path | None]]:
    """The configuration by which a club is restored, and the file of one that is not there yet."""
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
                f"{path} is there already, and says where the club is: --data-dir and --database "
                "are for a new configuration (--config)"
            )
        settings = load_config(path)
        _require_same_club(path, settings, load_config(new))
        typer.echo(f"{path}: is there, and stays as it is")
        yield settings, None
    finally:
        new.unlink(missing_ok=True)


def _require_same_club(path: Path, here: Config, backed_up: Config) -> None:
    """By another secret no answer to a mail that players have would be proven."""
    known = backed_up.club.secrets.items() <= here.club.secrets.items()
    if here.club.address != backed_up.club.address or not known:
        raise ConfigError(
            f"{path} is of another club than the backup, or has other secrets: move it away, or "
            "name another place (--config)"
        )


def _restore(backup: BackupFile, settings: Config) -> Sequence[str]:
    """Puts the database in its place; what is wrong with the matches in it, a sentence each."""
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
        backup.put(name, file)
        with restoring(url, dump, file, SystemClock().now()) as storage:
            problems = [*_match_problems(storage), *_mail_problems(storage)]
    typer.echo(f"{settings.club.data_dir}: the data folder; the database is in its place")
    return problems


def _match_problems(storage: Storage) -> Iterator[str]:
    with storage.reading() as uow:
        matches = [match.id for match in uow.matches.all()]
        for match_id in matches:
            for problem in replay_problems(uow, match_id):
                yield f"match {match_id}: {problem}"
    typer.echo(f"every match is played again: {len(matches)}")


def _mail_problems(storage: Storage) -> Iterator[str]:
    with storage.reading() as uow:
        waiting = uow.outbox.waiting()
        for mail in waiting:
            posted = uow.outbox.by_message_id(mail.message_id)
            if posted is None:
                continue
            try:
                to_bytes(posted.mail.letter)
            except Exception as error:  # noqa: BLE001  whatever is wrong, it is told of this one
                yield f"mail {mail.id} that waits cannot be written: {error}"
    typer.echo(f"mails that waited to go: {len(waiting)}")


def _put_tokens(backup: BackupFile, settings: Config) -> None:
    """Those that are there stay: they may be newer."""
    for name in backup.manifest.parts:
        file = settings.club.data_dir / name
        if name.startswith("oauth/") and not file.exists():
            file.parent.mkdir(mode=0o700, exist_ok=True)
            backup.put(name, file)
