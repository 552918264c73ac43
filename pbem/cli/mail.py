"""`pbem mail`: why a mail was read as it was."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.context import ConfigOption, club_of
from pbem.service.explain_mail import explain as explain_mail
from pbem.service.ports import StorageError

app = typer.Typer(help="Mails, as the club reads them.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps `explain` a command of its own while it is the only one."""


@app.command()
def explain(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Mails as they came (raw, .eml); - for stdin."),
    ],
    config: ConfigOption = None,
) -> None:
    """Show as JSON how a mail would be read if it came now; nothing is changed or sent.

    Of several mails, one object a line.
    """
    several, unread = len(files) > 1, 0
    with club_of(config) as club:
        for file in files:
            try:
                raw = _read(file)
            except StorageError as error:
                typer.echo(f"pbem: {error}", err=True)
                unread += 1
                continue
            shown = explain_mail(club, raw)
            if several:
                shown = {"file": str(file), **shown}
            # ASCII only: what stands in a mail must not steer a terminal.
            typer.echo(json.dumps(shown, indent=None if several else 2, default=str))
    if unread:
        raise typer.Exit(1)


def _read(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise StorageError(f"{file} cannot be read: {error.strerror}") from error
