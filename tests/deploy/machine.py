"""A machine to throw away: this one's files under a layer, with processes and a network of its own.

All of it is gone with its first process: accounts, servers, mail, whatever was written.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_LOOPBACK_UP = (
    "import fcntl, socket, struct;"
    "fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh', b'lo', 1))"  # SIOCSIFFLAGS, IFF_UP
)

_FIRST_PROCESS = """
set -e
read pid rest </proc/self/stat
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay none -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs none "$1/root/run"
"$2" -c "$3"
echo "$pid"
cat  # until it is over; the shell sees meanwhile to children that nobody waits for
exit 0
"""

_SHELL = r"""
while IFS= read -r -d "" line; do
    eval "$line" </dev/null
    printf '\nDONE-%d\n' $?
done
"""
"""Runs what it is told in one shell, whose variables and umask stay as at a prompt."""

_ENVIRONMENT = {
    "HOME": "/root",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
}


class Ran(NamedTuple):
    """A line that was typed."""

    status: int
    output: str


@dataclass
class Machine:
    """A running one, and a shell on it."""

    pid: int
    root: str
    """Of its files, in the eyes of its first process."""
    shell: subprocess.Popen[str]

    @property
    def files(self) -> Path:
        """Its file system as this process sees it."""
        return Path(f"/proc/{self.pid}/root{self.root}")

    def types(self, line: str, typed: str = "") -> Ran:
        """Types a line into the shell, and what it asks for."""
        assert self.shell.stdin is not None
        assert self.shell.stdout is not None
        here = f" <<'ANSWERS'\n{typed}\nANSWERS" if typed else ""
        self.shell.stdin.write(f"{line}{here}\0")
        self.shell.stdin.flush()
        told: list[str] = []
        for read in self.shell.stdout:
            if read.startswith("DONE-"):
                return Ran(int(read.removeprefix("DONE-")), "".join(told).strip())
            told.append(read)
        raise AssertionError(f"the shell has ended: {''.join(told)}")

    def downloads(self, line: str, folder: str) -> Ran:
        """Runs a line with the network of this machine, which the other one is cut off from."""
        words = _entering(self.pid, self.root, "--mount", "--pid")
        script = f"cd {shlex.quote(folder)} && umask 022 && {line}"
        environment = {**self._pip_settings(), **_ENVIRONMENT}
        ran = subprocess.run(
            [*words, "bash", "-c", script],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return Ran(ran.returncode, ran.stdout)

    def _pip_settings(self) -> dict[str, str]:
        """How this machine reaches its package index, and who is believed to be it."""
        given = {name: value for name, value in os.environ.items() if _is_of_pip(name)}
        for name, value in given.items():
            if name in _CERTIFICATES and Path(value).is_file():
                shutil.copy(value, self.files / "run" / name)
                given[name] = f"/run/{name}"
        return given


_CERTIFICATES = ("PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")


def _is_of_pip(name: str) -> bool:
    return name.startswith(("PIP_", *_CERTIFICATES)) or name.lower().endswith("_proxy")


def _entering(pid: int, root: str, *namespaces: str) -> list[str]:
    return ["nsenter", "--target", str(pid), *namespaces, "chroot", root]


def missing() -> str:
    """Why there can be no machine; empty if there can."""
    if os.geteuid() != 0:
        return "only root can set up a machine with accounts and servers"
    tried = subprocess.run(
        ["unshare", "--mount", "--pid", "--net", "--fork", "true"], capture_output=True, text=True
    )
    return f"no namespaces of our own here: {tried.stderr}" if tried.returncode else ""


@contextmanager
def throwaway_machine(beside: Machine | None = None) -> Iterator[Machine]:
    """A machine as long as it is wanted; one beside another sees its network, and nothing else."""
    with tempfile.TemporaryDirectory(prefix="pbem-machine-") as root:
        words = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child"]
        if beside is not None:
            words.remove("--net")
            words = ["nsenter", "--target", str(beside.pid), "--net", *words]
        script = [_FIRST_PROCESS, "sh", root, sys.executable, _LOOPBACK_UP]
        with subprocess.Popen(
            [*words, "sh", "-c", *script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as first:
            assert first.stdout is not None
            told = first.stdout.readline()
            assert told, "the machine does not start"
            try:
                with shell_on(int(told), f"{root}/root") as shell:
                    yield Machine(int(told), f"{root}/root", shell)
            finally:
                first.kill()


@contextmanager
def shell_on(pid: int, root: str) -> Iterator[subprocess.Popen[str]]:
    """A shell on a machine, with its own network."""
    words = _entering(pid, root, "--mount", "--pid", "--net")
    with subprocess.Popen(
        [*words, "bash", "-c", _SHELL],
        env=_ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # a password is asked for on the terminal, if there is one
    ) as shell:
        try:
            yield shell
        finally:
            shell.kill()
