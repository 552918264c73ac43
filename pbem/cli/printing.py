"""Printing: what becomes of a command whose words nobody takes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import NoReturn

from pbem.cli.statuses import ExitStatus


@contextmanager
def printing() -> Iterator[None]:
    """A block whose output may be cut off (`| head`), on a full disk, or of few characters.

    What was done is done all the same; the exit status tells that not all of it was read.
    """
    _replace_what_cannot_be_written()
    try:
        yield
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            _turn_away()
            sys.exit(ExitStatus.NOBODY_READS)
        _flush()
        raise
    except OSError as error:
        if error.errno != ENOSPC:
            raise
        _nowhere_to_write(error)
    _flush()


def _replace_what_cannot_be_written() -> None:
    """A terminal of Latin-1 shows a question mark in place of what it does not have."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    if sys.stdout is None:  # closed by who started us
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _turn_away()
        sys.exit(ExitStatus.NOBODY_READS)
    except OSError as error:
        _nowhere_to_write(error)


def _nowhere_to_write(error: OSError) -> NoReturn:
    _turn_away()
    sys.stderr.write(f"pbem: {error.strerror}\n")
    sys.exit(ExitStatus.REFUSED)


def _turn_away() -> None:
    """Lets what is still to be written go nowhere, so that the end of Python does not try again."""
    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115  it ends with the process
