"""Logs: a line an event, whatever words stand in it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from io import StringIO

import pytest
import structlog

from pbem.cli.logs import log_to_stderr


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """Standard error while the logs go there."""
    stream = StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    log_to_stderr()
    yield stream
    structlog.reset_defaults()


def test_words_of_a_stranger_neither_steer_the_terminal_nor_look_like_a_line(
    stream: StringIO,
) -> None:
    log = structlog.get_logger("x")
    log.warning("odd", sender="\x1b[2J\u202eeve\n2026-11-21 [info] all is well", mails=3)

    [line] = stream.getvalue().splitlines()
    assert "\x1b" not in line
    assert "\u202e" not in line
    assert "eve 2026-11-21" in line
    assert "mails=3" in line


def test_a_traceback_keeps_its_lines_and_tells_no_values(stream: StringIO) -> None:
    log = structlog.get_logger("x")
    token = "\x1b[31mcanary"
    try:
        try:
            os.environ[token]
        except KeyError as error:
            raise ValueError(token) from error
    except ValueError:
        log.exception("broken")
    log.error("shunted \x9b2J")

    told = stream.getvalue()
    lines = told.splitlines()
    assert lines.index("KeyError") < lines.index("ValueError")
    assert sum("test_logs.py" in line for line in lines) == 2
    assert "canary" not in told
    assert "\x9b" not in told
    assert "shunted \ufffd2J" in told


def test_why_a_file_could_not_be_written_is_told_without_its_name(stream: StringIO) -> None:
    log = structlog.get_logger("x")
    name = "canary.json"
    try:
        raise OSError(errno.ENOSPC, name, name)
    except OSError:
        log.exception("record not written")

    told = stream.getvalue()
    assert "OSError: No space left on device\n" in told
    assert "canary" not in told
