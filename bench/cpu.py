"""Processor time used by other processes, as Linux reports it (proc(5))."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    parent: int
    own: int
    """Ticks used by the process itself."""
    of_ended: int
    """Ticks of its children that have ended."""


def cpu_of(pid: int) -> float:
    """Return the seconds of one process, in all its threads."""
    return _read(pid).own / _TICKS


def cpu_of_family(pid: int) -> float:
    """Return the seconds of a process and its descendants, including those that have ended."""
    children, processes = defaultdict(list), dict(_processes())
    for number, process in processes.items():
        children[process.parent].append(number)
    ticks, family = 0, [pid]
    while family:
        number = family.pop()
        ticks += processes[number].own + processes[number].of_ended
        family += children[number]
    return ticks / _TICKS


def _processes() -> Iterator[tuple[int, _Process]]:
    for folder in _PROC.iterdir():
        if folder.name.isdecimal():
            try:
                yield int(folder.name), _read(int(folder.name))
            except (FileNotFoundError, ProcessLookupError):
                continue


def _read(pid: int) -> _Process:
    """Read fields 4 and 14 to 17. The second, in brackets, is a name and may contain anything."""
    fields = (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    parent, own, of_ended = fields[1], fields[11:13], fields[13:15]
    return _Process(int(parent), sum(map(int, own)), sum(map(int, of_ended)))
