"""Command line of pbem: thin, each command in the module of its subject."""

from __future__ import annotations

import sys

import typer

from pbem.cli import (
    archive,
    contests,
    demo,
    doctor,
    events,
    init,
    mail,
    people,
    serve,
    shunt,
    steps,
)
from pbem.cli.engine import serve as serve_engine
from pbem.cli.logs import log_to_stderr

app = typer.Typer(
    help="A correspondence club in a box: matches by e-mail.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(init.init)
app.command()(doctor.doctor)
app.command()(serve.serve)
app.command()(steps.poll)
app.command()(steps.deliver)
app.command()(steps.sweep)
app.command()(demo.demo)
app.add_typer(people.app, name="player")
app.add_typer(contests.matches, name="match")
app.add_typer(contests.sets, name="set")
app.add_typer(events.series, name="series")
app.add_typer(events.tournaments, name="tournament")
app.add_typer(mail.app, name="mail")
app.add_typer(shunt.app, name="shunt")
app.add_typer(archive.app, name="archive")


@app.command()
def engine() -> None:
    """Play by a line protocol on standard input and output: new, legal, do, board, ..."""
    serve_engine(sys.stdin, sys.stdout)


def main() -> None:
    """Entry point of `pbem`."""
    log_to_stderr()
    app()
