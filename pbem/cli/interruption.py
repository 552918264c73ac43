"""Interruption by Ctrl-C: a command that was stopped says in one line what it left."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

import typer

from pbem.cli.exit_statuses import ExitStatus


class Interruptible:
    """A command that Ctrl-C can stop until it is too late."""

    def __init__(self) -> None:
        self._ends = ExitStack()

    def too_late(self) -> None:
        """Finish the command from now on, even if somebody presses Ctrl-C."""
        before = signal.signal(signal.SIGINT, _finish)
        self._ends.callback(signal.signal, signal.SIGINT, before)

    def end(self) -> None:
        """Let Ctrl-C do again what it did before."""
        self._ends.close()


def _finish(_number: int, _frame: FrameType | None) -> None:
    # Not through a stream, which this may have interrupted while it wrote.
    os.write(2, b"pbem: too late to stop, the command is about to finish\n")


@contextmanager
def interruptible(left: str) -> Iterator[Interruptible]:
    """A block that Ctrl-C ends with a sentence about what is left, and with its own status."""
    command = Interruptible()
    try:
        yield command
    except KeyboardInterrupt:
        typer.echo(f"pbem: interrupted. {left}", err=True)
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
    finally:
        command.end()
