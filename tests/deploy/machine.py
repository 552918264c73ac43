"""Run a throwaway machine: an overlay over this one's files, with its own processes and network.

Everything vanishes with its first process: accounts, servers, email and every written file.
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
cat  # until the end; meanwhile the shell reaps orphaned processes
exit 0
"""

_SHELL = r"""
while IFS= read -r -d "" line; do
    eval "$line" </dev/null
    printf '\nDONE-%d\n' $?
done
"""
"""Run each line in one shell, so that variables and the umask persist as at a prompt."""

_ENVIRONMENT = {
    "HOME": "/root",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
}


class Ran(NamedTuple):
    """The result of a typed line."""

    status: int
    output: str


@dataclass
class Machine:
    """A running machine, and a shell on it."""

    pid: int
    root: str
    """The root of its files, as its first process sees them."""
    shell: subprocess.Popen[str]

    @property
    def files(self) -> Path:
        """Return its file system as this process sees it."""
        return Path(f"/proc/{self.pid}/root{self.root}")

    def types(self, line: str, typed: str = "") -> Ran:
        """Type a line into the shell, and answers to its questions."""
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
        """Run a line with this machine's network, which the other machine cannot reach."""
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
        """Return this machine's settings for its package index and the certificates it trusts."""
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
    """Return why no machine can be started, or an empty string if one can."""
    if os.geteuid() != 0:
        return "only root can set up a machine with accounts and servers"
    tried = subprocess.run(
        ["unshare", "--mount", "--pid", "--net", "--fork", "true"], capture_output=True, text=True
    )
    return f"no namespaces of our own here: {tried.stderr}" if tried.returncode else ""


@contextmanager
def throwaway_machine(beside: Machine | None = None) -> Iterator[Machine]:
    """Start a machine for a block. With `beside`, it shares only the network of that machine."""
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
    """Start a shell on a machine, in the machine's network."""
    words = _entering(pid, root, "--mount", "--pid", "--net")
    with subprocess.Popen(
        [*words, "bash", "-c", _SHELL],
        env=_ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # passwords are prompted for on the terminal, if there is one
    ) as shell:
        try:
            yield shell
        finally:
            shell.kill()
