"""`pbem archive`: records and the reading room."""

from __future__ import annotations

import mailbox
from collections.abc import Iterable, Iterator, Sequence
from errno import EADDRINUSE
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Annotated

import typer

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.site_server import LOOPBACK, site_server
from pbem.archive.files import ArchiveFile
from pbem.archive.site.rendering import CSP
from pbem.archive.verify_files import Verified, verify_files
from pbem.cli.context import ConfigOption, club_of, configured
from pbem.cli.error_messages import RefusedCommand, errors_as_sentences
from pbem.cli.exchange import attach, in_folders
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.group import group
from pbem.cli.interruption import interruptible
from pbem.cli.listing import printable
from pbem.cli.progress import CommandProgress
from pbem.ports.progress import Report, tracked
from pbem.service.club import Club
from pbem.service.rating import rate_waiting
from pbem.service.reading_room.publish import RoomPublished, publish_room
from pbem.service.records.audit import Audit, audit
from pbem.service.records.publish import Published, publish_again
from pbem.service.records.verify import verify_all, without_rules

app = group("Manage the records of matches.")

PORT = 8765
LONGEST_S = 120
PAUSE_S = 0.2
INCOMPLETE = "Every file is complete, but some are missing or outdated. Run the command again"
UNCHECKED = "Not everything was checked"


@app.command()
def publish(
    all_: Annotated[
        bool, typer.Option("--all", help="Write every file, even those that are up to date.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Write missing and outdated files and pages of the archive, and rate matches.

    Without --all, it writes only pages that are marked as outdated.
    """
    shown = CommandProgress()
    with interruptible(INCOMPLETE), club_of(config) as club:
        with shown.step("writing the archive") as report:
            done = publish_again(club.storage, club.archive, club.clock, report, everything=all_)
            rate_waiting(club)
        _say(done, everything=all_)
        problems = [*done.problems, *publish_site(club, shown, everything=all_)]
    _end(problems)


def _say(done: Published, *, everything: bool) -> None:
    for name in done.different:
        typer.echo(f"{name} has changed")
    written = len(done.missing) + len(done.different) + (len(done.again) if everything else 0)
    right = "" if everything else f", {len(done.again)} up to date"
    typer.echo(f"{written} written{right}")


def publish_site(club: Club, shown: CommandProgress, *, everything: bool) -> Sequence[str]:
    """Write the pages of a club and report it. Return the problems."""
    if club.room is None:
        return ()
    with shown.step("writing the reading room") as report:
        write = partial(publish_room, club.storage, club.room, report=report, everything=everything)
        done, until = write(), monotonic() + LONGEST_S
        while done.busy and monotonic() < until:
            sleep(PAUSE_S)
            done = write()
    if done.busy:
        return [
            f"The service is still writing the reading room after {LONGEST_S} s. Try again later."
        ]
    typer.echo(f"reading room: {_pages_in_words(done)}")
    return done.problems


def _pages_in_words(done: RoomPublished) -> str:
    removed = f", {done.removed} removed" if done.removed else ""
    return f"{done.written} written, {done.right} up to date{removed}"


@app.command("serve")
def serve_site(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on this machine. 0 picks a free one.")
    ] = PORT,
    config: ConfigOption = None,
) -> None:
    """Show the reading room in a browser on this machine, until Ctrl-C."""
    with errors_as_sentences(OSError):
        folder = configured(config).site_dir
        if not (folder / "index.html").is_file():
            raise RefusedCommand(f"{folder} has no pages yet. Write them with pbem archive publish")
        try:
            _serve(folder, port)
        except OSError as error:
            if error.errno != EADDRINUSE:
                raise
            raise RefusedCommand(
                f"port {port} is in use. Choose another with --port, or 0 for a free one"
            ) from error


def _serve(folder: Path, port: int) -> None:
    with site_server(folder, port, CSP) as server:
        typer.echo(f"http://{LOOPBACK}:{server.server_port}/ shows {folder}. Stop with Ctrl-C")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("")


@app.command()
def verify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Files of records. Default: the club's own archive."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Replay every match, recompute its heads, and compare both with its record.

    With FILE, it needs no club and no database. Files of other programs, such as PGN, are replayed.
    """
    if files:
        _verify_files(files)
        return
    with (
        interruptible(UNCHECKED),
        club_of(config) as club,
        CommandProgress().step("replaying the matches") as report,
    ):
        problems = list(verify_all(club.storage, club.archive, report))
        with club.storage.reading() as uow:
            left_out = without_rules(uow)
    _end(problems)
    if left_out:
        matches = _count(len(left_out), "match", "matches")
        games = ", ".join(sorted({match.game_key for match in left_out}))
        typer.echo(f"not replayed: {matches} of games that are not installed ({games})")
        typer.echo("every other match can be replayed, and every other record agrees")
        return
    typer.echo("every match can be replayed, and every record agrees")


def _verify_files(paths: Iterable[Path]) -> None:
    with (
        errors_as_sentences(OSError),
        interruptible(UNCHECKED),
        CommandProgress().step("replaying the records") as report,
    ):
        files = tracked(list(in_folders(paths)), report)
        verified = verify_files(ArchiveFile(path.name, path.read_bytes()) for path in files)
    _end(verified.problems)
    typer.echo(_in_words(verified))


def _in_words(verified: Verified) -> str:
    count, skipped = len(verified.records), len(verified.skipped)
    agree = "1 record agrees" if count == 1 else f"{count} records agree"
    others = f"; skipped: {_count(skipped, 'other file')}" if skipped else ""
    return f"{agree} with the rules and its heads{others}"


@app.command("audit")
def audit_mails(
    mails: Annotated[
        list[Path],
        typer.Argument(metavar="MBOX|MAILDIR|EML", help="Where a player keeps the club's emails."),
    ],
    archive: Annotated[
        Path | None, typer.Option(help="Folder of the archive. Default: the club's own.")
    ] = None,
    club: Annotated[
        list[str] | None,
        typer.Option(help="An address of the club, if there are emails from several clubs."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Compare the heads in a player's emails with the archive, to see if history was rewritten."""
    with (
        errors_as_sentences(OSError),
        interruptible(UNCHECKED),
        CommandProgress().step("reading the emails") as report,
    ):
        folder = archive or configured(config).archive_dir
        if not folder.is_dir():
            raise RefusedCommand(
                f"{folder} does not exist. Choose the folder of the archive with --archive"
            )
        raw = (each for path in mails for each in mails_in(path))
        found = audit(_counted(raw, report), FileArchive(folder), tuple(club or ()))
    for line in _notes(found):
        typer.echo(line)
    _end(found.problems)
    if not found.compared:
        typer.echo("nothing was compared")
        raise typer.Exit(ExitStatus.REFUSED)
    typer.echo("all agree with the archive")


attach(app)


def _counted(mails: Iterable[bytes], report: Report) -> Iterator[bytes]:
    for number, mail in enumerate(mails, start=1):
        report(number, 0)
        yield mail


def _notes(found: Audit) -> Iterator[str]:
    mails, matches = _count(found.compared, "mail"), _count(found.matches, "match", "matches")
    yield f"compared: {mails} of {matches}"
    if found.foreign:
        yield f"not about a match of this club: {_count(found.foreign, 'mail')}"
    if found.without:
        yield f"without a head, written before heads existed: {_count(found.without, 'mail')}"
    for match_id, count in sorted(found.unknown.items()):
        yield (
            f"not compared: {_count(count, 'mail')} of match {match_id}; the archive has no record "
            "of it (it may still be in play)"
        )


def _end(problems: Iterable[str]) -> None:
    """Print problems and exit with their status, if there are any."""
    found = list(problems)
    for problem in found:
        typer.echo(printable(problem))
    if found:
        raise typer.Exit(ExitStatus.REFUSED)


def _count(number: int, what: str, many: str = "") -> str:
    return f"1 {what}" if number == 1 else f"{number} {many or f'{what}s'}"


def mails_in(path: Path) -> Iterator[bytes]:
    """Yield the emails of an mbox, a Maildir with its folders, a folder of .eml files, or a file.

    Changes nothing. Raises OSError that names the path.
    """
    if path.is_dir():
        for each in _files_of_folder(path):
            yield each.read_bytes()
        return
    with path.open("rb") as file:
        is_mbox = file.read(5) == b"From "
    if is_mbox:
        box = mailbox.mbox(path, create=False)
        try:
            for key in box.iterkeys():
                yield box.get_bytes(key)
        finally:
            box.close()
    else:
        yield path.read_bytes()


def _files_of_folder(path: Path) -> Iterator[Path]:
    """Return the files of a Maildir (emails in `cur` and `new`, folders as `.Name`: Maildir++)."""
    homes = [home for home in (path, *sorted(path.glob(".*"))) if (home / "cur").is_dir()]
    if not homes:
        yield from sorted(path.glob("*.eml"))
    for home in homes:
        for part in ("cur", "new"):
            yield from sorted(file for file in (home / part).glob("*") if file.is_file())
