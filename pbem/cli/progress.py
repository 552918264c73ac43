"""Progress of long commands, on standard error if that is a terminal, and after two seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from time import monotonic
from typing import TYPE_CHECKING

from pbem.ports.progress import Report, unreported

if TYPE_CHECKING:
    from rich.progress import Progress

SILENT_S = 2.0
"""Seconds from the start of a command in which it shows no progress."""


class CommandProgress:
    """The progress of one command, step by step."""

    def __init__(self, silent_s: float = SILENT_S) -> None:
        self._from = monotonic() + silent_s

    @contextmanager
    def step(self, what: str) -> Iterator[Report]:
        """Show a step during a block, which gets a function to report with."""
        if not sys.stderr.isatty():
            yield unreported
            return
        shown = _Step(what)
        timer = Timer(max(0.0, self._from - monotonic()), shown.appear)
        timer.daemon = True
        timer.start()
        try:
            yield shown.report
        finally:
            timer.cancel()
            shown.vanish()


class _Step:
    """A line on the terminal, which vanishes when the step ends."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._done, self._total = 0, 0
        self._lock = Lock()
        self._is_over = False
        self._bar: Progress | None = None

    def report(self, done: int, total: int) -> None:
        """Note what is done. The line shows it with its next refresh."""
        self._done, self._total = done, total
        if self._bar is not None:
            self._update(self._bar)

    def appear(self) -> None:
        """Show the line, in the timer's thread, so that a silent step shows that it is alive."""
        bar = _new_bar()
        with self._lock:
            if self._is_over:
                return
            bar.add_task(self._what, total=None)
            # In this order, a report of the same moment updates the bar, or is read here.
            self._bar = bar
            self._update(bar)
            bar.start()

    def vanish(self) -> None:
        """Remove the line for good."""
        with self._lock:
            self._is_over = True
            if self._bar is not None:
                self._bar.stop()

    def _update(self, bar: Progress) -> None:
        bar.update(bar.task_ids[0], completed=self._done, total=self._total or None)


def _new_bar() -> Progress:
    # Importing these takes longer than most commands run.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(show_speed=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    # Lines that a command prints meanwhile appear above, unless standard output goes elsewhere.
    console, here = Console(stderr=True), sys.stdout.isatty()
    return Progress(*columns, console=console, transient=True, redirect_stdout=here)
