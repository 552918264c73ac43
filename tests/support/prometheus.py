"""A real Prometheus for the tests, from Debian's package. It scrapes one target."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

HOST = "127.0.0.1"
CONFIGURATION = """\
global:
  scrape_interval: 1s
  scrape_timeout: 1s
rule_files: [{rules}]
scrape_configs:
  - job_name: pbem
    static_configs:
      - targets: ["{target}"]
"""


@dataclass(frozen=True)
class Prometheus:
    """A running server."""

    port: int

    def query(self, expression: str) -> list[dict[str, Any]]:
        """Return the current value of an expression, as a vector."""
        answer = self._ask(f"query?{urlencode({'query': expression})}")
        return list(answer["result"])

    def rules(self) -> list[dict[str, Any]]:
        """Return its rules, as far as they have been evaluated."""
        return [rule for group in self._ask("rules")["groups"] for rule in group["rules"]]

    def _ask(self, path: str) -> dict[str, Any]:
        with urlopen(f"http://{HOST}:{self.port}/api/v1/{path}", timeout=30) as answer:
            told = json.load(answer)
        assert told["status"] == "success", told
        return dict(told["data"])


def program(name: str) -> str:
    """Return a program of the package. Skips if it is missing, which fails in CI."""
    found = shutil.which(name)
    if found is None:
        lacking = f"{name} is not installed: as root, apt-get install prometheus"
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    return found


@contextmanager
def scraping(folder: Path, target: str, rules: Path) -> Iterator[Prometheus]:
    """Run a Prometheus that scrapes a target every second, once it is ready."""
    started = program("prometheus")
    configuration = folder / "prometheus.yml"
    configuration.write_text(CONFIGURATION.format(rules=json.dumps(str(rules)), target=target))
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    words = [
        started,
        f"--config.file={configuration}",
        f"--storage.tsdb.path={folder / 'tsdb'}",
        f"--web.listen-address={HOST}:{port}",
    ]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            said = []
            for line in server.stderr:
                said.append(line)
                if "Server is ready" in line:
                    break
            else:
                pytest.fail("".join(said))
            yield Prometheus(port)
        finally:
            server.kill()
