"""Test `pbem serve` as monitoring programs see it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

from pbem.cli.new_config import Answers, write_config

pytestmark = pytest.mark.servers

PATIENCE_S = 30.0
HERE = "127.0.0.1"


def ask(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://{HERE}:{port}{path}", timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def test_served_club_reports_that_it_is_healthy(tmp_path: Path) -> None:
    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    path = tmp_path / "pbem.toml"
    write_config(path, Answers())
    words = [sys.executable, "-m", "pbem", "serve", "--embedded", "--config", str(path)]
    environment = {**os.environ, "PBEM_METRICS__PORT": str(port)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as service:
        try:
            assert service.stdout is not None
            assert any("serving" in line for line in service.stdout)
            assert ask(port, "/healthz") == (200, "ok\n")
            status, told = ask(port, "/readyz")
            assert json.loads(told)["ready"] is (status == 200)
            assert "pbem_members 0.0\n" in ask(port, "/metrics")[1]
            service.send_signal(signal.SIGTERM)
            assert service.wait(PATIENCE_S) == 0
        finally:
            service.kill()
