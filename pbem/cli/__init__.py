"""Command line of pbem. It is thin: each command is in the module of its subject.

Importing everything takes far longer than most commands run. So only the module of the requested
command is imported. For the others, a summary is enough.
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
    """The module and function of a command, and its summary in the list of all commands."""

    module: str
    name: str
    """Name of its function, or of the Typer object of a group."""
    summary: str
    logs: bool = True
    """Whether anything in it logs. The rules of the games do not."""
    alone: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """Commands of a group that need not import the others: module and function."""


COMMANDS = {
    "init": CommandPlace(
        "new_config",
        "init",
        "Ask what options leave open, and write a commented configuration file.",
    ),
    "doctor": CommandPlace(
        "doctor",
        "doctor",
        "Check everything that the club needs, and say how to fix problems.",
    ),
    "status": CommandPlace("status", "status", "Show the club's status, queues and problems."),
    "stats": CommandPlace(
        "stats",
        "stats",
        "Show results, endings and lengths of the matches of a member, a pair or a game.",
    ),
    "upgrade": CommandPlace(
        "upgrade",
        "upgrade",
        "Upgrade the database for this version of pbem, or move the club to PostgreSQL.",
    ),
    "backup": CommandPlace(
        "backup",
        "backup",
        "Back up the running club to one file: database, configuration, access tokens.",
    ),
    "restore": CommandPlace(
        "restore",
        "restore",
        "Restore a club from a backup, never over an existing one, and hold its mail.",
    ),
    "rebuild": CommandPlace(
        "rebuild",
        "rebuild",
        "Rebuild an empty database from an archive: its finished matches and their players.",
    ),
    "serve": CommandPlace("serve", "serve", "Run the club until SIGTERM."),
    "fetch": CommandPlace(
        "fetch",
        "fetch",
        "Read the mailboxes of a club on PostgreSQL until SIGTERM, or stand by for another reader.",
    ),
    "worker": CommandPlace("worker", "worker", "Run jobs from the club's queue until SIGTERM."),
    "lmtp": CommandPlace(
        "lmtp", "lmtp", "Accept email by LMTP from the mail server of this machine, until SIGTERM."
    ),
    "poll": CommandPlace("run_once", "poll", "Read the mailbox and process its emails, once."),
    "deliver": CommandPlace("run_once", "deliver", "Send the waiting emails, once."),
    "sweep": CommandPlace(
        "run_once", "sweep", "Send due reminders and handle expired clocks, once."
    ),
    "demo": CommandPlace(
        "demo",
        "demo",
        "Run a demo: three players play a set by email, and the results are checked.",
    ),
    "completion": CommandPlace(
        "arguments",
        "completion",
        "Print the script that makes bash, zsh or fish complete pbem's commands.",
        logs=False,
    ),
    "engine": CommandPlace(
        "engine",
        "engine",
        "Play over a line protocol on standard input and output: new, legal, do, board, ...",
        logs=False,
    ),
    "games": CommandPlace(
        "games",
        "games",
        "List every game: where it comes from, its number of players and its match options.",
        logs=False,
    ),
    "member": CommandPlace(
        "people",
        "app",
        "Manage the members of the club.",
        alone={"list": ("member_list", "list_members")},
    ),
    "leave": CommandPlace(
        "leave", "leave", "Show a member's leave, take leave for them, or end it."
    ),
    "match": CommandPlace(
        "matches",
        "match_app",
        "Start, show and direct matches.",
        alone={"list": ("match_list", "list_matches")},
    ),
    "offer": CommandPlace(
        "offers", "app", "Manage challenges and open tables, which share one numbering."
    ),
    "competition": CommandPlace(
        "entering", "app", "Announce competitions that members can enter, and manage them."
    ),
    "set": CommandPlace(
        "competitions", "sets", "Manage three-person sets, which have their own numbering."
    ),
    "series": CommandPlace(
        "competitions",
        "series",
        "Manage series between two players. Series and tournaments share one numbering.",
    ),
    "tournament": CommandPlace(
        "competitions",
        "tournaments",
        "Manage round robins of two-player games. Series and tournaments share one numbering.",
    ),
    "standing": CommandPlace(
        "ratings",
        "standing",
        "Show a rating list and the advantage of each seat, or the ratings of a member.",
    ),
    "ratings": CommandPlace("ratings", "app", "Manage ratings."),
    "announce": CommandPlace(
        "directing", "announce", "Send an announcement to a match, a competition or the club."
    ),
    "pause": CommandPlace(
        "directing",
        "pause",
        "Pause the clocks of the club, a competition or a match.",
    ),
    "resume": CommandPlace("directing", "resume", "Restart the clocks after a pause."),
    "replace": CommandPlace(
        "directing",
        "replace_everywhere",
        "Replace a player in all matches of a competition: replace bert clara in set 3.",
    ),
    "log": CommandPlace(
        "directing", "log", "List the decisions of directors, with times and reasons."
    ),
    "mail": CommandPlace(
        "mail",
        "app",
        "Inspect received and waiting emails, and log in to a mailbox at Gmail or Microsoft.",
    ),
    "shunt": CommandPlace("shunt", "app", "Handle emails that were set aside after an error."),
    "archive": CommandPlace("archive", "app", "Manage the records of matches."),
}
"""Every command, in the order of the list."""


def command_line(words: Sequence[str] | None = None) -> typer.Typer:
    """Return the command line for words that name at most one command. Without words, all of it."""
    app = typer.Typer(
        cls=CommandGroup,
        help="A correspondence-game club in a box: matches by email.",
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
    """Keep Typer from turning a group of one command into that command."""


def _add_kind(app: typer.Typer, name: str) -> None:
    """Add the commands of a kind of competition without a module of its own, if this is one."""
    kind = import_module("pbem.matches.competitions").kinds().get(name)
    if kind is not None:
        app.add_typer(import_module(f"{__name__}.competitions").app_of(kind), name=name)


def _summary(place: CommandPlace) -> Callable[[], None]:
    """Return a stand-in for a command that was not requested, for the list of commands."""

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
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="Configuration file. You can also give it after the command.",
        ),
    ] = None,
) -> None:
    """Options of `pbem` itself."""


def main() -> None:
    """Run `pbem`. Only its own account can read the files it writes."""
    os.umask(0o077)
    gc.disable()  # imported modules never become garbage
    # Otherwise Python would search all imports for cycles once more, a quarter of the running time
    # of most commands.
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
    """Set up logging at the first line logged, if the requested command logs anything."""
    place = COMMANDS.get(asked)
    if place is not None and place.logs:
        set_up_by(_log_to_stderr)


def _log_to_stderr() -> None:
    from pbem.cli.logs import log_to_stderr

    log_to_stderr()


@contextmanager
def printing() -> Iterator[None]:
    """A block whose output may fail: cut off (`| head`), disk full, or in a small character set.

    The command's work is not undone. The exit status says that not all output was read.
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
    """Show a question mark for characters that the terminal lacks, for example in Latin-1."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    if sys.stdout is None:  # closed by the parent process
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
    """Discard what remains to be written, so that Python does not try again at exit."""
    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115  closed at exit
