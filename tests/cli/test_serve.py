"""`pbem serve` as its operator starts and ends it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from select import select

from pbem.cli.init import default_answers, write_config

PATIENCE_S = 20.0


def test_a_token_command_that_hangs_ends_with_the_club(tmp_path: Path) -> None:
    pipe, path = tmp_path / "pipe", tmp_path / "pbem.toml"
    os.mkfifo(pipe)
    write_config(path, {**default_answers(), "user": "club"})
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
