"""Test output to a closed pipe, a full disk and a terminal that lacks characters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli.exit_statuses import ExitStatus

PBEM = [sys.executable, "-m", "pbem"]


def ended(words: list[str], output: int) -> tuple[int, str]:
    """Return the status and standard error of a command that prints to a file descriptor."""
    try:
        done = subprocess.run([*PBEM, *words], stdout=output, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(output)
    return done.returncode, done.stderr


@pytest.mark.servers
@pytest.mark.parametrize("words", (["games"], ["games", "--json"], ["--help"]))
def test_closed_pipe_ends_a_command_quietly(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert ended(words, writer) == (ExitStatus.NOBODY_READS, "")


@pytest.mark.servers
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_full_disk_is_reported() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    assert ended(["games"], full) == (ExitStatus.REFUSED, "pbem: No space left on device\n")


@pytest.mark.servers
def test_characters_that_a_terminal_lacks_are_replaced() -> None:
    words = [*PBEM, "games", "--option-of-Мария"]
    done = subprocess.run(
        words, env={**os.environ, "PYTHONIOENCODING": "latin-1"}, capture_output=True
    )
    assert done.returncode == ExitStatus.USAGE
    assert b"--option-of-?????" in done.stderr
