"""Workers of a club: processes as `pbem worker` starts them, and their processor time."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bench.cpu import cpu_of

BEGIN_SECONDS = 300
LOOK_SECONDS = 0.05
END_SECONDS = 20

PBEM = (sys.executable, "-m", "pbem")


class Crew:
    """Running processes."""

    def __init__(self, processes: Sequence[subprocess.Popen[bytes]], log: Path) -> None:
        self._processes = processes
        self._log = log

    def require_alive(self) -> None:
        """Raise AssertionError with the end of the log if one has ended."""
        ended = [process for process in self._processes if process.poll() is not None]
        assert not ended, self._log.read_text()[-4000:]

    def cpu(self) -> float:
        """Return the seconds of processor time that all of them have used."""
        return sum(cpu_of(process.pid) for process in self._processes)


@contextmanager
def crew(commands: Sequence[Sequence[str]], log: Path) -> Iterator[Crew]:
    """Run commands side by side until the block ends, with their output in a file."""
    with ExitStack() as stack:
        said = stack.enter_context(log.open("ab"))
        processes = []
        for command in commands:
            process = subprocess.Popen(command, stdout=said, stderr=said)
            stack.callback(_end, process)
            processes.append(process)
        yield Crew(processes, log)


def until_listening(path: Path) -> None:
    """Wait until a Unix socket has a listener."""
    end = time.monotonic() + BEGIN_SECONDS
    while True:
        with socket.socket(socket.AF_UNIX) as visitor, suppress(FileNotFoundError, ConnectionError):
            visitor.connect(str(path))
            return
        assert time.monotonic() < end, f"nobody listens at {path}"
        time.sleep(LOOK_SECONDS)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
