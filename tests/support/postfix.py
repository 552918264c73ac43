"""A real Postfix for the tests, which delivers email for one domain by LMTP.

Only root can start it. It ends with the test, whatever happens.
"""

from __future__ import annotations

import os
import pwd
import queue
import shutil
import smtplib
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

HOST: Final = "127.0.0.1"
NAME: Final = "mx.games.example"
DOMAIN: Final = "games.example"
PATIENCE_S: Final = 30.0
MASTER: Final = "/usr/lib/postfix/sbin/master"

MAIN: Final = """\
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = /dev/stdout
myhostname = {name}
mydestination =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
disable_dns_lookups = yes
alias_maps =
alias_database =
"""
"""Settings that keep it apart from another Postfix on this machine. The page gives the rest."""


class Postfix:
    """A running Postfix. Its log lines are kept until they are read."""

    def __init__(self, folder: Path, port: int, process: subprocess.Popen[str]) -> None:
        self.folder = folder
        self.port = port
        self._process = process
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)

    def logs(self, words: str) -> str:
        """Wait for the next log line with these words. Return it."""
        told = []
        with suppress(queue.Empty):
            while words not in (line := self._lines.get(timeout=PATIENCE_S)):
                told.append(line)
            return line
        raise AssertionError(f"{words!r} is not in the log:\n{''.join(told)}")

    def takes(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send an email as someone."""
        with smtplib.SMTP(HOST, self.port) as client:
            client.sendmail(sender, [recipient], raw, ["SMTPUTF8"] if not raw.isascii() else [])

    def tries_again(self) -> None:
        """Deliver waiting emails without further delay."""
        run("postqueue", "-c", str(self.folder / "etc"), "-f")


@contextmanager
def postfix(settings: Sequence[str], script: Sequence[str] = ()) -> Iterator[Postfix]:
    """Run a Postfix with some settings, as changed by a script.

    Skips if there is none, which fails in CI.
    """
    if lacking := missing():
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    # Not in pytest's folder: other accounts must get in, and sockets need a short path.
    with tempfile.TemporaryDirectory(prefix="pbem-mx-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        port = configure(folder, settings)
        if script:
            run(*script, MAIL_CONFIG=f"{folder}/etc")
        run("postfix", "-c", f"{folder}/etc", "check")
        words = ["setpriv", "--pdeathsig", "TERM", MASTER, "-c", f"{folder}/etc", "-s"]
        with subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            try:
                server = Postfix(folder, port, process)
                server.logs("daemon started")
                yield server
            finally:
                process.terminate()


def missing() -> str:
    """Return why there can be no Postfix, or an empty string."""
    if shutil.which("postfix", path="/usr/sbin") is None:
        return "Postfix is not installed: as root, apt-get install postfix"
    return "" if os.geteuid() == 0 else "only root can start Postfix"


def configure(folder: Path, settings: Sequence[str]) -> int:
    """Write its configuration. Return the port for incoming email."""
    with closing(socket.create_server((HOST, 0))) as free:
        port = int(free.getsockname()[1])
    etc, account = folder / "etc", pwd.getpwnam("postfix")
    for name in ("etc", "spool", "data"):
        (folder / name).mkdir()
    os.chown(folder / "data", account.pw_uid, account.pw_gid)
    for name in ("dynamicmaps.cf", "postfix-files"):
        shutil.copy(Path("/etc/postfix") / name, etc)
    (etc / "main.cf").write_text(MAIN.format(folder=folder, name=NAME) + "\n".join(settings) + "\n")
    (etc / "master.cf").write_text(_services(port))
    return port


def _services(port: int) -> str:
    """Return the distribution's services, outside a chroot and on another port."""
    lines = []
    for line in Path("/usr/share/postfix/master.cf.dist").read_text().splitlines():
        words = line.split()
        if len(words) < 8 or line[0] in "# ":
            continue
        name = f"{HOST}:{port}" if words[:2] == ["smtp", "inet"] else words[0]
        lines.append(" ".join([name, *words[1:4], "n", *words[5:]]))
    return "\n".join(lines) + "\n"


def run(*words: str, **environment: str) -> None:
    """Run a command that must succeed."""
    more = {**os.environ, **environment}
    done = subprocess.run(words, capture_output=True, text=True, env=more)
    assert done.returncode == 0, done.stderr
