"""Workers of a club: processes as `pbem worker` starts them, and the time that they use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.cpu import cpu_of

END_SECONDS = 20

PBEM = (sys.executable, "-m", "pbem")


class Crew:
    """Processes that run."""

    def __init__(self, processes: Sequence[subprocess.Popen[bytes]]) -> None:
        self._processes = processes

    def cpu(self) -> float:
        """Seconds of the processor that all of them have used."""
        return sum(cpu_of(process.pid) for process in self._processes)


@contextmanager
def crew(commands: Sequence[Sequence[str]], log: Path) -> Iterator[Crew]:
    """Commands side by side, which end with the block; what they say goes into a file."""
    with ExitStack() as stack:
        said = stack.enter_context(log.open("ab"))
        processes = []
        for command in commands:
            process = subprocess.Popen(command, stdout=said, stderr=said)
            stack.callback(_end, process)
            processes.append(process)
        yield Crew(processes)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
