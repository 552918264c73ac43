"""Test completion in bash, zsh and fish, and which data of a club it reveals."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import arguments, command_line
from tests.cli.test_commands import Shell, with_players
from tests.support.missing import skip

BASH = """
source <(pbem completion bash); COMP_WORDS=({words} ''); COMP_CWORD={count}
_pbem_completion pbem; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
compdef() {{}}; _arguments() {{ print -r -- "$@" }}; source <(pbem completion zsh)
words=({words} ''); CURRENT={count}; _pbem_completion
"""
FISH = "pbem completion fish | source; complete -C '{words} '"
ASKING = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def offered(shell: str, line: str, folder: Path) -> str:
    """Return the words that a shell offers after a line."""
    if shutil.which(shell) is None:
        skip(f"{shell} is not installed")
    count = len(line.split()) + (shell == "zsh")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [shell, "-c", ASKING[shell].format(words=line, count=count)],
        env={"PATH": path, "HOME": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def shell(club_folder: Path) -> Shell:
    shell = Shell(club_folder)
    assert shell("init", "--defaults").exit_code == 0
    with_players(shell, "Anna", "Bert")
    return shell


@pytest.mark.servers
@pytest.mark.parametrize("name", ASKING)
def test_shells_complete_commands(name: str, tmp_path: Path) -> None:
    assert "announce" in offered(name, "pbem --config pbem.toml", tmp_path)


def told(monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """Return the words that fish gets after a line."""
    for key, text in (
        ("_PBEM_COMPLETE", "complete_fish"),
        ("_TYPER_COMPLETE_FISH_ACTION", "get-args"),
        ("_TYPER_COMPLETE_ARGS", line),
    ):
        monkeypatch.setenv(key, text)
    arguments.prepare()
    typed = arguments.typed()
    assert typed is not None
    done = CliRunner().invoke(command_line(typed), prog_name="pbem")
    return [each.partition("\t")[0] for each in done.stdout.splitlines() if each]


def test_running_matches_are_offered(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        assert shell("match", "new", "lancelot", "Anna", "Bert").exit_code == 0
    assert shell("match", "adjudicate", "1", "draw", "agreed").exit_code == 0
    assert told(monkeypatch, "pbem match show ") == ["2"]


def test_names_that_need_quoting_are_not_offered(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate(("Anna Maria", "An O'Neill", "Ann-Kathrin")):
        assert shell("member", "add", name, f"{number}@mail.example").exit_code == 0
    for words in ("pbem member show An", "pbem --config pbem.toml member show An"):
        assert told(monkeypatch, words) == ["Ann-Kathrin", "Anna"]


def test_games_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, "pbem match new lanc") == ["lancelot"]


def test_completion_without_club_offers_and_creates_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told(monkeypatch, "pbem member show ") == []
    assert Shell(tmp_path)("init", "--defaults").exit_code == 0
    assert told(monkeypatch, "pbem member show ") == []
    assert [each.name for each in tmp_path.iterdir()] == ["pbem.toml"]
