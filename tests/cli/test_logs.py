"""Logs: a line an event, whatever words stand in it."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
import structlog

from pbem.cli.logs import log_as_json, log_from, log_to_stderr


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


def test_who_has_seen_the_log_can_play_for_nobody(stream: StringIO) -> None:
    token = "12-3-n-abcdefgh234567ab"
    structlog.get_logger("x").info("mail", sender=f"club+{token}@x.example", error=f"<{token}.1@x>")
    assert "abcdefgh" not in stream.getvalue()
    assert "sender=club+…@x.example" in stream.getvalue()


def test_the_level_says_what_is_told(stream: StringIO) -> None:
    for level, told in (("debug", "diwe"), ("info", "iwe"), ("warning", "we"), ("error", "e")):
        log_from(level)
        log = structlog.get_logger("x")
        stream.truncate(stream.seek(0))
        for tell in (log.debug, log.info, log.warning, log.error):
            tell("said")
        lines = stream.getvalue().splitlines()
        assert "".join(line.partition("[")[2][0] for line in lines) == told


def test_programs_are_given_an_object_a_line_that_says_which_process_it_is_of(
    stream: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["pbem", "worker", "--queues", "process"])
    log_from("warning")
    log_as_json()
    log = structlog.get_logger("x")
    log.info("not told")
    token = "12-3-n-abcdefgh234567ab"
    log.warning("odd\x1b", sender=f"club+{token}@x.example", mail=3)
    try:
        raise ValueError(token)
    except ValueError:
        log.exception("broken")

    odd, broken = map(json.loads, stream.getvalue().splitlines())
    assert (odd["level"], odd["event"], odd["mail"]) == ("warning", "odd\ufffd", 3)
    assert odd["sender"] == "club+…@x.example"
    assert (odd["process"], odd["pid"]) == ("pbem worker", os.getpid())
    assert datetime.fromisoformat(odd["time"]).utcoffset() == timedelta()
    assert broken["level"] == "error"
    assert broken["exception"].endswith("ValueError\n")
    assert token not in stream.getvalue()


def test_in_the_journal_every_line_has_its_severity_and_no_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "journal"
    with file.open("w") as journal:
        there = os.fstat(journal.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{there.st_dev}:{there.st_ino}")
        monkeypatch.setattr(sys, "stderr", journal)
        log_to_stderr()
        try:
            structlog.get_logger("x").info("mail read", mail=3)
            structlog.get_logger("x").error("shunted", traceback="File 1\nKeyError")
        finally:
            structlog.reset_defaults()
    lines = file.read_text().splitlines()
    assert lines[0].startswith("<6>[info")
    assert lines[0].endswith("mail read mail=3")
    assert all(line.startswith("<3>") for line in lines[1:])
