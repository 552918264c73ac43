"""`pbem archive export` and `import`: records for other clubs, and from them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from errno import EEXIST
from pathlib import Path
from typing import Annotated, TextIO

import typer

from pbem.adapters.scratch_folder import scratch_folder
from pbem.archive.site.transcripts import files_in_formats
from pbem.archive.verify_files import FoundRecord, is_no_record, records_in
from pbem.cli import shell
from pbem.cli.arguments import matches
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.interruption import interruptible
from pbem.cli.listing import JsonOption, ListedItem, listed, printable
from pbem.cli.mail_rows import since_of
from pbem.cli.progress import CommandProgress
from pbem.cli.shell import Said, player_named
from pbem.matches.match import Player
from pbem.matches.record import RecordError
from pbem.ports.progress import Report
from pbem.service.club import Club
from pbem.service.rating import rate_waiting
from pbem.service.reading_room.publish import publish_room
from pbem.service.reading_room.reading import public_notes
from pbem.service.records.exports import exported
from pbem.service.records.imports import Imports, forget_club, import_records, rate_imported
from pbem.service.records.publish import publish_all, stored_record
from pbem.service.work import Work, reading, writing

LEFT_OUT = "private matches and members. Add --all to export them too"


def attach(app: typer.Typer) -> None:
    """Add the commands to the group of the archive."""
    app.command("export")(export)
    app.command("import")(import_files)
    app.command("imported")(imported)
    app.command("forget")(forget)


def export(
    number: Annotated[
        int | None,
        typer.Argument(metavar="MATCH", help="Number of a match.", autocompletion=matches),
    ] = None,
    form: Annotated[
        str, typer.Option("--as", metavar="FORMAT", help="For a match, such as pgn for chess.")
    ] = "",
    since: Annotated[
        datetime | None,
        typer.Option(
            parser=since_of,
            metavar="WHEN",
            help="The records of all matches that ended since 2026-11-21, 2026-11-21T18:30 (UTC), "
            "or in the last 7d or 12h.",
        ),
    ] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A new file. Default: standard output.")
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="With --since, private matches and members too.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Print records for other clubs as JSON lines, or one match for other programs.

    Give either --since, or MATCH and --as. Another club reads JSON lines with `pbem archive
    import`. `pbem archive verify FILE` checks both by replay.
    """
    if (number is None) == (since is None) or bool(form) != (number is not None):
        raise typer.BadParameter("give either --since WHEN, or MATCH and --as FORMAT")
    with errors_as_sentences(OSError, RecordError), club_of(config) as club:
        if number is None and since is not None:
            _export_since(club, since, to, everything=all_)
            return
        with reading(club) as work, _written(to) as out:
            out.write(_in_format(work, number or 0, form))


def _in_format(work: Work, number: int, form: str) -> str:
    match = work.match(number)
    notes = public_notes(work, match, work.players.get)
    said = [(note.turn, f"{work.players.get(note.author).name}: {note.text}") for note in notes]
    files = files_in_formats("", stored_record(work, match), said)
    known = {file.name.removeprefix("."): file for file in files}
    if form not in known:
        raise RefusedCommand(
            f"match {number} cannot be written as {form}. Its formats are: "
            f"{', '.join(known) or 'none'}"
        )
    return known[form].data.decode()


def _export_since(club: Club, since: datetime, to: Path | None, *, everything: bool) -> None:
    with (
        interruptible("Nothing was exported" if to else "The output is incomplete"),
        _written(to) as out,
    ):
        count = left_out = 0
        for record in exported(club, since, everything=everything):
            count, left_out = count + bool(record), left_out + (not record)
            if record:
                out.write(f"{record}\n")
    also = f"; left out: {_count(left_out)} of {LEFT_OUT}" if left_out else ""
    typer.echo(f"exported: {_count(count)}{also}", err=True)


@contextmanager
def _written(to: Path | None) -> Iterator[TextIO]:
    """Open standard output, or a new file that is complete or not there. Raises OSError."""
    if to is None:
        yield sys.stdout
        return
    if to.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(to))
    with scratch_folder(to.parent, to.name) as folder:
        made = folder / "export"
        with made.open("w", encoding="utf-8") as file:
            yield file
        made.rename(to)


def import_files(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Records, JSON lines of pbem archive export, or folders of both."
        ),
    ],
    rate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=MEMBER",
            help="Rate matches: NAME in the records is MEMBER here. Once for each name.",
        ),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Import records of other clubs, after a check by replay. They are shown as theirs.

    A match is rated only if each of its players is named with --rate.
    """
    done, left = Imports(), "Records are complete up to some match. Run the command again"
    with interruptible(left), errors_as_sentences(OSError), club_of(config) as club:
        members = _members(club, rate or ())
        with CommandProgress().step("replaying the records") as report:
            for problem in import_records(club, _found(files, report), done):
                typer.echo(printable(problem))
        try:
            if members:
                _rate(club, done.clubs, members)
        finally:
            _finish(club)
    for name in done.clubs:
        there = f"; there already: {done.there[name]}" if done.there[name] else ""
        typer.echo(printable(f"{name}: {_count(done.new[name])} imported{there}"))
    if done.refused or not done.clubs:
        typer.echo(f"refused: {_count(done.refused)}")
        raise typer.Exit(ExitStatus.REFUSED)


def _found(paths: Iterable[Path], report: Report) -> Iterator[FoundRecord]:
    number = 0
    for path in in_folders(paths):
        if not is_no_record(path.name):
            with path.open("rb") as file:
                for found in records_in(path.name, file):
                    number += 1
                    report(number, 0)
                    yield found


def in_folders(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield files, and the visible files of folders."""
    for path in paths:
        visible = (file for file in path.glob("*") if not file.name.startswith("."))
        yield from sorted(file for file in visible if file.is_file()) if path.is_dir() else [path]


def _members(club: Club, rate: Iterable[str]) -> list[tuple[str, Player]]:
    with reading(club) as work:
        pairs = [each.rpartition("=") for each in rate]
        if any(not (name and sign) for name, sign, _ in pairs):
            raise RefusedCommand('write --rate "NAME=MEMBER", with the name in the records first')
        return [(name.strip(), player_named(work, member.strip())) for name, _, member in pairs]


def _rate(club: Club, clubs: Sequence[str], members: Sequence[tuple[str, Player]]) -> None:
    if len(clubs) != 1:
        named = ", ".join(clubs) or "none"
        raise RefusedCommand(
            f"a name can only be rated in the records of one club. These are of: {named}. Import "
            "the records of each club separately"
        )
    with writing(club) as work:
        rate_imported(work, clubs[0], members)


def _finish(club: Club) -> None:
    """Write what has changed, as far as possible here. A running service does the rest."""
    publish_all(club.storage, club.archive, club.clock)
    rate_waiting(club)
    if club.room is not None:
        publish_room(club.storage, club.room)


@shell.reads
def imported(work: Work, as_json: JsonOption = False) -> Said:
    """List the clubs whose records are imported, and the members who are rated in them."""
    rated = work.imported.rated_names()
    items = []
    for club, count in work.imported.clubs().items():
        pairs = [(each.name, work.players.get(each.member)) for each in rated if each.club == club]
        names = ", ".join(f"{name} is {member.name}" for name, member in pairs)
        members = [{"name": n, "number": m.id, "member": m.name} for n, m in pairs]
        data = {"club": club, "records": count, "rated": members}
        items.append(ListedItem(f"{club}: {_count(count)}{names and f'; rated: {names}'}", data))
    return listed(items, "no records are imported", as_json=as_json)


def forget(
    name: Annotated[str, typer.Argument(metavar="CLUB", help="Name of the other club.")],
    config: ConfigOption = None,
) -> None:
    """Remove all imported records of a club, and what they changed in ratings."""
    with club_of(config) as club:
        count = forget_club(club, name)
        _finish(club)
    typer.echo(printable(f"{name}: {_count(count)} removed"))


def _count(number: int) -> str:
    return "1 record" if number == 1 else f"{number} records"
