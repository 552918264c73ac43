"""Test `pbem mail explain` and `pbem member proof`."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.cli.exit_statuses import ExitStatus
from tests.cli.test_commands import Shell, with_players

MAIL = b"From: Anna <anna@mail.example>\nSubject: hi \xe2\x80\xae\x1b[2J\n\nhelp\n"


@pytest.fixture
def shell(club_folder: Path) -> Shell:
    shell = Shell(club_folder)
    assert shell("init", "--defaults").exit_code == 0
    with_players(shell, "Anna")
    return shell


def test_explain_prints_json_that_cannot_steer_a_terminal(shell: Shell) -> None:
    (shell.folder / "mail.eml").write_bytes(MAIL)
    result = shell("mail", "explain", "mail.eml")
    assert (result.exit_code, result.stdout.isascii(), "\x1b" in result.stdout) == (0, True, False)
    shown = json.loads(result.stdout)
    assert (shown["sender"]["player"], shown["commands"], shown["fate"]) == (
        "Anna",
        ["help"],
        "done",
    )


def test_explain_of_a_missing_file_is_refused(shell: Shell) -> None:
    result = shell("mail", "explain", "nothing.eml")
    assert result.exit_code == 1
    assert result.stderr.startswith("pbem: cannot read nothing.eml")


def test_explain_prints_a_line_for_each_readable_file(shell: Shell) -> None:
    for name, word in (("a.eml", b"help"), ("b.eml", b"rules")):
        (shell.folder / name).write_bytes(MAIL.replace(b"help", word))
    result = shell("mail", "explain", "b.eml", "nothing.eml", "a.eml")
    shown = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(each["file"], each["commands"]) for each in shown] == [
        ("b.eml", ["rules"]),
        ("a.eml", ["help"]),
    ]
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "pbem: cannot read nothing.eml: No such file or directory"
    ]
    assert result.stdout.isascii()


def test_explain_does_not_wait_for_a_writer(shell: Shell) -> None:
    (shell.folder / "mail.eml").write_bytes(MAIL)
    database = shell.folder / "club" / "pbem.sqlite"
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert shell("mail", "explain", "mail.eml").exit_code == 0


def test_players_proof_rule_is_set_and_reset(shell: Shell) -> None:
    configuration = shell.folder / "pbem.toml"
    text = configuration.read_text()
    configuration.write_text(
        text.replace("# trusted_hosts = []", 'trusted_hosts = ["mx.games.example"]')
    )
    assert "token+dkim" in shell("member", "proof", "Anna", "token+dkim").stdout
    assert "token+dkim" in shell("member", "show", "Anna").stdout
    assert "as in the club" in shell("member", "proof", "Anna", "club").stdout
    assert "dkim" not in shell("member", "show", "Anna").stdout


@pytest.mark.parametrize(("rule", "told"), (("dkim", "trusted_hosts"), ("trust", "token+dkim")))
def test_unknown_or_impossible_proof_rule_is_refused(shell: Shell, rule: str, told: str) -> None:
    result = shell("member", "proof", "Anna", rule)
    assert (result.exit_code, told in result.stderr) == (1, True)


def test_club_requiring_signatures_needs_trusted_hosts(shell: Shell) -> None:
    configuration = shell.folder / "pbem.toml"
    text = configuration.read_text()
    configuration.write_text(text.replace('# proof = "token"', 'proof = "dkim"'))
    result = shell("member", "list")
    assert (result.exit_code, "trusted_hosts" in result.stderr) == (ExitStatus.CONFIGURATION, True)
