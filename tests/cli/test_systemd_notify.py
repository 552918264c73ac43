"""Test what systemd learns about a club: when it is ready, its status and whether it is alive."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from pbem.cli.new_config import Answers, MailServer, write_config
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.run.systemd_notify import ServiceManager, systemd_notified

pytestmark = pytest.mark.servers

PATIENCE_S = 20.0
WATCHDOG_S = 0.2

STUCK_JOB = """
import threading
from pbem.adapters import watchdog
from pbem.jobs import table
watchdog.STILL_SECONDS = 0.5
table.sweep = lambda *_: threading.Event().wait()
"""
"""A club in which one job blocks forever."""
MAIN = "from pbem.cli import main; main()"

WAITS = "waiting: the database has the schema of tomorrow of a newer version of pbem"
Heard = dict[str, str]


class Manager:
    """A socket that listens as systemd does."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(address.replace("@", "\0", 1))
        self._line.settimeout(PATIENCE_S)

    def hears(self) -> Heard:
        """Return the next notification."""
        told = self._line.recv(4096).decode()
        return dict(line.split("=", 1) for line in told.splitlines())

    def next_that(self, fits: Callable[[Heard], bool]) -> Heard:
        """Return the next notification that fits."""
        while not fits(heard := self.hears()):
            pass
        return heard

    def close(self) -> None:
        """Stop listening."""
        self._line.close()


@pytest.fixture(params=("in a folder", "in no folder"))
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    """Listen at a path, or at a name that starts with a zero byte."""
    address = f"{tmp_path}/notify" if request.param == "in a folder" else f"@pbem-{tmp_path}"
    with closing(Manager(address)) as manager:
        yield manager


def test_notification_has_one_line_per_field_and_survives_a_lost_manager(manager: Manager) -> None:
    told = ServiceManager(manager.address)
    told.hears(READY="1", STATUS="waits\nREADY=0")
    assert manager.hears() == {"READY": "1", "STATUS": "waits READY=0"}
    manager.close()
    told.hears(READY="1")
    ServiceManager("").hears(READY="1")


@contextmanager
def served(manager: Manager, config: Path, before: str = "") -> Iterator[subprocess.Popen[str]]:
    """Run `pbem serve` as its manager starts it, and kill it at the end."""
    words = [sys.executable, "-c", f"{before}\n{MAIN}", "serve", "--config", str(config)]
    environment = {
        **os.environ,
        "NOTIFY_SOCKET": manager.address,
        "WATCHDOG_USEC": f"{WATCHDOG_S * 1_000_000:.0f}",
    }
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as service:
        try:
            yield service
        finally:
            service.kill()


def hangs_up(server: socket.socket) -> None:
    """Close every connection without a greeting, whether it polls or watches."""
    with suppress(OSError):
        while True:
            caller, _ = server.accept()
            caller.close()


def test_club_is_ready_once_the_state_of_its_mailbox_is_known(tmp_path: Path) -> None:
    config = tmp_path / "pbem.toml"
    with (
        closing(Manager(f"{tmp_path}/notify")) as manager,
        socket.create_server(("127.0.0.1", 0)) as silent,
    ):
        port = silent.getsockname()[1]
        write_config(config, Answers(imap=MailServer("127.0.0.1", port, "none")))
        threading.Thread(target=hangs_up, args=(silent,), daemon=True).start()
        with served(manager, config) as service:
            ready = manager.hears()
            assert ready["READY"] == "1"
            assert ready["STATUS"].startswith("serving; IMAP cannot be reached since 20")
            for _ in range(3):
                assert manager.hears()["WATCHDOG"] == "1", (
                    "an unreachable server does not stop the watchdog"
                )
            service.send_signal(signal.SIGTERM)
            assert manager.next_that(lambda heard: "WATCHDOG" not in heard)["STOPPING"] == "1"
            assert service.wait(PATIENCE_S) == 0


def test_club_waiting_for_its_schema_says_so(tmp_path: Path) -> None:
    config = tmp_path / "pbem.toml"
    write_config(config, Answers())
    build_club(load_config(config)).storage.close()
    with closing(sqlite3.connect(tmp_path / "club" / "pbem.sqlite")) as database:
        database.execute("UPDATE alembic_version SET version_num = 'of tomorrow'")
        database.commit()
    with closing(Manager(f"{tmp_path}/notify")) as manager, served(manager, config) as service:
        for told in ("READY", "WATCHDOG"):
            heard = manager.hears()
            assert heard.keys() == {told, "STATUS"}
            assert heard["STATUS"].startswith(WAITS)
        service.send_signal(signal.SIGTERM)
        assert manager.next_that(lambda heard: "WATCHDOG" not in heard)["STOPPING"] == "1"
        assert service.wait(PATIENCE_S) == 0


def test_stuck_job_stops_the_watchdog_and_is_named(
    tmp_path: Path,
) -> None:
    config = tmp_path / "pbem.toml"
    write_config(config, Answers(imap=MailServer("127.0.0.1", 1, "none")))
    with (
        closing(Manager(f"{tmp_path}/notify")) as manager,
        served(manager, config, STUCK_JOB) as service,
    ):
        assert manager.hears()["READY"] == "1"
        unwell = manager.next_that(lambda heard: "WATCHDOG" not in heard)
        assert unwell == {"STATUS": "sweep has been stuck for 1 minute"}
        assert manager.hears() == unwell
        service.send_signal(signal.SIGABRT)
        _, told = service.communicate(timeout=PATIENCE_S)
        assert service.returncode == -signal.SIGABRT
        assert "the service is not healthy" in told
        assert "in <lambda>" in told, "the stack of the blocked thread"


def test_process_with_many_silent_servers_is_ready_at_once(
    manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
    silent = [threading.Event() for _ in range(1000)]
    with systemd_notified(threading.Event(), lambda: "", lambda: "reading", silent, 0.1):
        assert manager.next_that(lambda heard: "READY" in heard)["STATUS"] == "reading"
