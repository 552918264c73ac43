"""Test the list of commands: it shows each command's own summary without importing it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pbem.cli import COMMANDS, command_line
from pbem.cli.declared import FILE, help_pages, print_help

HEAVY = ("sqlalchemy", "structlog", "jinja2", "pydantic_settings", "imapclient", "aiosmtpd", "rich")
"""Modules that only commands that open a club need."""
UNUSED_BY_LISTS = (
    "alembic",
    "jinja2",
    "icalendar",
    "imapclient",
    "urllib3",
    "lxml",
    "markdown_it",
    "structlog",
)


def test_list_shows_each_commands_own_summary() -> None:
    whole = typer.main.get_command(command_line())
    listed = typer.main.get_command(command_line([]))
    assert hasattr(whole, "commands")
    assert hasattr(listed, "commands")
    of_itself = {name: whole.commands[name].help for name in COMMANDS}
    assert {name: listed.commands[name].help for name in COMMANDS} == of_itself


@pytest.mark.parametrize("words", ([], ["member"], ["match"], ["mail"], ["archive"]))
def test_list_cuts_no_sentence_off(words: list[str]) -> None:
    shown = CliRunner().invoke(command_line(words), [*words, "--help"]).output
    assert "Commands:" in shown
    assert not re.search(r"\w,?\.\.\.$", shown, re.MULTILINE), shown


def test_stored_help_matches_the_commands() -> None:
    assert json.loads(FILE.read_text("utf-8")) == json.loads(
        json.dumps(help_pages(command_line()))
    ), "run make docs"


@pytest.mark.parametrize("path", ("match", "member add", "serve", "archive audit"))
def test_stored_help_looks_like_the_commands_own_help(
    path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    words = [*path.split(), "--help"]
    command_line(words)(words, prog_name="pbem", standalone_mode=False)
    its_own = capsys.readouterr().out
    assert print_help(words, command_line([]))
    assert capsys.readouterr().out == its_own


def test_version_option_prints_installed_version() -> None:
    shown = CliRunner().invoke(command_line(["--version"]), ["--version"])
    assert shown.output == f"pbem {metadata.version('pbem')}\n"


@pytest.mark.servers
@pytest.mark.parametrize(
    "words", ("--help", "--version", "engine", "no-such-command", "match --help", "serve --help")
)
def test_light_commands_import_nothing_heavy(words: str) -> None:
    program = (
        "import sys; from pbem.cli import main\n"
        f"sys.argv = ['pbem', *{words.split()!r}]\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print('imported:', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], input="", capture_output=True, text=True, check=True
    )
    assert re.search(r"^imported:$", ran.stdout, re.MULTILINE), ran.stdout


@pytest.mark.servers
@pytest.mark.parametrize("command", ("match list", "member list", "status --json"))
def test_lists_import_no_templates_and_no_mail_servers(command: str, club_folder: Path) -> None:
    assert CliRunner().invoke(command_line(["init"]), ["init", "--defaults"]).exit_code == 0
    pbem = [sys.executable, "-X", "importtime", "-m", "pbem"]
    ran = subprocess.run([*pbem, *command.split()], cwd=club_folder, capture_output=True, text=True)
    imported = set(re.findall(r"\| +(\S+)$", ran.stderr, re.MULTILINE))
    assert "sqlalchemy" in imported
    assert not imported.intersection(UNUSED_BY_LISTS)


def test_misspelt_command_suggests_nearest() -> None:
    refused = CliRunner().invoke(command_line(["macth"]), ["macth"])
    assert refused.exit_code == 2
    assert "match" in refused.stderr


def test_configuration_option_works_before_the_command(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    listed = ""
    for words in (
        ("init", str(path), "--defaults"),
        ("--config", str(path), "member", "add", "Anna", "anna@mail.example"),
        (f"--config={path}", "member", "show", "Anna"),
        ("--config", "nowhere.toml", "member", "list", "--config", str(path)),
    ):
        told = CliRunner().invoke(command_line(words), list(words))
        assert told.exit_code == 0, told.output
        listed = told.stdout
    assert "Anna" in listed
