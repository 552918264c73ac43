"""What is printed where nobody reads it, and where there is no room or no character for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli.exit_statuses import ExitStatus

PBEM = [sys.executable, "-m", "pbem"]


def ended(words: list[str], output: int) -> tuple[int, str]:
    """Status of a command that prints to a file descriptor, and what it said of it."""
    try:
        done = subprocess.run([*PBEM, *words], stdout=output, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(output)
    return done.returncode, done.stderr


@pytest.mark.servers
@pytest.mark.parametrize("words", (["games"], ["games", "--json"], ["--help"]))
def test_a_pipe_that_nobody_reads_ends_it_quietly(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert ended(words, writer) == (ExitStatus.NOBODY_READS, "")


@pytest.mark.servers
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_a_full_disk_is_told_in_a_sentence() -> None:
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
