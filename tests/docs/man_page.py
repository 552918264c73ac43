"""Generate the manual page pbem(1) from the declarations of the commands. `make man` writes it.

It is written in man(7), the language that every man program reads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import typer

from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus

COMMON = ("config", "json")
"""Parameter names of the options that the page explains only once."""
WIDTH = 70
"""The longest line of the source, before hyphens are marked."""
HEAD = """\
.TH PBEM 1 {date} "pbem {version}" "User Commands"
.nh
.ad l
.SH NAME
pbem \\- a correspondence club in a box: matches by email
.SH SYNOPSIS
.B pbem
.RB [ \\-\\-config
.IR FILE ]
.I COMMAND
.RI [ ARGUMENTS ]
.SH DESCRIPTION
.B pbem
runs a club whose members play board games by email.
It reads the moves they send, checks them against the rules, and emails the
next player the board.
.B pbem init
asks a few questions and writes a configuration,
.B pbem doctor
checks it,
.B pbem serve
runs the club.
Most other commands work while the club is running.
Those that don't, such as
.B pbem restore
or
.BR "pbem upgrade" ,
refuse.
.SH OPTIONS
.TP
.BI \\-\\-config " FILE"
The configuration file.
Give it before or after the command.
.TP
.B \\-\\-json
For commands that list or show something: print JSON, for programs.
Keys stay the same.
Times are in UTC, as in 2026\\-11\\-21T18:30:00Z.
.TP
.B \\-\\-help
Show what a command does, and its options.
.TP
.B \\-\\-version
Show the version.
"""
TAIL = """\
.SH ENVIRONMENT
.TP
.B PBEM_CONFIG
The configuration file, unless
.B \\-\\-config
names one.
.TP
.BI PBEM_ SECTION __ KEY
A setting, which overrides the one in the configuration file:
.B PBEM_IMAP__PASSWORD
is
.B password
in
.BR [imap] .
.TP
.B NO_COLOR
If it is set, the output has no colours.
.SH COMPLETION
To complete commands for one account, write the output of
.B pbem completion
to
.I ~/.local/share/bash\\-completion/completions/pbem
for bash, to
.I ~/.config/fish/completions/pbem.fish
for fish, or for zsh to a file
.I _pbem
in a folder of its
.BR fpath .
It also completes names of members and numbers of matches, for a club on
SQLite whose configuration is found.
.SH FILES
.TP
.I ./pbem.toml
The configuration, unless
.B \\-\\-config
or
.B PBEM_CONFIG
names another.
.TP
.I $XDG_CONFIG_HOME/pbem/pbem.toml
The configuration, if there is no other.
The default of
.B XDG_CONFIG_HOME
is
.I ~/.config
"""


class Entry(NamedTuple):
    """A command and the words that call it."""

    words: Sequence[str]
    command: Any
    context: typer.Context


def page(date: str) -> str:
    """Return the whole page, dated for example 2026-11-21."""
    parts = [
        HEAD.format(date=date, version=roff(metadata.version("pbem"))),
        ".SH COMMANDS\n",
        *(_command(each) for each in entries()),
        ".SH EXIT STATUS\n",
        *(_item(f".B {int(each)}", each.meaning) for each in ExitStatus),
        TAIL,
    ]
    return "".join(parts)


def entries() -> Iterator[Entry]:
    """Yield every visible command, in the order of the list."""
    yield from _below(typer.main.get_command(command_line()), ["pbem"], None)


def _below(command: Any, words: list[str], parent: typer.Context | None) -> Iterator[Entry]:
    context = command.make_context(words[-1], [], parent=parent, resilient_parsing=True)
    if not hasattr(command, "commands"):
        yield Entry(words[1:], command, context)
        return
    for name, each in command.commands.items():
        if not each.hidden:
            yield from _below(each, [*words, name], context)


def _command(entry: Entry) -> str:
    arguments, options = _parameters(entry)
    synopsis = " ".join([f"\\fB{roff(' '.join(entry.words))}\\fR", *map(_argument, arguments)])
    summary = "\n".join(line for line in entry.command.help.splitlines() if line)
    described = [
        _item(_name(each), text)
        for each in (*arguments, *options)
        if (text := _help(each, entry.context))
    ]
    return f".TP\n{synopsis}\n{roff(summary)}\n" + _indented(described)


def _parameters(entry: Entry) -> tuple[list[Any], list[Any]]:
    """Return the arguments, and the options except the common ones."""
    told = [each for each in entry.command.params if not getattr(each, "hidden", False)]
    arguments = [each for each in told if each.param_type_name == "argument"]
    options = [each for each in told if each.param_type_name == "option"]
    return arguments, [each for each in options if not _common(each)]


def _common(option: Any) -> bool:
    return option.name == "help" or any(f"--{name}" in option.opts for name in COMMON)


def _argument(argument: Any) -> str:
    name = f"\\fI{roff(_placeholder(argument))}\\fR"
    many = "..." if argument.nargs != 1 else ""
    return f"{name}{many}" if argument.required else f"[{name}]{many}"


def _placeholder(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _name(parameter: Any) -> str:
    """Return an argument's name, or an option's with its value."""
    if parameter.param_type_name == "argument":
        return f".I {roff(_placeholder(parameter))}"
    name = roff(parameter.opts[0])
    return f".B {name}" if parameter.is_flag else f'.BI {name} " {roff(_taken(parameter))}"'


def _taken(option: Any) -> str:
    """Return an option's value: its choices or a placeholder."""
    choices = option.type_descriptor.choices
    if option.metavar is None and choices:
        return "|".join(str(each.value) for each in choices)
    return str(option.metavar or option.opts[0].lstrip("-").upper())


def _help(parameter: Any, context: typer.Context) -> str:
    """Return the help of a parameter, with its default."""
    record = parameter.get_help_record(context)
    return "" if record is None else str(record[1]).replace("[required]", "").strip()


def _item(name: str, text: str) -> str:
    return f".TP\n{name}\n{roff(text)}\n"


def _indented(items: Sequence[str]) -> str:
    return "".join([".RS\n", *items, ".RE\n"]) if items else ""


def roff(text: str) -> str:
    """Escape text so that no part of it is a request or an escape sequence."""
    lines = (line for each in text.split("\n") for line in wrap(each, WIDTH))
    plain = (line.replace("\\", "\\e").replace("-", "\\-") for line in lines)
    return "\n".join(f"\\&{line}" if line[:1] in (".", "'") else line for line in plain)


def date_of_build() -> str:
    """Return today, or the date of SOURCE_DATE_EPOCH (reproducible-builds.org)."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    at = datetime.fromtimestamp(int(told), UTC) if told else datetime.now(UTC)
    return f"{at:%Y-%m-%d}"


if __name__ == "__main__":
    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[1]).write_text(page(date_of_build()), "utf-8")
