"""`pbem serve` as its operator starts and ends it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
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
