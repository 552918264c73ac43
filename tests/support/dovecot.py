"""A real Dovecot for the tests: started once per session, with new users for each test.

It runs as the user who runs the tests, or for root, as the account from its package.
"""

from __future__ import annotations

import grp
import os
import pwd
import random
import re
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.certificates import Certificates
from tests.support.dovecot_conf import configuration

HOST = "127.0.0.1"
PORTS = (10_000, 32_768)


@dataclass
class Dovecot:
    """A running server, known by the folder that holds all its files."""

    folder: Path
    account: pwd.struct_passwd
    host: str = HOST
    imap_port: int = 0
    imaps_port: int = 0
    lmtp_port: int = 0
    passwords: dict[str, str] = field(default_factory=dict)
    introspection: str = ""
    """URL for checking access tokens. Empty means passwords only, otherwise tokens only."""

    def add(self, address: str, password: str) -> None:
        """Add a mailbox in its own user file, since Dovecot checks a file at most once a second."""
        self.passwords[address] = password
        home = self.folder / "mail" / address
        ids = f"{self.account.pw_uid}:{self.account.pw_gid}"
        user = self.folder / "users" / address
        user.write_text(f"{address}:{{PLAIN}}{password}:{ids}::{home}\n")

    def forget(self) -> None:
        """Delete all mailboxes."""
        for address in self.passwords:
            (self.folder / "users" / address).unlink()
            shutil.rmtree(self.folder / "mail" / address, ignore_errors=True)
        self.passwords.clear()

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        """Deliver an email by LMTP. Raises smtplib's errors."""
        with smtplib.LMTP(self.host, self.lmtp_port, local_hostname="localhost") as lmtp:
            lmtp.sendmail(sender, [recipient], raw)

    def start(self) -> None:
        """Start and wait until it listens, on its previous ports if it ran before."""
        if not self.imap_port:
            self.imap_port, self.imaps_port, self.lmtp_port = _free_ports(3)
            self._configure()
        # Without -F it returns as soon as its ports are open, and continues in the background.
        self._run("-c", str(self.folder / "dovecot.conf"))

    def stop(self) -> None:
        """End it with every connection, like a power cut. A polite end takes seconds."""
        pid_file = self.folder / "run" / "master.pid"
        # The background process leads its own group.
        os.killpg(int(pid_file.read_text()), signal.SIGKILL)
        pid_file.unlink()

    def _configure(self) -> None:
        files = configuration(
            _version(),
            self.introspection,
            folder=self.folder,
            user=self.account.pw_name,
            group=grp.getgrgid(self.account.pw_gid).gr_name,
            imap=self.imap_port,
            imaps=self.imaps_port,
            lmtp=self.lmtp_port,
        )
        for name, text in files.items():
            (self.folder / name).write_text(text)

    def _run(self, *arguments: str) -> None:
        drop = os.geteuid() == 0
        done = subprocess.run(
            [_program() or "dovecot", *arguments],
            cwd=self.folder,
            user=self.account.pw_uid if drop else None,
            group=self.account.pw_gid if drop else None,
            extra_groups=[] if drop else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server inherits it: a pipe would never end
            stderr=subprocess.STDOUT,
        )
        if done.returncode:
            log = self.folder / "log"
            pytest.fail(f"dovecot {arguments} failed\n{log.read_text() if log.exists() else ''}")


@pytest.fixture(scope="session")
def dovecot(certificates: Certificates) -> Iterator[Dovecot]:
    """A Dovecot. Skips if there is none, which fails in CI."""
    if lacking := missing():
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    with running(certificates) as server:
        yield server


def missing() -> str:
    """Return why there can be no Dovecot, or an empty string."""
    if _program() is None or not Path("/usr/lib/dovecot/lmtp").exists():
        return "Dovecot is not installed: as root, apt-get install dovecot-imapd dovecot-lmtpd"
    return ""


def _version() -> tuple[int, int, int]:
    told = subprocess.run([_program() or "dovecot", "--version"], capture_output=True, text=True)
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", told.stdout)
    assert found, told
    return int(found[1]), int(found[2]), int(found[3])


def _program() -> str | None:
    return shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin")


@contextmanager
def running(certificates: Certificates, introspection: str = "") -> Iterator[Dovecot]:
    """Run a Dovecot with its own folder for the length of the block."""
    # Not in pytest's folder: another account must get in, and sockets need a short path.
    with tempfile.TemporaryDirectory(prefix="pbem-", ignore_cleanup_errors=True) as scratch:
        server = Dovecot(Path(scratch), _account(), introspection=introspection)
        shutil.copy(certificates.server_chain, server.folder / "chain.pem")
        shutil.copy(certificates.server_key, server.folder / "key.pem")
        (server.folder / "users").mkdir()
        for each in (server.folder, *server.folder.iterdir()):
            os.chown(each, server.account.pw_uid, server.account.pw_gid)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _account() -> pwd.struct_passwd:
    if os.geteuid() == 0:
        return pwd.getpwnam("dovecot")
    return pwd.getpwuid(os.geteuid())


def _free_ports(number: int) -> list[int]:
    """Return free ports below those that the system gives to outgoing connections."""
    free: set[int] = set()
    while len(free) < number:
        port = random.randrange(*PORTS)
        with suppress(OSError), socket.create_server((HOST, port)):
            free.add(port)
    return list(free)
