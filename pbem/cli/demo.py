"""`pbem demo`: three players play a whole set by email on this machine."""

from __future__ import annotations

import signal
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.error_messages import errors_as_sentences
from pbem.cli.exit_statuses import ExitStatus
from pbem.extras.demo.run import Demonstration
from pbem.extras.demo.time_limit import DemoFailed
from pbem.extras.embedded.club import require_embedded_servers

SEED = "447"
"""With this seed, every player meets a capture whose notation can be ambiguous."""
SECONDS = 300.0
LOG_LINES = 20

AGREES = """\
Everything agrees: records, cross-table, counts of emails.
In email programs that show HTML, players see coloured boards and tap links to move.
The reading room shows boards as pictures, and every match can be replayed there."""


def demo(
    seed: Annotated[
        str,
        typer.Option(help="Seed of the random moves. Another seed gives another set of matches."),
    ] = SEED,
    folder: Annotated[
        Path | None,
        typer.Option(help="A new folder for the club's files. Default: a temporary one."),
    ] = None,
    seconds: Annotated[
        float, typer.Option(help="Fail if it takes longer than this many seconds.")
    ] = SECONDS,
) -> None:
    """Run a demo: three players play a set by email, and the results are checked."""
    with errors_as_sentences():
        require_embedded_servers()
    # If it is ended from outside, it ends its processes too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    kept = _kept_in(folder)
    demonstration = Demonstration(kept, seed, seconds, sys.stdout)
    try:
        found = demonstration.run()
    except DemoFailed as error:
        typer.echo(f"\npbem demo: {error}", err=True)
        _show_log(demonstration.club.printed)
        typer.echo(f"Its files are in {kept}", err=True)
        raise typer.Exit(ExitStatus.REFUSED) from error
    except KeyboardInterrupt:
        typer.echo("\npbem demo: interrupted", err=True)
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
    for difference in found:
        typer.echo(f"DIFFERS: {difference}", err=True)
    if found:
        raise typer.Exit(ExitStatus.REFUSED)
    typer.echo(AGREES)
    typer.echo(f"Reading room, to open in a browser: {demonstration.club.reading_room}")


def _kept_in(folder: Path | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        typer.echo(f"pbem demo: cannot create {folder}: {error.strerror}", err=True)
        raise typer.Exit(ExitStatus.REFUSED) from error
    return folder.absolute()


def _show_log(printed: str) -> None:
    typer.echo("The last lines of the club's log:", err=True)
    for line in printed.splitlines()[-LOG_LINES:]:
        typer.echo(f"  {line}", err=True)
