"""Logs: a line an event, whatever words stand in it."""

from __future__ import annotations

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


def test_a_traceback_keeps_its_lines_and_its_words_are_harmless(stream: StringIO) -> None:
    log = structlog.get_logger("x")
    try:
        raise ValueError("\x1b[31mred")
    except ValueError:
        log.exception("broken")
    log.error("shunted \x9b2J")

    told = stream.getvalue()
    assert "\x1b" not in told
    assert "\x9b" not in told
    assert "ValueError: \ufffd[31mred\n" in told
    assert "shunted \ufffd2J" in told
