"""Processes that have ended, and processes that may still run."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pbem.run.bootstrap.club import Processes

NAME = "import pbem.run.bootstrap.club as p; print(p.Processes().own_name(), flush=True); input()"
pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc"),
]


def test_process_is_dead_once_it_has_ended() -> None:
    workers = Processes()
    with subprocess.Popen(
        [sys.executable, "-c", NAME], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        assert not workers.is_dead(name)
        other.kill()
        os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
        assert workers.is_dead(name), "nobody has fetched its status yet"
        other.wait()
        assert workers.is_dead(name)


def test_process_that_may_be_alive_is_not_dead() -> None:
    workers = Processes()
    machine, pid, start = workers.own_name().split()
    assert not workers.is_dead(f"{machine} {pid} {start}")
    assert workers.is_dead(f"{machine} {pid} {int(start) - 1}"), "its pid is used again"
    for other in (f"elsewhere/pid {2**22 + 1} 5", "", "?", f"{machine} x 5", f"{machine} {pid}"):
        assert not workers.is_dead(other)
