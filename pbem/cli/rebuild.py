"""`pbem rebuild`: restore the finished matches of a club from its archive alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.clock import SystemClock
from pbem.adapters.db.rebuild import rebuilding
from pbem.adapters.private_folder import make_private
from pbem.cli.context import ConfigOption, configured
from pbem.cli.error_messages import errors_as_sentences
from pbem.cli.interruption import interruptible
from pbem.cli.progress import CommandProgress
from pbem.ports.process import StorageError
from pbem.ports.progress import tracked
from pbem.run.bootstrap.club import served_alone
from pbem.run.config import ConfigError
from pbem.service.club import Public
from pbem.service.records.imports import imported_records
from pbem.service.records.rebuild import (
    NO_ADDRESS,
    competitions_of,
    players_of,
    records_in,
    stored_matches,
    unlike,
    verified,
)


def rebuild(
    archive: Annotated[
        Path,
        typer.Option(
            "--from-archive",
            metavar="FOLDER",
            help="Folder of records: the archive of a club.",
        ),
    ],
    public: Annotated[
        Public,
        typer.Option(help="When everyone may read the matches. Records do not say."),
    ] = Public.NEVER,
    config: ConfigOption = None,
) -> None:
    """Rebuild an empty database from an archive: its finished matches and their players."""
    shown = CommandProgress()
    with errors_as_sentences(), interruptible("Nothing was rebuilt") as command:
        settings = configured(config)
        if not archive.is_dir():
            raise ConfigError(
                f"there is no folder {archive}. Choose the archive with --from-archive"
            )
        with shown.step("replaying the records") as report:
            found = records_in(FileArchive(archive), report)
        imported = imported_records(FileArchive(archive))
        for left_out in found.left_out:
            typer.echo(left_out, err=True)
        make_private(settings.club.data_dir, settings.database_url)
        with served_alone(settings, embedded=False), rebuilding(settings.database_url) as new:
            host, now = settings.club.address.rpartition("@")[2], SystemClock().now()
            people = players_of(found.records, host, imported.rated)
            for player in people:
                new.put_player(player, now, NO_ADDRESS)
            known = competitions_of(found.records)
            for competition in known.competitions:
                new.put_competition(competition)
            with shown.step("storing the matches") as report:
                for each in stored_matches(tracked(found.records, report), known, public):
                    new.put_match(each, now)
            for match in verified(imported.matches):
                new.uow.imported.put(match)
            for name in imported.rated:
                new.uow.imported.rate(name)
            with shown.step("comparing them with the records") as report:
                for record in tracked(found.records, report):
                    if different := unlike(new.uow, record):
                        raise StorageError(
                            f"match {record.match_id} would not be the same: {different}"
                        )
            command.too_late()
        typer.echo(f"players: {len(people)}; matches, all replayed: {len(found.records)}")
        typer.echo("nobody has an address yet. Add one with pbem member address add NAME ADDRESS")
