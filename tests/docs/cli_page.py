"""Generate the page about the command line from typer's help. `make docs` writes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from pbem.cli import command_line
from pbem.cli.declared import help_pages

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
HEAD = """\
# Command line

For operators: every command of the program. `make docs` generates this page from the
output of `pbem COMMAND --help`.

- Every command accepts `--config FILE` and `--help`. Commands that list or show something accept
  `--json`. These options are not repeated below.
- [contracts.md](contracts.md) has the [exit statuses](contracts.md#exit-statuses) and the
  [keys of `--json`](contracts.md#--json).
- `make man` writes the manual page pbem(1) and the completion for bash, zsh and fish into `build/`.

| command | effect |
|---|---|
"""
COMMON = ("--config", "--help", "--json")
"""Options that the page explains only once."""


def page() -> str:
    """Return the whole page."""
    pages = help_pages(command_line())
    commands = {words: shown for words, shown in pages.items() if "Commands" not in shown["lists"]}
    rows = [f"| {_link(words)} | {_cell(_summary(commands[words]))} |\n" for words in commands]
    return "".join([HEAD, *rows, *(_section(*each) for each in commands.items())])


def command_names() -> set[str]:
    """Return the first words of all commands that are not hidden."""
    group = typer.main.get_command(command_line())
    assert hasattr(group, "commands")
    return {name for name, command in group.commands.items() if not command.hidden}


def _link(words: str) -> str:
    return f"[`pbem {words}`](#pbem-{words.replace(' ', '-')})"


def _summary(shown: Mapping[str, Any]) -> str:
    return str(shown["help"]).partition("\n\n")[0].replace("\n", " ")


def _section(words: str, shown: Mapping[str, Any]) -> str:
    options = list(_terms(shown, "Options"))
    usage = shown["usage"].replace("{", "").replace("}", "")
    typed = f"    pbem {words} {usage if options else usage.replace('[OPTIONS]', '').lstrip()}"
    lines = ["", f"## `pbem {words}`", "", typed.rstrip(), "", shown["help"], ""]
    terms = [*_terms(shown, "Arguments"), *options]
    return "\n".join([*lines, *terms, ""] if terms else lines)


def _terms(shown: Mapping[str, Any], title: str) -> Iterator[str]:
    for term, text in _kept(shown["lists"].get(title, ())):
        name = term.partition(" ")[0] if title == "Arguments" else term
        yield f"- `{name}`: {' '.join(text.split())}"


def _kept(rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    for term, text in rows:
        if not term.startswith(COMMON):
            yield term, text


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
