"""The help of every command, read from declared.json without importing any command.

`make docs` writes the file from the commands, and a test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any

import typer

FILE = Path(__file__).with_name("declared.json")
LONGEST = 500
"""Maximum number of characters of a sentence in a list."""

HelpPages = Mapping[str, Mapping[str, Any]]
"""For the words of each command: its usage, its help, and its lists of terms by title."""


def print_help(words: Sequence[str], app: typer.Typer) -> bool:
    """Print the help that these words ask for. Return whether it was found.

    It is not found for the list of all commands, after an option, or for a kind of competition
    that is installed separately from pbem. Then the command itself answers.
    """
    if words[-1:] != ["--help"]:
        return False
    page = json.loads(FILE.read_text("utf-8")).get(" ".join(words[:-1]))
    if page is None:
        return False
    formatter = typer.Context(typer.main.get_command(app)).make_formatter()
    formatter.write_usage(" ".join(["pbem", *words[:-1]]), page["usage"])
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(page["help"])
    for title, rows in page["lists"].items():
        with formatter.section(title):
            formatter.write_dl([(term, said) for term, said in rows])
    typer.echo(formatter.getvalue().rstrip("\n"))
    return True


def write_pages() -> None:
    """Write the file again."""
    pages = help_pages(import_module("pbem.cli").command_line())
    FILE.write_text(f"{json.dumps(pages, indent=1, ensure_ascii=False)}\n", "utf-8")


def help_pages(app: typer.Typer) -> HelpPages:
    """Return the help pages of a command line, from the commands themselves."""
    return dict(_pages(typer.main.get_command(app), [], None))


def _pages(command: Any, path: list[str], parent: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    context = typer.Context(command, info_name=path[-1] if path else "pbem", parent=parent)
    records = [
        (each.param_type_name, each.get_help_record(context))
        for each in command.get_params(context)
    ]
    within = getattr(command, "commands", {})
    lists = {
        "Arguments": [found for kind, found in records if found and kind == "argument"],
        "Options": [found for kind, found in records if found and kind == "option"],
        "Commands": [
            (name, each.get_short_help_str(LONGEST))
            for name, each in within.items()
            if not each.hidden
        ],
    }
    if path:
        yield (
            " ".join(path),
            {
                "usage": " ".join(command.collect_usage_pieces(context)),
                "help": cleandoc(command.help or "").partition("\f")[0],
                "lists": {title: rows for title, rows in lists.items() if rows},
            },
        )
    for name, each in within.items():
        yield from _pages(each, [*path, name], context)


if __name__ == "__main__":
    write_pages()
