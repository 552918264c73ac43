"""Test email that a real Postfix hands over to `pbem serve`, and to `pbem lmtp` with workers."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from tests.support.lmtp import client
from tests.support.postfix import DOMAIN, postfix
from tests.support.smtp import SmtpServer

pytestmark = pytest.mark.servers

PATIENCE_S = 30.0
SCRIPT = Path(__file__).parents[2] / "deploy" / "mail-server" / "postfix-lmtp.sh"
CLUB = f"club@{DOMAIN}"
WISH = f"From: Ännchen <anna@mail.example>\r\nTo: {CLUB}\r\n\r\njoin Anna\r\n".encode()

CONFIGURATION = """\
[club]
address = "{club}"
data_dir = "club"
secret = "a secret for the tests alone"
joining = "open"

[lmtp]
listen = "{place}"

[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"

[site]
enabled = false
"""

Configured = Callable[..., Path]


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    """Return a function that writes a configuration."""

    def write(place: str, smtp: int = 25, more: str = "") -> Path:
        path = tmp_path / "pbem.toml"
        path.write_text(CONFIGURATION.format(club=CLUB, place=place, smtp=smtp) + more)
        path.chmod(0o600)
        return path

    return write


@contextmanager
def pbem(*words: str, before: tuple[str, ...] = ()) -> Iterator[subprocess.Popen[str]]:
    """Run a command, started by the words in `before`, and kill it at the end."""
    command = [*before, sys.executable, "-m", "pbem", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str]) -> str:
    """Stop a process, and return its log."""
    process.send_signal(signal.SIGTERM)
    _, logged = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, logged
    assert "Traceback" not in logged
    return logged


def test_postfix_hands_over_email_that_arrived_while_nothing_listened(
    configured: Configured, tmp_path: Path
) -> None:
    came: queue.SimpleQueue[str] = queue.SimpleQueue()
    (tmp_path / "mailboxes").write_text(f"{CLUB} club\n")
    tmp_path.chmod(0o755)
    place = f"127.0.0.1:{free_port()}"
    with SmtpServer(lambda sender, to, raw: came.put(to)) as world:
        settings = (
            f"virtual_mailbox_domains = {DOMAIN}",
            f"virtual_mailbox_maps = texthash:{tmp_path}/mailboxes",
            f"relayhost = [127.0.0.1]:{world.port}",
        )
        with postfix(settings, ("sh", str(SCRIPT), CLUB, f"inet:{place}")) as mx:
            mx.takes("anna@mail.example", f"club+hello@{DOMAIN}", WISH)
            assert "status=deferred" in mx.logs("status=")
            path, begun = configured(place, mx.port), datetime.now(UTC)
            with pbem("serve", "--config", str(path)) as service:
                assert service.stdout is not None
                assert "serving" in service.stdout.readline()
                mx.tries_again()
                assert came.get(timeout=PATIENCE_S) == "anna@mail.example"
                doctor = ["doctor", "--send", "--config", str(path)]
                told = CliRunner().invoke(command_line(["doctor"]), doctor)
                assert told.exit_code == 0, told.output
                assert f"ok   lmtp: email is handed over at {place}; clocks cannot" in told.output
                assert "ok   mail: emails arrive, at plus-addresses of the club too" in told.output
                ended(service)
    database = SqlStorage(open_engine(f"sqlite:///{tmp_path}/club/pbem.sqlite"))
    with closing(database), database.reading() as uow:
        wish, trial = (uow.inbound.get(each.id) for each in uow.inbound.recorded_since(begun))
    assert wish.received_at < begun
    assert "From: Ännchen".encode() in wish.raw
    assert wish.raw.startswith(b"Return-Path: <anna@mail.example>\r\nDelivered-To: club+hello@")
    assert trial.received_at >= wish.received_at


def free_port() -> int:
    """Return a port that nothing uses."""
    with SmtpServer(lambda *_: None) as server:
        return server.port


def test_email_accepted_with_workers_has_its_job(
    configured: Configured, postgresql_url: str, tmp_path: Path
) -> None:
    starter = shutil.which("systemd-socket-activate")
    if starter is None:
        if os.environ.get("CI"):
            pytest.fail("systemd is not installed")
        pytest.skip("systemd is not installed")
    place = tmp_path / "lmtp"
    more = f'[database]\nurl = "{postgresql_url}"\n[jobs]\nengine = "procrastinate"\n'
    path = configured("unix:/not/this/one", more=more)
    with pbem("lmtp", "--config", str(path), before=(starter, "-l", str(place))) as process:
        assert process.stderr is not None
        assert "Listening on" in process.stderr.readline()
        with client(place) as mx:
            mx.sendmail("anna@mail.example", [CLUB], WISH)
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                mx.sendmail("anna@mail.example", ["anna@mail.example"], WISH)
        with psycopg.connect(postgresql_url) as connection:
            query = "SELECT task_name, lock, status FROM procrastinate_jobs"
            assert connection.execute(query).fetchall() == [
                ("process", "from anna@mail.example", "todo")
            ]
        ended(process)


@pytest.mark.parametrize(
    ("section", "sentence"),
    (
        ('[lmtp]\nlisten = "127.0.0.1:2424"', "pbem serve accepts its email by LMTP, too"),
        ('[lmtp]\nlisten = "mx.example.org:24"', "[lmtp] listen: it must be"),
        ("", "this club does not accept email by LMTP"),
    ),
)
def test_lmtp_that_cannot_start_explains_why(
    configured: Configured, section: str, sentence: str
) -> None:
    path = configured("")
    path.write_text(path.read_text().replace('[lmtp]\nlisten = ""', section))
    told = CliRunner().invoke(command_line(["lmtp"]), ["lmtp", "--config", str(path)])
    assert (told.exit_code, sentence in told.output) == (ExitStatus.CONFIGURATION, True), (
        told.output
    )


def test_doctor_reports_that_nothing_listens(configured: Configured) -> None:
    path = configured("127.0.0.1:2424", smtp=free_port())
    swept, told = (
        CliRunner().invoke(command_line([command]), [command, "--config", str(path)])
        for command in ("sweep", "doctor")
    )
    assert swept.exit_code == 0, "the club is served in another way"
    assert (
        "BAD  lmtp: nothing has accepted email at 127.0.0.1:2424, so no clock can expire"
        in told.output
    )
