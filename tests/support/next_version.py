"""A pbem with one more revision, installed beside this one, and processes of either."""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

from alembic.script import ScriptDirectory

ROOT = Path(__file__).parents[2]
NEXT = "9000"
PATIENCE_S = 60.0


def head() -> str:
    """Return the newest revision of this pbem."""
    found = ScriptDirectory(str(ROOT / "db")).get_current_head()
    assert found is not None
    return found


def install_next(site: Path) -> Path:
    """Install a next version, in which players get a title. Return its folder for Python."""
    (site / "pbem").mkdir(parents=True)
    for path in (*(ROOT / "pbem").iterdir(), ROOT / "templates"):
        (site / "pbem" / path.name).symlink_to(path)  # compiled already
    shutil.copytree(ROOT / "db", site / "pbem" / "db")
    (site / "pbem/db/versions" / f"{NEXT}_titles.py").write_text(
        dedent(
            f'''\
            """Titles of players."""

            import sqlalchemy as sa
            from alembic import op

            revision = "{NEXT}"
            down_revision = "{head()}"

            def upgrade():
                with op.batch_alter_table("players") as players:
                    players.add_column(sa.Column("title", sa.Text()))
                crash = "SELECT 1 FROM players WHERE name = 'Crash'"
                if op.get_bind().exec_driver_sql(crash).first():
                    raise RuntimeError("half way")
            '''
        )
    )
    return site


class Program:
    """A pbem installed in a folder, with its configuration."""

    def __init__(self, site: Path, config: Path) -> None:
        self.site = site
        self._config = config

    def words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "pbem", *words, "--config", str(self._config)]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(self.site), "PYTHONSAFEPATH": "1"}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end. Output on either stream is in stdout."""
        return subprocess.run(
            self.words(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environment,
            cwd=self._config.parent,
        )

    @contextmanager
    def running(self, *words: str, **settings: str) -> Iterator[Running]:
        """Run a long command, ended after the block, with other settings from the environment."""
        process = subprocess.Popen(
            self.words(*words),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**self.environment, **settings},
            cwd=self._config.parent,
        )
        with process:
            try:
                yield Running(process)
            finally:
                process.kill()


class Running:
    """A process and its output."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lines: queue.Queue[str] = queue.Queue()
        self.said = ""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._lines.put(line)
        self._lines.put("")

    def says(self, pattern: str) -> None:
        """Wait until the process has printed something."""
        while True:
            line = self._lines.get(timeout=PATIENCE_S)
            assert line, f"it has ended and said {self.said}"
            self.said += line
            if re.search(pattern, line):
                return

    def ends(self) -> int:
        """Wait for the end of the process. Return its exit status."""
        return self._process.wait(PATIENCE_S)

    def ended(self) -> int:
        """End the process by SIGTERM. Return its exit status."""
        self._process.send_signal(signal.SIGTERM)
        return self.ends()
