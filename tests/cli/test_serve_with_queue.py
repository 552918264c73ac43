"""Test `pbem serve` on PostgreSQL, with a queue of jobs."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import command_line

pytestmark = pytest.mark.servers

PATIENCE_S = 30.0
CONFIGURATION = """\
[club]
address = "club@games.example"
data_dir = "club"
secret = "a secret for the tests alone"

[lmtp]
listen = "unix:{folder}/lmtp"

[smtp]
host = "127.0.0.1"
port = {port}
security = "none"

[site]
enabled = false

[database]
url = "{url}"

[jobs]
engine = "procrastinate"
"""


def test_silent_mail_server_does_not_delay_the_end(tmp_path: Path, postgresql_url: str) -> None:
    path = tmp_path / "pbem.toml"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        path.touch(0o600)
        path.write_text(CONFIGURATION.format(folder=tmp_path, port=port, url=postgresql_url))
        for words in (
            ("member", "add", "Anna", "anna@mail.example"),
            ("match", "new", "lancelot", "Anna", "--bot", "greedy"),
        ):
            CliRunner().invoke(
                command_line(words), [*words, "--config", str(path)], catch_exceptions=False
            )
        serve = [sys.executable, "-m", "pbem", "serve", "--config", str(path)]
        with subprocess.Popen(serve, stderr=subprocess.PIPE) as service:
            silent.settimeout(PATIENCE_S)
            visit, _ = silent.accept()
            with visit:
                service.send_signal(signal.SIGTERM)
                _, told = service.communicate(timeout=PATIENCE_S)
        assert service.returncode == 0
        assert b"a job does not end" not in told
