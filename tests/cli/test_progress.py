"""Test the progress of long commands: only on a terminal, and only after a while."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from select import select

import pytest

from pbem.cli.progress import CommandProgress
from pbem.ports.progress import tracked

ROOT = Path(__file__).parents[2]
LONGEST_S = 30.0


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Make standard error a terminal. Yields the descriptor of what it shows."""
    shown, written = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(written, "w", encoding="utf-8") as stream, redirect_stderr(stream):
        yield shown
    os.close(shown)


def text(terminal: int, until: str) -> str:
    """Return what a terminal shows until it shows a text."""
    found = ""
    while until not in found:
        assert select([terminal], [], [], LONGEST_S)[0], found
        found += os.read(terminal, 65536).decode()
    return found


def test_long_step_shows_what_is_done_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        terminal(monkeypatch) as shown,
        CommandProgress(silent_s=0).step("copying [the] tables") as report,
    ):
        report(30, 120)
        assert "copying [the] tables" in text(shown, "25%")


def test_step_without_a_total_shows_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as shown, CommandProgress(silent_s=0).step("upgrading"):
        text(shown, "upgrading")


def test_short_step_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as shown:
        with CommandProgress().step("copying") as report:
            assert list(tracked("abc", report)) == ["a", "b", "c"]
        os.write(sys.stderr.fileno(), b"the end")
        assert text(shown, "the end") == "the end"


def test_progress_is_not_shown_elsewhere(capfd: pytest.CaptureFixture[str]) -> None:
    with CommandProgress(silent_s=0).step("copying") as report:
        report(1, 2)
    assert capfd.readouterr() == ("", "")


@pytest.mark.servers
def test_commands_do_not_import_what_shows_progress() -> None:
    modules = ", ".join(f"pbem.cli.{name}" for name in ("upgrade", "restore", "rebuild", "archive"))
    code = f"import sys, {modules}; print([name for name in sys.modules if name == 'rich'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
