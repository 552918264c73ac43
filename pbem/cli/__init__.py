"""Command line of pbem: thin, each command in the module of its subject.

To import everything takes far longer than most commands run, so only the module of the command that
is asked for is imported; of the others a summary is enough.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from errno import ENOSPC
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple, NoReturn

import typer

from pbem.cli import arguments
from pbem.cli.declared import print_help
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.group import CommandGroup, asked_command, asked_commands, group
from pbem.log import set_up_by


class CommandPlace(NamedTuple):
    """Where a command is, and what it says of itself in the list of all."""

    module: str
    name: str
    """Of its function, or of the Typer object of a group."""
    summary: str
    logs: bool = True
    """Whether anything in it logs; the rules of the games do not."""
    alone: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """Commands of a group that need not import the others: their module and function."""


COMMANDS = {
    "init": CommandPlace(
        "new_config", "init", "Ask for what is needed and write a commented configuration."
    ),
    "doctor": CommandPlace(
        "doctor",
        "doctor",
        "Check all that the club needs, and say what to do.",
    ),
    "status": CommandPlace(
        "status", "status", "Show how the club stands: what waits, what goes on, and what is wrong."
    ),
    "upgrade": CommandPlace(
        "upgrade",
        "upgrade",
        "Bring the database to the schema of this pbem, or move the club to PostgreSQL.",
    ),
    "backup": CommandPlace(
        "backup",
        "backup",
        "Write the club into one file while it runs: database, configuration, access tokens.",
    ),
    "restore": CommandPlace(
        "restore",
        "restore",
        "Put a club back from a backup, where there is none, and hold its mail.",
    ),
    "rebuild": CommandPlace(
        "rebuild",
        "rebuild",
        "Put the ended matches of an archive, with their players, into an empty database.",
    ),
    "serve": CommandPlace("serve", "serve", "Run the club until SIGTERM."),
    "fetch": CommandPlace(
        "fetch",
        "fetch",
        "Read the mailboxes of a club on PostgreSQL until SIGTERM, or stand by while another does.",
    ),
    "worker": CommandPlace(
        "worker", "worker", "Do the jobs of a club that has a queue, until SIGTERM."
    ),
    "lmtp": CommandPlace(
        "lmtp", "lmtp", "Take mail from the mail server of this machine by LMTP, until SIGTERM."
    ),
    "poll": CommandPlace("run_once", "poll", "Read the mailbox once, and carry out what is in it."),
    "deliver": CommandPlace("run_once", "deliver", "Send the mails that wait, once."),
    "sweep": CommandPlace("run_once", "sweep", "See to reminders and fallen flags, once."),
    "demo": CommandPlace(
        "demo",
        "demo",
        "Show a club at work: three players play a set by mail; then everything is compared.",
    ),
    "completion": CommandPlace(
        "arguments",
        "completion",
        "Print what lets bash, zsh or fish complete the commands of pbem.",
        logs=False,
    ),
    "engine": CommandPlace(
        "engine",
        "engine",
        "Play by a line protocol on standard input and output: new, legal, do, board, ...",
        logs=False,
    ),
    "games": CommandPlace(
        "games",
        "games",
        "List every game with its players and the options of a match.",
        logs=False,
    ),
    "member": CommandPlace(
        "people",
        "app",
        "The people of the club.",
        alone={"list": ("member_list", "list_members")},
    ),
    "leave": CommandPlace(
        "leave", "leave", "Show the leave of a member; take some for them, or end it."
    ),
    "match": CommandPlace(
        "matches",
        "match_app",
        "Matches. They are numbered by themselves.",
        alone={"list": ("match_list", "list_matches")},
    ),
    "offer": CommandPlace(
        "offers", "app", "Challenges and open tables. They are numbered together."
    ),
    "set": CommandPlace(
        "competitions", "sets", "Three-person sets. They have numbers of their own."
    ),
    "series": CommandPlace(
        "competitions",
        "series",
        "Series of games between two players. Series and tournaments are numbered together.",
    ),
    "tournament": CommandPlace(
        "competitions",
        "tournaments",
        "Round robins of two-player games. Series and tournaments are numbered together.",
    ),
    "announce": CommandPlace(
        "directing", "announce", "Tell a match, a competition or the club something."
    ),
    "pause": CommandPlace(
        "directing",
        "pause",
        "Charge no time in the club, a competition or a match, from now on.",
    ),
    "resume": CommandPlace("directing", "resume", "Charge time there again."),
    "log": CommandPlace("directing", "log", "List what directors did, when and why."),
    "mail": CommandPlace(
        "mail", "app", "Mails that came, how the club reads them, and mails that wait to go."
    ),
    "shunt": CommandPlace("shunt", "app", "Mails that were set aside after an error."),
    "archive": CommandPlace("archive", "app", "Records of matches."),
}
"""Every command, in the order in which they are listed."""


def command_line(words: Sequence[str] | None = None) -> typer.Typer:
    """The command line for some words, which name one command or none; without words, all of it."""
    app = typer.Typer(
        cls=CommandGroup,
        help="A correspondence club in a box: matches by e-mail.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # boxes and colours take longer to import than most commands to run
    )
    app.callback()(_options)
    asked, within = ("", "") if words is None else asked_commands(words)
    for name, place in COMMANDS.items():
        if words is None or name == asked:
            _add(app, name, place, within)
        else:
            app.command(name)(_summary(place))
    if asked and asked not in COMMANDS:
        _add_kind(app, asked)
    return app


def _add(app: typer.Typer, name: str, place: CommandPlace, within: str) -> None:
    if within in place.alone:
        module, function = place.alone[within]
        only = group(place.summary)
        only.callback()(_of_many)
        only.command(within)(getattr(import_module(f"{__name__}.{module}"), function))
        app.add_typer(only, name=name)
        return
    found = getattr(import_module(f"{__name__}.{place.module}"), place.name)
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name)
    else:
        app.command(name)(found)


def _of_many() -> None:
    """Keeps Typer from taking a group of one command for that command."""


def _add_kind(app: typer.Typer, name: str) -> None:
    """The commands of a kind of competition that has none made for it, if the name is of one."""
    kind = import_module("pbem.matches.competitions").kinds().get(name)
    if kind is not None:
        app.add_typer(import_module(f"{__name__}.competitions").app_of(kind), name=name)


def _summary(place: CommandPlace) -> Callable[[], None]:
    """Stands in the list of commands for one that was not asked for."""

    def listed() -> None:
        pass

    listed.__doc__ = place.summary
    return listed


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        typer.echo(f"pbem {metadata.version('pbem')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and end.", callback=_print_version, is_eager=True
        ),
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Configuration file; or behind the command."),
    ] = None,
) -> None:
    """Options of `pbem` itself."""


def main() -> None:
    """Entry point of `pbem`. Whatever it writes is for its own account alone."""
    os.umask(0o077)
    gc.disable()  # nothing that is imported becomes garbage
    # Python would look for cycles in all that was imported once more: a quarter of what most
    # commands cost.
    atexit.register(gc.freeze)
    with printing():
        typed_before = arguments.typed()
        if typed_before is not None:
            arguments.prepare()
            command_line(typed_before)()
        words = sys.argv[1:]
        if print_help(words, command_line([])):
            return
        _log_for(asked_command(words))
        app = command_line(words)
        gc.freeze()
        gc.enable()
        app()


def _log_for(asked: str) -> None:
    """Has the logs set up with their first line, if the command that is asked for has any."""
    place = COMMANDS.get(asked)
    if place is not None and place.logs:
        set_up_by(_log_to_stderr)


def _log_to_stderr() -> None:
    from pbem.cli.logs import log_to_stderr

    log_to_stderr()


@contextmanager
def printing() -> Iterator[None]:
    """A block whose output may be cut off (`| head`), on a full disk, or of few characters.

    What was done is done all the same; the exit status tells that not all of it was read.
    """
    _replace_what_cannot_be_written()
    try:
        yield
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            _turn_away()
            sys.exit(ExitStatus.NOBODY_READS)
        _flush()
        raise
    except OSError as error:
        if error.errno != ENOSPC:
            raise
        _nowhere_to_write(error)
    _flush()


def _replace_what_cannot_be_written() -> None:
    """A terminal of Latin-1 shows a question mark in place of what it does not have."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    if sys.stdout is None:  # closed by who started us
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _turn_away()
        sys.exit(ExitStatus.NOBODY_READS)
    except OSError as error:
        _nowhere_to_write(error)


def _nowhere_to_write(error: OSError) -> NoReturn:
    _turn_away()
    sys.stderr.write(f"pbem: {error.strerror}\n")
    sys.exit(ExitStatus.REFUSED)


def _turn_away() -> None:
    """Lets what is still to be written go nowhere, so that the end of Python does not try again."""
    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115  it ends with the process
