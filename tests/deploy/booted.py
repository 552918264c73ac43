"""Boot a throwaway Debian 12 with its own systemd, packages, accounts and network.

Mmdebstrap creates its base once and keeps it in build/. A machine's changes stay in memory.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.deploy.machine import Machine, shell_on
from tests.deploy.pages import ROOT

BASE = ROOT / "build" / "debian-12"
INCLUDED = ("systemd", "systemd-sysv", "dbus", "ca-certificates", "iproute2")
"""Packages that an installed Debian has and a minimal one lacks."""
PATIENCE_S = 20.0
_NSPAWN = (
    "setpriv",
    "--pdeathsig",
    "TERM",  # at which it shuts its machine down
    "systemd-nspawn",
    "--quiet",
    "--boot",
    "--volatile=overlay",
    "--register=no",
    "--keep-unit",
    "--notify-ready=yes",
    "--console=pipe",
    "--resolv-conf=copy-host",
)


def missing() -> str:
    """Return why no machine can be booted, or an empty string if one can."""
    if os.geteuid() != 0:
        return "only root can boot a machine"
    for program in ("mmdebstrap", "systemd-nspawn"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return ""


def base() -> Path:
    """Return the folder of an untouched Debian 12, creating it under a temporary name first."""
    if not BASE.exists():
        BASE.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BASE.parent) as folder:
            made = Path(folder) / BASE.name
            _mmdebstrap(made)
            made.rename(BASE)
    return BASE


def _downloaded() -> Path:
    """Return the folder of packages that earlier machines downloaded."""
    folder = BASE.with_name("debian-12-packages")
    folder.mkdir(exist_ok=True)
    return folder


def _mmdebstrap(made: Path) -> None:
    """Create a Debian 12 with this machine's apt settings for downloads."""
    asked = subprocess.run(["apt-config", "dump", "Acquire"], stdout=subprocess.PIPE, text=True)
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as options:
        options.write(asked.stdout)
        options.flush()
        words = ["--variant=minbase", f"--include={','.join(INCLUDED)}"]
        told = subprocess.run(
            ["mmdebstrap", *words, f"--aptopt={options.name}", "bookworm", str(made)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    assert told.returncode == 0, told.stdout
    (made / "etc/hosts").write_text("127.0.0.1 localhost\n")  # as Debian's installer does


@contextmanager
def booted_machine(beside: Machine | None = None) -> Iterator[Machine]:
    """Boot a machine for a block. With `beside`, it shares only the network of that machine."""
    words = [*_NSPAWN, f"--directory={base()}", f"--bind={_downloaded()}:/var/cache/apt/archives"]
    words.append(
        f"--network-namespace-path=/proc/{beside.pid}/ns/net" if beside else "--private-network"
    )
    with (
        tempfile.TemporaryDirectory(prefix="pbem-booted-") as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told,
        (Path(folder) / "console").open("w+") as console,
    ):
        told.bind(f"{folder}/notify")
        told.settimeout(PATIENCE_S)
        words.append(f"--machine=pbem-{os.getpid()}-{'two' if beside else 'one'}")
        with subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            env={**os.environ, "NOTIFY_SOCKET": f"{folder}/notify"},
        ) as nspawn:
            try:
                pid = _first_process(told)
                told.close()  # systemd keeps sending, and would block on an unread socket
                assert pid, f"it does not boot: {Path(console.name).read_text(errors='replace')}"
                with shell_on(pid, "/") as shell:
                    yield Machine(pid, "/", shell)
            finally:
                _switch_off(nspawn)


def _switch_off(nspawn: subprocess.Popen[bytes]) -> None:
    """Kill its first process, and all others with it. Without nspawn they would keep running."""
    children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")
    with suppress(FileNotFoundError, ProcessLookupError):
        for child in children.read_text().split():
            os.kill(int(child), signal.SIGKILL)
    nspawn.kill()


def _first_process(told: socket.socket) -> int:
    """Return the process number of its systemd here once it has booted, or 0 if it has not."""
    pid = 0
    with suppress(TimeoutError):
        while True:
            said = told.recv(4096).decode().splitlines()
            leaders = [line for line in said if line.startswith("X_NSPAWN_LEADER_PID=")]
            pid = int(leaders[0].partition("=")[2]) if leaders else pid
            if "READY=1" in said:
                return pid
    return 0
