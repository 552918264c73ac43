"""Test logs: one line per event, whatever text it contains."""

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
    """Return standard error while logs go there."""
    stream = StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    log_to_stderr()
    yield stream
    structlog.reset_defaults()


def test_strangers_text_cannot_steer_the_terminal_or_fake_a_line(
    stream: StringIO,
) -> None:
    log = structlog.get_logger("x")
    log.warning("odd", sender="\x1b[2J\u202eeve\n2026-11-21 [info] all is well", mails=3)

    [line] = stream.getvalue().splitlines()
    assert "\x1b" not in line
    assert "\u202e" not in line
    assert "eve 2026-11-21" in line
    assert "mails=3" in line


def test_traceback_keeps_its_lines_without_values(stream: StringIO) -> None:
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


def test_log_gives_the_reason_of_a_failed_write_without_the_file_name(stream: StringIO) -> None:
    log = structlog.get_logger("x")
    name = "canary.json"
    try:
        raise OSError(errno.ENOSPC, name, name)
    except OSError:
        log.exception("record not written")

    told = stream.getvalue()
    assert "OSError: No space left on device\n" in told
    assert "canary" not in told


def test_log_hides_tokens(stream: StringIO) -> None:
    token = "12-3-n-abcdefgh234567ab"
    structlog.get_logger("x").info("mail", sender=f"club+{token}@x.example", error=f"<{token}.1@x>")
    assert "abcdefgh" not in stream.getvalue()
    assert "sender=club+…@x.example" in stream.getvalue()


def test_level_filters_events(stream: StringIO) -> None:
    for level, told in (("debug", "diwe"), ("info", "iwe"), ("warning", "we"), ("error", "e")):
        log_from(level)
        log = structlog.get_logger("x")
        stream.truncate(stream.seek(0))
        for tell in (log.debug, log.info, log.warning, log.error):
            tell("said")
        lines = stream.getvalue().splitlines()
        assert "".join(line.partition("[")[2][0] for line in lines) == told


def test_json_log_has_one_object_per_line_naming_its_process(
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


def test_journal_lines_have_a_severity_and_no_second_time(
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
