"""`pbem serve` as its operator starts and ends it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select

import pytest

from pbem.cli.new_config import Answers, MailServer, write_config

PATIENCE_S = 20.0


def test_a_token_command_that_hangs_ends_with_the_club(tmp_path: Path) -> None:
    pipe, path = tmp_path / "pipe", tmp_path / "pbem.toml"
    os.mkfifo(pipe)
    write_config(path, Answers(user="club"))
    hanging = json.dumps(["sh", "-c", f"(exec 3>{pipe}; echo begun >&3; sleep 60) & wait"])
    text = path.read_text().replace("[imap]\n", f"[imap]\ntoken_command = {hanging}\n")
    path.write_text(text)

    words = [sys.executable, "-m", "pbem", "serve", "--config", str(path)]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as service:
        with pipe.open("rb", buffering=0) as reader:
            assert reader.read(100) == b"begun\n"
            service.send_signal(signal.SIGTERM)
            assert service.wait(PATIENCE_S) == 0
            assert select([reader], [], [], 5.0)[0], "what it has started is still alive"
            assert reader.read(100) == b""
        assert service.stderr is not None
        assert b"a job does not end" not in service.stderr.read()


@contextmanager
def served(path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """`pbem serve`, once it has told of its mailboxes; killed in the end."""
    words = [sys.executable, "-m", "pbem", "serve", "--config", str(path), *options]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as service:
        try:
            yield service
        finally:
            service.kill()


def says(service: subprocess.Popen[str], words: str) -> None:
    assert service.stdout is not None
    assert any(words in line for line in service.stdout), service.stderr


def test_a_second_serve_names_the_first_and_one_without_its_database_ends(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    write_config(path, Answers())
    with served(path, "--embedded") as first:
        says(first, "mailboxes live in memory")
        who = re.escape(f"process {first.pid} on ") + r"\S+ since 20\S+ \S+ UTC \(pbem serve .*\)"
        for options in ((), ("--embedded",)):
            with served(path, *options) as other:
                _, told = other.communicate(timeout=PATIENCE_S)
            assert other.returncode == 1
            assert re.fullmatch(rf"pbem: the club in \S+ is served already, by {who}; .*\n", told)
        words = [sys.executable, "-m", "pbem", "deliver", "--config", str(path)]
        assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    with served(path, "--embedded") as bereft:
        says(bereft, "mailboxes live in memory")
        for each in (tmp_path / "club").glob("pbem.sqlite*"):
            each.unlink()
        _, told = bereft.communicate(timeout=PATIENCE_S)
        assert bereft.returncode == 1
        assert re.search(
            r"^pbem: the database \S+ is gone\. .*restore a backup", told, re.MULTILINE
        )
    with served(path, "--embedded") as refusing:
        _, told = refusing.communicate(timeout=PATIENCE_S)
        assert (refusing.returncode, "No new one is made" in told) == (1, True)
    (tmp_path / "club" / ".pbem.sqlite.made").unlink()
    with served(path, "--embedded") as after_a_kill:
        says(after_a_kill, "mailboxes live in memory")
        after_a_kill.send_signal(signal.SIGTERM)
        assert after_a_kill.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("number", (signal.SIGTERM, signal.SIGINT))
def test_a_second_signal_ends_it_at_once_and_quietly(
    tmp_path: Path, number: signal.Signals
) -> None:
    path = tmp_path / "pbem.toml"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE_S)
        write_config(path, Answers(imap=MailServer("127.0.0.1", silent.getsockname()[1], "none")))
        words = [sys.executable, "-m", "pbem", "serve", "--config", str(path)]
        with subprocess.Popen(words, stderr=subprocess.PIPE) as service:
            held = silent.accept()  # it waits for a greeting that never comes
            assert service.stderr is not None
            service.send_signal(number)
            told = b""
            while b"ending" not in told:
                told += (line := service.stderr.readline())
                assert line, told
            service.send_signal(number)
            assert service.wait(PATIENCE_S) == 128 + number
            assert b"Traceback" not in (rest := service.stderr.read())
            assert b"Exception" not in rest
            held[0].close()
