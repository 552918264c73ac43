"""Processes: which workers of this machine are alive."""

from __future__ import annotations

import os
from pathlib import Path

PROC = Path("/proc")


class Processes:
    """Processes of Linux by boot, pid namespace, pid and start; satisfies `ports.Workers`.

    A pid is used again, hence the start; containers on one machine have pids of their own, hence
    the namespace. Where there is no /proc, nobody has a name, and nobody is found dead.
    """

    def own_name(self) -> str:
        """Name of this process."""
        machine, start = _machine(), _start(os.getpid())
        return f"{machine} {os.getpid()} {start}" if machine and start else ""

    def is_dead(self, name: str) -> bool:
        """Whether a process of this machine has ended."""
        machine, *rest = name.split() or [""]
        if machine != _machine() or len(rest) != 2 or not rest[0].isdecimal():
            return False
        pid, start = int(rest[0]), rest[1]
        return not _exists(pid) or _start(pid) not in ("", start)


def _exists(pid: int) -> bool:
    """Asks the kernel: /proc may hide the processes of others."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _machine() -> str:
    """This boot of this machine, and the container."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{(PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return ""


def _start(pid: int) -> str:
    """When a process began, in ticks since the boot; `dead` of one that has ended but for its row.

    Field 22 of proc(5) stat; the second, in brackets, is a name and may hold anything.
    """
    try:
        fields = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        return "dead" if fields[0] in "ZX" else fields[19]
    except (OSError, IndexError):
        return ""
