"""The players of the demonstration, each a process of its own that imports nothing of pbem."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, NamedTuple, Self

from pbem.config import environment_without_settings

PROGRAM = Path(__file__).with_name("outside")
END_S = 5.0


class News(NamedTuple):
    """What a player's process tells; nothing more comes after None."""

    name: str
    facts: Mapping[str, Any] | None


class PlayerProcess:
    """One player."""

    def __init__(
        self, name: str, settings: Mapping[str, Any], log: Path, news: SimpleQueue[News]
    ) -> None:
        self.name = name
        self._settings = settings
        self._log = log
        self._news = news

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            # Isolated: neither this folder nor the environment leads it to pbem's modules.
            self._process = subprocess.Popen(
                [sys.executable, "-I", PROGRAM],
                env=environment_without_settings(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                process_group=0,
            )
        assert self._process.stdin is not None
        print(json.dumps(self._settings), file=self._process.stdin, flush=True)
        Thread(target=self._listen, name=self.name, daemon=True).start()
        return self

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._news.put(News(self.name, json.loads(line)))
        self._news.put(News(self.name, None))

    def ask_for_report(self) -> None:
        """Ends its input: it takes a last look at its mailbox, reports and ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    @property
    def last_words(self) -> str:
        """What it has printed about its own failure."""
        return self._log.read_text("utf-8", "replace").strip().rpartition("\n")[2]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._process.wait(END_S if error is None else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
